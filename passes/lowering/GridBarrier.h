//===- GridBarrier.h - how a thread waits for all workgroups ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_GRIDBARRIER_H
#define RUNG_PASSES_LOWERING_GRIDBARRIER_H

#include "dialects/tile/TileOps.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rung::tile {

/// Set in a word of a progress buffer by a workgroup that gave up.
inline constexpr int64_t kGaveUp = int64_t(1) << 30;

/// What `tile.grid_barrier %counter[%at] expect %expect` is for thread
/// \p thread of a workgroup. \p counter is memory as `tile-distribute` leaves
/// it; \p expect is an index.
void emitGridBarrier(mlir::ImplicitLocOpBuilder &b, mlir::Value thread,
                     mlir::Value counter, mlir::Value at, mlir::Value expect);

} // namespace rung::tile

#endif // RUNG_PASSES_LOWERING_GRIDBARRIER_H
