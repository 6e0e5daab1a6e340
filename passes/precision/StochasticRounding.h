//===- StochasticRounding.h - names that passes agree on --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_STOCHASTICROUNDING_H
#define RUNG_PASSES_PRECISION_STOCHASTICROUNDING_H

#include "llvm/ADT/StringRef.h"

namespace rung {

/// Name of the state that holds a row's count of steps and its seed.
inline constexpr llvm::StringLiteral kRandomState = "random";

/// On a sum of two f16 in the body of a paired recurrence: it is a rounding of
/// the state, to be made stochastic.
inline constexpr llvm::StringLiteral kRoundsStateAttr = "rung.rounds_state";

} // namespace rung

#endif // RUNG_PASSES_PRECISION_STOCHASTICROUNDING_H
