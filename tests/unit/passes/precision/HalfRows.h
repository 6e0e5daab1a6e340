//===- HalfRows.h - emitted f16 arithmetic on many numbers ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_PASSES_PRECISION_HALFROWS_H
#define RUNG_TESTS_UNIT_PASSES_PRECISION_HALFROWS_H

#include "passes/precision/PairArithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace rung::test {

/// Numbers as the bits of f16 or i16; of i1 as 0 and 1.
using Bits = std::vector<uint16_t>;

/// Emits operations on arguments, and interprets them: each rounds once.
class HalfRows {
public:
  /// \p stochastic as of PairBuilder.
  explicit HalfRows(unsigned arguments, bool stochastic = false);

  PairBuilder &b() { return pairs_; }
  mlir::Value argument(unsigned i) { return block_->getArgument(i); }
  /// Arguments 2 i and 2 i + 1, normalised.
  Pair pair(unsigned i) {
    return {argument(2 * i), argument(2 * i + 1), 0, true};
  }
  /// Operations emitted so far, without constants and changes of sign.
  size_t count() const;

  /// The values of \p results where the arguments have \p inputs.
  std::vector<Bits> run(const std::vector<Bits> &inputs,
                        llvm::ArrayRef<mlir::Value> results);

private:
  static mlir::MLIRContext *load(mlir::MLIRContext &context);

  mlir::MLIRContext context_;
  mlir::OpBuilder builder_;
  mlir::RankedTensorType row_;
  std::unique_ptr<mlir::Block> block_;
  PairBuilder pairs_;
};

/// high + low of each, exactly, divided by 2^scale.
std::vector<double> numbers(const Bits &high, const Bits &low, int scale = 0);

/// Every finite f16, both signs.
Bits everyFinite();

/// For each of \p highs a low half at random, of at most half a last place.
Bits randomLows(const Bits &highs, unsigned seed);

/// The f16 nearest to x - high for each, and for the highs of \p values.
Bits highsOf(const std::vector<double> &values);
Bits lowsOf(const std::vector<double> &values);

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_PASSES_PRECISION_HALFROWS_H
