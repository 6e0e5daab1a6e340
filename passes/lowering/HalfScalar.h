//===- HalfScalar.h - f16 numbers as their bits -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_HALFSCALAR_H
#define RUNG_PASSES_LOWERING_HALFSCALAR_H

#include "passes/lowering/I32Builder.h"

namespace rung {

inline constexpr int64_t kHalfSign = 0x8000, kHalfMagnitude = 0x7fff;
inline constexpr int64_t kHalfInfinity = 0x7c00, kHalfFractionBits = 10;

/// The bits of an f16, as an i32 without sign.
mlir::Value emitHalfBits(I32Builder &i, mlir::Value number);
/// The f16 of the low 16 bits of an i32.
mlir::Value emitHalf(I32Builder &i, mlir::Value bits);

/// An f16's magnitude bits are ((e - 1) << 10) + m with an exponent e >= 1 and
/// a significand m below 2^11, subnormals (e = 1, m < 2^10) included; its
/// absolute value is m * 2^(e - 25).
struct HalfParts {
  mlir::Value exponent, significand;

  HalfParts(I32Builder &i, mlir::Value magnitude);
};

/// The f16 \p a * \p factor + \p c as a product, the error of its rounding and
/// sums. Rounded once where a * factor, rounded, plus c is an f16 and the
/// result another.
mlir::Value emitMultiplyAdd(mlir::ImplicitLocOpBuilder &b, mlir::Value a,
                            mlir::Value factor, mlir::Value c);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_HALFSCALAR_H
