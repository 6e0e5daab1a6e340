//===- Rounding.h - what a narrower format keeps of a double ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_ROUNDING_H
#define RUNG_RUNTIME_REFERENCE_ROUNDING_H

#include "runtime/reference/Tensor.h"

namespace rung::reference {

/// `value` rounded once, to nearest even, to a float format; subnormals,
/// overflow to infinity and NaN as IEEE 754 has them. Integer types and f64
/// leave the value as it is.
double roundTo(ScalarType type, double value);

/// What an op's result of type `type` loses: f16 and bf16 results are rounded,
/// every other result is kept in double. f32 is the model's "real number"; a
/// rounding to it is modelled only where the graph has a cast.
double roundResult(ScalarType type, double value);

/// roundTo of each of `count` values, in place.
void roundAllTo(ScalarType type, double *values, int64_t count);

/// How results of type f32 count, of operations whose operands are exact.
enum class F32 {
  Real,    ///< As real numbers: see roundResult.
  Rounded, ///< Each is rounded, as a device does.
};

/// Rounds results of type `type`, in place.
void roundResults(ScalarType type, F32 f32, double *values, int64_t count);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_ROUNDING_H
