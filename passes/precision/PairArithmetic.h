//===- PairArithmetic.h - numbers as sums of two f16 ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Builders of arithmetic on rows whose elements are unevaluated sums of two
// f16, about 22 bits, by error-free transforms: Dekker (1971), Knuth, and
// Ogita, Rump and Oishi (2005). Every operation they emit is of f16, but for
// comparisons, rounds once to nearest even, and must not be contracted.
//
//===----------------------------------------------------------------------===//

#ifndef RUNG_PASSES_PRECISION_PAIRARITHMETIC_H
#define RUNG_PASSES_PRECISION_PAIRARITHMETIC_H

#include "passes/precision/StochasticRounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace rung {

/// A row of numbers, each (high + low) * 2^-scale.
struct Pair {
  mlir::Value high, low;
  /// More than 0 for numbers that may be too small for f16's range, whose low
  /// half would lose its bits below 2^-24.
  int scale = 0;
  /// high is the f16 nearest to high + low.
  bool normal = false;
  /// The sums that rounded into low last, before it was normalised: that of
  /// the low halves, and that of an increment to the grid of 2^-24. Null where
  /// there is none.
  mlir::Operation *lowSum = nullptr, *gridSum = nullptr;
};

/// Emits operations on f16 rows of one width, and on pairs of them.
class PairBuilder {
public:
  /// \p row is tensor<Nxf16>. \p stochastic makes increments round to the grid
  /// of 2^-24 by a sum of their own, which a later pass may round at random.
  PairBuilder(mlir::OpBuilder &builder, mlir::Location location,
              mlir::RankedTensorType row, bool stochastic = false)
      : builder_(builder), location_(location), row_(row),
        stochastic_(stochastic) {}

  //===--- f16 -----------------------------------------------------------===//
  /// The f16 nearest to \p value in every element.
  mlir::Value constant(double value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, double b) { return add(a, constant(b)); }
  mlir::Value sub(mlir::Value a, double b) { return sub(a, constant(b)); }
  mlir::Value sub(double a, mlir::Value b) { return sub(constant(a), b); }
  mlir::Value mul(mlir::Value a, double b) { return mul(a, constant(b)); }
  mlir::Value neg(mlir::Value a);
  mlir::Value abs(mlir::Value a);
  /// c - a * b, rounded once; exact where c is the f16 nearest to a * b.
  mlir::Value remainder(mlir::Value c, mlir::Value a, mlir::Value b);
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      double b);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value select(mlir::Value condition, double yes, mlir::Value no) {
    return select(condition, constant(yes), no);
  }
  mlir::Value select(mlir::Value condition, double yes, double no);

  //===--- bits ----------------------------------------------------------===//
  mlir::Value bits(mlir::Value a);           ///< f16 to i16.
  mlir::Value fromBits(mlir::Value integer); ///< i16 to f16.
  mlir::Value integer(int16_t value);
  mlir::Value subBits(mlir::Value a, mlir::Value b);
  mlir::Value shiftLeft(mlir::Value a, int16_t places);

  //===--- error-free ----------------------------------------------------===//
  /// a + b exactly, for any a and b below 65504 whose sum is. 6 operations.
  Pair twoSum(mlir::Value a, mlir::Value b);
  /// a + b exactly, for |a| >= |b|, a = 0, or a a multiple of the last place of
  /// b. 3 operations.
  Pair fastTwoSum(mlir::Value a, mlir::Value b);
  Pair fastTwoSum(double a, mlir::Value b) {
    return fastTwoSum(constant(a), b);
  }
  /// a * b exactly, if it doesn't overflow and its last bit is at least 2^-24;
  /// else within 2^-25. 2 operations.
  Pair twoProduct(mlir::Value a, mlir::Value b);

  //===--- pairs ---------------------------------------------------------===//
  Pair constantPair(double value);
  Pair normalise(Pair a);
  /// Both operands at scale 0, or one of them an increment at a scale: its
  /// bits below 2^-24 then count in the one rounding of the sum's low half.
  Pair add(Pair a, Pair b);
  Pair sub(Pair a, Pair b) { return add(a, neg(b)); }
  /// The scale of the product is the sum of the operands' scales.
  Pair mul(Pair a, Pair b);
  Pair neg(Pair a);
  Pair abs(Pair a);
  Pair select(mlir::Value condition, Pair yes, Pair no);
  /// a `predicate` b, as numbers; both at scale 0.
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, Pair a, Pair b);
  /// \p a at another scale. Bits below 2^-24 are rounded away.
  Pair rescale(Pair a, int scale);

  mlir::OpBuilder &builder() { return builder_; }
  mlir::Location location() const { return location_; }

private:
  Pair addIncrement(Pair a, Pair increment);
  mlir::Value roundToGrid(mlir::Value low, int scale, mlir::Operation *&sum);
  template <typename Op, typename... Operands>
  mlir::Value make(Operands... operands) {
    return Op::create(builder_, location_, operands...);
  }

  mlir::OpBuilder &builder_;
  mlir::Location location_;
  mlir::RankedTensorType row_;
  bool stochastic_;
};

} // namespace rung

#endif // RUNG_PASSES_PRECISION_PAIRARITHMETIC_H
