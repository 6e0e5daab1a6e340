//===- FunctionBuilder.h - one function as func.func ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SPEC_FUNCTIONBUILDER_H
#define RUNG_FRONTENDS_SPEC_FUNCTIONBUILDER_H

#include "frontends/spec/BuildModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace rung::spec {

/// Builds one function. Every mistake that depends on types or weights is
/// reported at its place in the description, before an op is made of it.
class FunctionBuilder {
public:
  FunctionBuilder(const Function &function, mlir::ModuleOp module,
                  WeightTable &table, const FileDiagnostics &report);

  bool build(FunctionPorts &ports);

private:
  /// A state of a recurrent layer: an argument and a result of its name.
  struct State {
    std::string name;
    int64_t width;
    mlir::Value initial;
    mlir::Value final;
  };

  bool declare(FunctionPorts &ports);
  bool declareStates(FunctionPorts &ports);
  mlir::Value addArgument(mlir::RankedTensorType type, const std::string &name,
                          const std::string &state, mlir::Location location);
  bool finish(FunctionPorts &ports);

  // One overload for each kind of layer; null after a report.
  mlir::Value build(const Layer &layer, const EmbeddingLayer &embedding);
  mlir::Value build(const Layer &layer, const LinearLayer &linear);
  mlir::Value build(const Layer &layer, const RmsNormLayer &norm);
  mlir::Value build(const Layer &layer, const ActivationLayer &activation);
  mlir::Value build(const Layer &layer, const SoftmaxLayer &);
  mlir::Value build(const Layer &layer, const ArgmaxLayer &);
  mlir::Value build(const Layer &layer, const AddLayer &);
  mlir::Value build(const Layer &layer, const ConcatLayer &);
  mlir::Value build(const Layer &layer, const GruLayer &gru);
  mlir::Value buildGruLayer(const Layer &layer, const GruLayer &gru,
                            class GruWeightLoader &loader, int64_t index,
                            mlir::Value input, mlir::Value lengths);

  mlir::Location locate(const Name &name) const;
  mlir::Value input(const Layer &layer, size_t index = 0) const;
  /// The first input as a float tensor; null after a report.
  mlir::Value floatInput(const Layer &layer);
  mlir::Value load(rnn::WeightOp weight, mlir::Location location);
  std::optional<rnn::ActivationAttr> attribute(const Activation &activation);
  bool fail(SourceLocation location, std::string message) const {
    return report_.error(location, std::move(message));
  }

  const Function &function_;
  mlir::ModuleOp module_;
  WeightTable &table_;
  const FileDiagnostics &report_;
  mlir::OpBuilder builder_;
  mlir::func::FuncOp func_;
  std::map<std::string, mlir::Value> values_;
  std::vector<State> states_;
  size_t nextState_ = 0;
  /// Rows of the smallest table that each i32 input reads.
  std::map<std::string, int64_t> tableRows_;
  /// Width of what an argmax is taken of, by layer.
  std::map<std::string, int64_t> classes_;
};

/// `f32 [T, B, 256]`.
std::string typeText(mlir::Type type);

/// Size of the last axis.
int64_t widthOf(mlir::Value value);

/// Names of the state ports of a recurrent layer, in the order of its cells:
/// layer by layer, forward before reverse.
std::vector<std::string> stateNames(const GruLayer &gru);

} // namespace rung::spec

#endif // RUNG_FRONTENDS_SPEC_FUNCTIONBUILDER_H
