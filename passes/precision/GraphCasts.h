//===- GraphCasts.h - casts of graph values, once each ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_GRAPHCASTS_H
#define RUNG_PASSES_PRECISION_GRAPHCASTS_H

#include "dialects/rnn/RnnOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace rung {

/// `rung.own_format` on an `rnn.weight`: the format to which the module rounds
/// its values before it computes with them.
inline constexpr llvm::StringLiteral kOwnFormatAttr = "rung.own_format";

/// Casts of graph values, one for each value and format.
class GraphCasts {
public:
  /// \p value in \p element. What was widened from it is given back unwidened.
  mlir::Value get(mlir::Value value, mlir::FloatType element);

  /// The same of a weight, whose `rnn.weight` is marked with the format.
  mlir::Value getWeight(mlir::Value value, mlir::FloatType element);

private:
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, mlir::Value> casts_;
};

/// The type of \p value, a tensor, with elements of \p element.
mlir::RankedTensorType withElement(mlir::Value value, mlir::Type element);

/// True if \p value is a tensor of \p element.
bool hasElement(mlir::Value value, mlir::Type element);

} // namespace rung

#endif // RUNG_PASSES_PRECISION_GRAPHCASTS_H
