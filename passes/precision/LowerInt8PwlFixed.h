//===- LowerInt8PwlFixed.h - arithmetic on fixed-point rows ------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_LOWERINT8PWLFIXED_H
#define RUNG_PASSES_PRECISION_LOWERINT8PWLFIXED_H

#include "dialects/rnn/RnnOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace rung::int8 {

/// Integers that stand for numbers: value * 2^-bits, each integer known to be
/// at least low and at most high. A constant has no value until another
/// operand says on which grid it is wanted.
struct Fixed {
  mlir::Value value;
  int bits = 0;
  int64_t low = 0, high = 0;
  std::optional<double> constant;

  /// No number is larger.
  double magnitude() const;
};

/// Numbers stay below this many bits, so that a sum of two fits 32.
inline constexpr int64_t kLargest = int64_t(1) << 30;

/// Most bits of a grid on which numbers up to \p magnitude stay within
/// \p largest, but no more than \p most.
int finestBits(double magnitude, int64_t largest, int most);

/// Writes arithmetic on rows of i32 that lie on grids. Grids are chosen as fine
/// as the results' ranges allow, and every rounding is an `rnn.requantize`.
class FixedBuilder {
public:
  /// \p width elements a row.
  FixedBuilder(mlir::OpBuilder &builder, mlir::Location location,
               int64_t width);

  mlir::Value splat(int32_t value);
  Fixed fixedSplat(int32_t value, int bits);

  /// \p a on the grid of \p bits: exact where that is finer.
  Fixed toBits(Fixed a, int bits);
  /// \p a limited to \p low .. \p high; nothing where it is already.
  Fixed clamp(Fixed a, int64_t low, int64_t high);

  Fixed add(Fixed a, Fixed b);
  Fixed subtract(Fixed a, Fixed b);
  Fixed multiply(Fixed a, Fixed b);
  Fixed negate(Fixed a);
  Fixed maximum(Fixed a, Fixed b);
  Fixed minimum(Fixed a, Fixed b);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, Fixed a, Fixed b);
  Fixed select(mlir::Value condition, Fixed a, Fixed b);

  /// floor((a * factor + 2^(shift - 1)) / 2^shift).
  mlir::Value requantize(mlir::Value a, mlir::Value factor, int shift);

  template <typename Op> mlir::Value make(mlir::Value a, mlir::Value b) {
    return Op::create(builder_, a, b);
  }
  /// An elementwise conversion to \p element.
  template <typename Op>
  mlir::Value convert(mlir::Value a, mlir::Type element) {
    return Op::create(
        builder_,
        mlir::cast<mlir::RankedTensorType>(a.getType()).clone(element), a);
  }
  mlir::ImplicitLocOpBuilder &builder() { return builder_; }
  /// tensor<N x i32>.
  mlir::RankedTensorType type() const { return type_; }

private:
  /// Puts both on one grid, the finer one if numbers up to \p magnitude fit.
  void align(Fixed &a, Fixed &b, double magnitude);
  Fixed materialize(const Fixed &a, int bits);

  mlir::ImplicitLocOpBuilder builder_;
  mlir::RankedTensorType type_;
};

/// The high and the low byte of numbers q: q = 256 * high + low + 128.
struct Bytes {
  mlir::Value high, low; ///< Rows of i8; low is null for a single byte.
  int bits = 0;          ///< The grid of q, or of the single byte.
};

/// Splits \p a, for a product over \p depth numbers, on the finest grid on
/// which no sum of products with weights of -127 .. 127 can overflow 32 bits.
Bytes splitBytes(FixedBuilder &b, Fixed a, int64_t depth, int operandBytes);

/// The finest grid for operands up to \p magnitude, and the largest integer.
struct OperandGrid {
  int bits = 0;
  int64_t limit = 0; ///< Operands are -limit - 1 .. limit.
};
OperandGrid operandGrid(double magnitude, int64_t depth, int operandBytes);

} // namespace rung::int8

#endif // RUNG_PASSES_PRECISION_LOWERINT8PWLFIXED_H
