//===- CellKernel.h - what kernels of a recurrence share --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_CELLKERNEL_H
#define RUNG_PASSES_LOWERING_CELLKERNEL_H

#include "passes/lowering/Cell.h"
#include "passes/lowering/EmitTiles.h"
#include "passes/lowering/LoweringConfig.h"

namespace rung {

/// Weights of a recurrence, packed for its kernels. Null where a body has none.
struct CellWeights {
  mlir::Value matrices, inputMatrices, rows, wideRows, tables;
  int64_t columns = 0, depth = 0; ///< Padded extents of a head.
  int64_t inputDepth = 0;         ///< Padded width of sequences' rows.

  /// Sequences' rows are padded to whole products of each of \p parts.
  static mlir::FailureOr<CellWeights> pack(ProgramBuilder &p,
                                           const CellPlan &plan,
                                           const TileSizes &tiles,
                                           int64_t parts = 1);
};

/// A kernel whose workgroup handles `rows` batch rows and `columns` hidden
/// units of one head: workgroup ids are (head, batch tile, column tile).
class CellKernel {
public:
  CellKernel(ProgramBuilder &p, const CellPlan &plan, const TileSizes &tiles,
             const CellWeights &weights, llvm::StringRef stem);

  // Declarations, before begin().
  void bindSequences();
  void bindStates(tile::Access initial, tile::Access final);
  void bindOutputs();
  void bindWeights();
  /// The recurrence's random states.
  void bindRandom();

  /// Makes the kernel; computes where the workgroup's tile lies.
  void begin();
  void dispatch(mlir::OpBuilder *host = nullptr);

  // Of the tile.
  /// Batch row of tile row \p r; -1 past the batch.
  mlir::Value batchRow(mlir::Value r);
  /// Row of the sequences at iteration \p step for tile row \p r; -1 where the
  /// row has no such step or the batch no such row.
  mlir::Value sequenceRow(mlir::Value step, mlir::Value r);
  /// Where the outputs of iteration \p step go, and whether they are kept or
  /// zero: steps past a row's length write zeros at its end.
  std::pair<mlir::Value, mlir::Value> outputRow(mlir::Value step,
                                                mlir::Value r);
  /// Shared memory for what storeActive stores.
  mlir::Value allocateActive();
  /// Stores 1 or 0 a row: whether it has a step \p step.
  void storeActive(mlir::Value step, mlir::Value shared, mlir::Value row);
  bool hasLengths() { return bool(op().getLengths()); }

  // Transfers of rows x columns of the tile.
  /// Of `tiles.group` steps from \p step on, one below the other.
  mlir::Value fetchSlices(const SequenceSlice &slice, mlir::Value step);
  mlir::Value fetchInputs(const InputRow &input, mlir::Value step);
  mlir::Value fetchSlice(const SequenceSlice &slice, mlir::Value step);
  mlir::Value fetchState(unsigned buffer);
  void drainState(mlir::Value shared, mlir::Value row, unsigned buffer);
  /// 1 where every row of the tile exists and storeOutput may write it; null
  /// where it never may: rows of different lengths, heads that are no whole
  /// tiles or no multiples of 16 bytes.
  mlir::Value isWhole();
  /// Writes a matrix to where iteration \p step's output goes, past shared
  /// memory.
  void storeOutput(unsigned output, mlir::Value matrix, mlir::Value step);
  void drainOutput(unsigned output, mlir::Value shared, mlir::Value row,
                   mlir::Value step);

  // On flights, for kernels that compute gates on them: rows x columns of the
  // tile, without lengths.
  /// All weight rows, into \p values.
  void fetchRows(CellValues &values);
  void writeState(mlir::Value flight, unsigned buffer);
  void writeOutput(unsigned output, mlir::Value flight, mlir::Value step);
  /// A matrix of the plan as a left operand, split over the subgroups.
  mlir::Value loadSplit(unsigned index);
  /// The same of those that sequences' rows are multiplied with.
  mlir::Value loadInputSplit(unsigned index);
  /// Dispatches a kernel that handles all batch rows itself.
  void dispatchOnce();

  /// Matrices of all weight rows, into \p values.
  void loadRows(CellValues &values);
  /// The same of those at the body's edge.
  void loadWideRows(CellValues &values);
  /// `depth` x columns of a matrix of the plan, from inner element \p at.
  mlir::Value loadMatrix(unsigned index, mlir::Value at, int64_t depth);
  /// A whole matrix of those that sequences' rows are multiplied with.
  mlir::Value loadInputMatrix(unsigned index);
  /// Elements from the start of a head's row to the tile.
  mlir::Value tileOffset();
  /// 1 where a column exists, else 0; null when all do. Goes through \p stage.
  mlir::Value loadColumnMask(mlir::Value stage);
  /// Makes `context` ready for random bits, if they are bound: puts the tile's
  /// random states into shared memory, and coordinates, through \p stage, into
  /// matrices. Must be called before any loop is entered.
  void loadRandom(mlir::Value stage);
  /// `context` at \p iteration.
  const CellContext &contextAt(mlir::Value iteration);

  mlir::Type carrier() const { return plan.carrier; }
  /// Sums of the tile, of the carrier or of \p element.
  tile::MatrixType accType(mlir::Type element = {});
  rnn::RecurrenceOp op() const { return plan.op; }
  bool isPadded() const { return plan.headWidth % tiles.columns != 0; }

  const CellPlan &plan;
  TileSizes tiles;
  const CellWeights &weights;
  KernelBuilder k;
  mlir::Value head, firstRow, firstColumn;
  llvm::SmallVector<unsigned> sequences, initial, finals, outputs;

private:
  std::optional<unsigned> matrices_, inputMatrices_, rows_, wideRows_, tables_,
      lengths_, random_;
  unsigned steps_, batch_;
  CellContext context_;
  /// A matrix of what \p emit computes of each element's row and column.
  mlir::Value loadOfPosition(
      mlir::Value stage,
      llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> emit);
  void loadRows(llvm::ArrayRef<WeightRow> rows, unsigned buffer,
                CellValues &values);
  void writeFlight(mlir::Value flight, unsigned buffer, RowOf rowOf);
  mlir::Value fetchGroup(unsigned sequence, mlir::Value base, mlir::Value limit,
                         int64_t columns, mlir::Value first, mlir::Type lands);
  /// The row of a sequence that tile row \p r reads in iteration \p step; past
  /// the batch's or the sequence's end, some row that there is.
  mlir::Value nearestRow(mlir::Value step, mlir::Value r);
  /// min(max(lengths[b], 0), T) of tile row \p r.
  mlir::Value lengthOf(mlir::Value r);
  bool hasEdges();
  bool isReversed() { return op().getDirection() == rnn::Direction::Reverse; }

public:
  mlir::Value steps() { return k.pushed(steps_); }
  mlir::Value batch() { return k.pushed(batch_); }
};

} // namespace rung

#endif // RUNG_PASSES_LOWERING_CELLKERNEL_H
