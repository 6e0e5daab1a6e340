//===- RnnActivations.h - activations as operations of a body -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNACTIVATIONS_H
#define RUNG_DIALECTS_RNN_RNNACTIVATIONS_H

#include "dialects/rnn/RnnDialect.h"

#include "mlir/IR/Builders.h"

namespace rung::rnn {

/// Builds \p activation of \p x, a row of a cell's body, from elementwise
/// operations, so that nothing further down knows activations by name.
///
/// No form overflows to NaN: for any x that is not NaN the result is the limit
/// of the function. Only operations that every target has are used: no log1p
/// and no expm1. So softplus and elu are accurate to half a unit in the last
/// place of 1, not relative to their own tails.
mlir::Value buildActivation(mlir::OpBuilder &builder, mlir::Location location,
                            ActivationAttr activation, mlir::Value x);

/// Builds 1 - activation(x), without cancellation where the function has a
/// mirrored form (sigmoid and hard_sigmoid).
mlir::Value buildComplement(mlir::OpBuilder &builder, mlir::Location location,
                            ActivationAttr activation, mlir::Value x);

/// Builds x limited to -\p limit .. \p limit; NaN stays NaN.
mlir::Value buildClip(mlir::OpBuilder &builder, mlir::Location location,
                      double limit, mlir::Value x);

} // namespace rung::rnn

#endif // RUNG_DIALECTS_RNN_RNNACTIVATIONS_H
