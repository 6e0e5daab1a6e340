//===- GridKernel.h - a recurrence's kernel on all workgroups ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_GRIDKERNEL_H
#define RUNG_PASSES_LOWERING_GRIDKERNEL_H

#include "passes/lowering/CellKernel.h"
#include "passes/lowering/GridOperands.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace rung {

/// The kernels of `resident-grid`: see ResidentGrid.cpp, and GridRounds.cpp for
/// batches of more rows than a product takes at once.
class GridKernel {
public:
  GridKernel(ProgramBuilder &p, const CellPlan &plan, const TileSizes &tiles,
             const CellWeights &weights, const GridOperands &exchanged,
             llvm::StringRef stem);

  /// Publishes the operands of step 0.
  void emitInitial();
  void emitMain();

private:
  /// Operands of a phase that meet the same matrices: the rows of one operand
  /// of their products, if those take so many.
  struct Stack {
    llvm::SmallVector<unsigned> matrices;
    llvm::SmallVector<mlir::Value> operands;
  };
  llvm::SmallVector<Stack> stacksOf(unsigned phase) const;
  int64_t parts() const { return tiles.layout.getSubgroups(); }
  unsigned states() { return cell.op().getInitial().size(); }

  void bindWords(tile::Access access);
  void allocate();
  /// Emits \p whole for batches that one product takes, else \p rounds.
  void byBatch(llvm::function_ref<void()> whole,
               llvm::function_ref<void()> rounds);
  void bindArguments(mlir::ValueRange carried);
  /// The products of \p phase, summed over the subgroups. With \p barrier
  /// nobody reads the sums of before when they are overwritten.
  void multiply(unsigned phase, bool barrier = false) {
    addUp(storeProducts(phase, barrier));
  }
  /// Where the sums of a product are, or begin.
  struct Place {
    int64_t product, row;
  };
  using Places = llvm::MapVector<rnn::DotOp, Place>;
  /// Stores each subgroup's sums, and waits for those of all.
  Places storeProducts(unsigned phase, bool barrier);
  void addUp(const Places &places);

  // Batch tile after batch tile, each through all steps.
  void emitInitialTile();
  void emitTiles(mlir::Value polls);
  mlir::Value emitTimeLoop(mlir::Value polls);
  void emitStep(mlir::scf::ForOp loop);
  mlir::Value halfOf(mlir::Value t);
  mlir::Value await(unsigned phase, mlir::Value step, mlir::Value polls);
  mlir::Value awaitRow(unsigned phase, mlir::Value step, mlir::Value offset,
                       mlir::Value row, mlir::Value polls);
  mlir::Value publish(unsigned phase, mlir::Value half, mlir::Value tag);
  void emitPublish(mlir::Value flight, unsigned buffer, mlir::Value half,
                   mlir::Value tag);

  // Step after step, each through all batch tiles: GridRounds.cpp.
  /// Whether a cell can be computed so: see there.
  bool hasRounds() const;
  void emitInitialRounds();
  void emitRounds(mlir::Value polls);
  void keepInitialStates(mlir::Value rounds);
  /// Calls \p look when the operand has landed, and \p fetch when the products
  /// are done; what is loaded there has the time until the next round's.
  mlir::Value emitRound(mlir::Value step, mlir::Value polls,
                        llvm::function_ref<void()> look,
                        llvm::function_ref<void()> fetch);
  mlir::Value peekRows(mlir::Value step);
  /// What a round needs from memory at \p step: states, then slices.
  llvm::SmallVector<mlir::Value> fetchRound(mlir::Value step);
  /// The elements of the slot that holds the operands of step \p t.
  mlir::Value slotOf(mlir::Value t);
  void publishPairs(mlir::Value operand, mlir::Value slot,
                    mlir::ValueRange clear);

  const CellPlan &plan;
  const TileSizes &tiles;
  const GridOperands &exchanged;
  CellKernel cell;
  KernelBuilder &k;
  mlir::ImplicitLocOpBuilder &b;
  CellValues values;
  mlir::Value seen; ///< Rows of the round's operand, looked at a round before.
  llvm::SmallVector<unsigned> buffers; ///< One a group of words.
  std::optional<unsigned> progress;
  /// Where operands lie in shared memory, from which row on.
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, int64_t>> operandRows;
  mlir::Value sums;
  llvm::SmallVector<mlir::Value> matrices;
};

} // namespace rung

#endif // RUNG_PASSES_LOWERING_GRIDKERNEL_H
