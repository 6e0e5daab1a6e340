//===- LowerInt8PwlWeights.h - weights in integers ---------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_LOWERINT8PWLWEIGHTS_H
#define RUNG_PASSES_PRECISION_LOWERINT8PWLWEIGHTS_H

#include "dialects/rnn/RnnOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

#include <vector>

namespace rung::int8 {

/// A matrix [O, I], or one a head [heads, O, I], in bytes. Row r is
/// bytes[r] * factors[r] / 2^shift; rows of factors and corrections have the
/// order in which products leave their results: for matrices of heads, blocks
/// of I rows outermost, then heads, then the rows of a block.
struct ByteMatrix {
  rnn::WeightOp bytes;       ///< -127 .. 127, `NAME.s8`.
  rnn::WeightOp factors;     ///< `NAME.factors`.
  rnn::WeightOp corrections; ///< 128 times each row's sum.
  int shift = 0;
  double largestRow = 0; ///< The largest sum of magnitudes of a row.
  int64_t depth = 0;     ///< I.
};

/// A row on a grid.
struct FixedRow {
  rnn::WeightOp weight; ///< `NAME.s32`.
  int bits = 0;
  int64_t low = 0, high = 0;
};

/// Weights of a module in integers, each made once. An original that is used
/// in another form gets `rung.own`, the name of the float weight that holds
/// what the integers stand for.
class IntegerWeights {
public:
  explicit IntegerWeights(mlir::ModuleOp module) : module_(module) {}

  /// The matrix that \p value loads. Fails, with an error on \p user, if it is
  /// no `rnn.weight`.
  mlir::FailureOr<ByteMatrix> matrix(mlir::Operation *user, mlir::Value value);

  /// The row, or the table of rows, that \p value loads, on the finest grid of
  /// at most \p bits on which it stays below \p largest.
  mlir::FailureOr<FixedRow> row(mlir::Operation *user, mlir::Value value,
                                int bits, int64_t largest);

  /// A weight of \p entries that no original stands behind.
  rnn::WeightOp table(mlir::Location location, llvm::StringRef name,
                      std::vector<int32_t> entries);

private:
  mlir::FailureOr<rnn::WeightOp> find(mlir::Operation *user, mlir::Value value);
  void setOwn(rnn::WeightOp original, std::vector<float> values);

  mlir::ModuleOp module_;
  llvm::MapVector<mlir::Operation *, ByteMatrix> matrices_;
  llvm::MapVector<std::pair<mlir::Operation *, int>, FixedRow> rows_;
};

} // namespace rung::int8

#endif // RUNG_PASSES_PRECISION_LOWERINT8PWLWEIGHTS_H
