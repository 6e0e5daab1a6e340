//===- LoweringConfig.h - kernel decisions as attributes --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the strategy and tile passes decide about an operation stands on it as
// two attributes, so that one pass can set them, another verify them and a
// third obey them:
//
//   rung.strategy = "resident-head"
//   rung.tiles = {rows = 16, columns = 64, depth = 64, stages = 2, group = 6,
//                 layout = #tile.layout<…>}

#ifndef RUNG_PASSES_LOWERING_LOWERINGCONFIG_H
#define RUNG_PASSES_LOWERING_LOWERINGCONFIG_H

#include "compiler/tiling/Tiles.h"
#include "dialects/rnn/RnnOps.h"
#include "dialects/tile/TileOps.h"

namespace rung {

inline constexpr llvm::StringLiteral kStrategyAttr = "rung.strategy";
inline constexpr llvm::StringLiteral kTilesAttr = "rung.tiles";
/// On a kernel: "f32" or "float", what no value in it may be.
inline constexpr llvm::StringLiteral kForbidAttr = "rung.forbid";
/// Beside it: values at the kernel's edges may (see FloatEdges.h).
inline constexpr llvm::StringLiteral kEdgesAttr = "rung.edges";

/// "step", "resident-head" or "resident-grid".
llvm::StringRef toString(tiling::Strategy strategy);
std::optional<tiling::Strategy> parseStrategy(llvm::StringRef text);

/// The strategy on \p op, or an error on it that says what is there instead.
mlir::FailureOr<tiling::Strategy> getStrategy(mlir::Operation *op);
void setStrategy(mlir::Operation *op, tiling::Strategy strategy);

/// The tiles on an operation. `stages` is 2 for products; `group`, of a
/// recurrence, is 1 where the attribute says nothing of it.
struct TileSizes {
  int64_t rows = 0, columns = 0, depth = 0, stages = 2, group = 1;
  /// Of products: see tiling::ProductTiles. Absent: false and 1.
  bool stageWeights = false, narrowFirst = false;
  int64_t panel = 1;
  /// Of a resident recurrence: see tiling::RecurrenceTiles. Absent: false.
  bool twoLoops = false;
  tile::LayoutAttr layout;
};
mlir::FailureOr<TileSizes> getTiles(mlir::Operation *op);
void setTiles(mlir::Operation *op, const tiling::ProductTiles &tiles);
void setTiles(mlir::Operation *op, const tiling::RecurrenceTiles &tiles);
tiling::Distribution toDistribution(tile::LayoutAttr layout);

/// The bundle's name for an IR element type; i8 is s8.
std::optional<ScalarType> toScalarType(mlir::Type type);

/// The one format that a kernel holds a recurrence's rows, sums and states in:
/// that of its states if this is f16 or i32, else f32.
mlir::Type carrierOf(rnn::RecurrenceOp op);

/// What the precision of \p op forbids in its kernels: "f32" where sums and
/// states are f16, "float" where they are integers, else nothing.
llvm::StringRef forbiddenFormat(rnn::RecurrenceOp op);

/// The activation that the kernel of \p op reads: the one behind a cast, where
/// the kernel narrows it itself.
mlir::Value inputOf(rnn::LinearOp op, const TileSizes &tiles);

/// The problems that tiles are chosen for.
tiling::ProductProblem describe(rnn::LinearOp op);
tiling::RecurrenceProblem describe(rnn::RecurrenceOp op);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_LOWERINGCONFIG_H
