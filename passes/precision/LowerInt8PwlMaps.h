//===- LowerInt8PwlMaps.h - conversions around integer layers ----*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_LOWERINT8PWLMAPS_H
#define RUNG_PASSES_PRECISION_LOWERINT8PWLMAPS_H

#include "passes/precision/LowerInt8PwlFixed.h"
#include "passes/precision/LowerInt8PwlWeights.h"

namespace rung::int8 {

// Each writes one `rnn.map`.

/// \p x, floats, on the grid of \p bits: rounded to nearest, limited to
/// -limit .. limit. Exact for floats that lie on the grid within the limits.
Fixed quantize(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
               int bits, int64_t limit);

/// \p x as f32; exact, after a requantization if it has more than 24 bits.
mlir::Value dequantize(mlir::OpBuilder &builder, mlir::Location location,
                       const Fixed &x);

/// \p x on the grid of \p bits, limited to -limit .. limit.
Fixed moveToGrid(mlir::OpBuilder &builder, mlir::Location location,
                 const Fixed &x, int bits, int64_t limit);

/// The sum of \p a and \p b.
Fixed addFixed(mlir::OpBuilder &builder, mlir::Location location,
               const Fixed &a, const Fixed &b);

/// The bytes of \p x, limited to \p magnitude, for a product over its last
/// axis. \p x is a tensor of floats if \p fixed has no value.
Bytes splitInput(mlir::OpBuilder &builder, mlir::Location location,
                 mlir::Value x, Fixed fixed, double magnitude,
                 int operandBytes);

/// The product that \p high and \p low (null for one byte) sum, of operands on
/// the grid of \p operandBits with \p matrix, and \p bias if it has a weight,
/// on its grid; numbers up to \p magnitude.
Fixed joinProducts(mlir::OpBuilder &builder, mlir::Location location,
                   mlir::Value high, mlir::Value low, int operandBits,
                   const ByteMatrix &matrix, const FixedRow &bias, int bits,
                   double magnitude);

} // namespace rung::int8

#endif // RUNG_PASSES_PRECISION_LOWERINT8PWLMAPS_H
