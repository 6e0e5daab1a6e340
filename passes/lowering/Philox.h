//===- Philox.h - counter-based random bits ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_PHILOX_H
#define RUNG_PASSES_LOWERING_PHILOX_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <array>

namespace rung {

/// Philox4x32-10 (Salmon, Moraes, Dror and Shaw: Parallel random numbers: as
/// easy as 1, 2, 3; 2011): four words of 32 random bits that are a function of
/// \p counter and \p key alone, all of them i32.
std::array<mlir::Value, 4> emitPhilox(mlir::ImplicitLocOpBuilder &b,
                                      std::array<mlir::Value, 4> counter,
                                      std::array<mlir::Value, 2> key);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_PHILOX_H
