//===- WeightValues.h - numbers of weights, read and made -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_WEIGHTVALUES_H
#define RUNG_PASSES_PRECISION_WEIGHTVALUES_H

#include "dialects/rnn/RnnOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <vector>

namespace rung {

/// The values of a weight of floats, dense or an f32 resource, in row-major
/// order. Fails, with an error on \p weight, where they are not at hand.
mlir::FailureOr<std::vector<float>> readWeight(rnn::WeightOp weight);

/// The weight that \p value is loaded from; null if it is no `rnn.load_weight`.
rnn::WeightOp loadedWeight(mlir::Value value);

/// A new weight behind the last of \p module. Its name is \p name, or the first
/// of `name.1`, `name.2`, … that no symbol of the module has. The values must
/// be as many as \p shape says.
rnn::WeightOp createWeight(mlir::ModuleOp module, mlir::Location location,
                           llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                           std::vector<float> values);
rnn::WeightOp createWeight(mlir::ModuleOp module, mlir::Location location,
                           llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                           std::vector<int8_t> values);
rnn::WeightOp createWeight(mlir::ModuleOp module, mlir::Location location,
                           llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                           std::vector<int32_t> values);

/// The value of \p weight, where \p builder stands.
mlir::Value loadWeight(mlir::OpBuilder &builder, rnn::WeightOp weight);

/// Removes loads without a use, then the weights of \p module that nothing
/// refers to.
void eraseUnusedWeights(mlir::ModuleOp module);

} // namespace rung

#endif // RUNG_PASSES_PRECISION_WEIGHTVALUES_H
