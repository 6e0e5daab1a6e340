//===- TileDistributor.h - a kernel as one thread sees it ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_TILEDISTRIBUTOR_H
#define RUNG_PASSES_LOWERING_TILEDISTRIBUTOR_H

#include "compiler/tiling/Layout.h"
#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace rung::tile {

/// Rewrites a kernel's body from the workgroup's view to one thread's. Each
/// matrix becomes its blocks, as SSA values: cooperative matrices, or this
/// lane's elements; each flight becomes this thread's elements, or, where it
/// moves neighbours at once, units of 4, 8 or 16 bytes. bf16 becomes its bits
/// in i16, and memory gets its SPIR-V storage class. Shared memory whose users
/// all move whole units becomes an array of those.
///
/// Ops are emitted in order into a new body; nothing is ever patched up.
class TileDistributor {
public:
  explicit TileDistributor(KernelOp kernel);

  mlir::LogicalResult run();

private:
  using Values = llvm::SmallVector<mlir::Value>;

  // The walk: TileDistributor.cpp.
  mlir::LogicalResult emitBody(mlir::Block &from);
  mlir::LogicalResult emit(mlir::Operation &op);
  mlir::LogicalResult emitFor(mlir::scf::ForOp op);
  mlir::LogicalResult emitIf(mlir::scf::IfOp op);
  mlir::LogicalResult emitScalar(mlir::Operation &op);
  mlir::FailureOr<Values> emitRegion(mlir::Region &region,
                                     mlir::ValueRange arguments);

  // bf16 as bits: TileDistributeScalar.cpp.
  mlir::Value widenBF16(mlir::Value bits);
  mlir::Value narrowBF16(mlir::Value number);
  mlir::Value convertFloat(mlir::Value value, mlir::Type from, mlir::Type to);

  // Memory: TileDistributeMemory.cpp.
  mlir::LogicalResult emitOp(FetchOp op);
  mlir::LogicalResult emitOp(LandOp op);
  mlir::LogicalResult emitOp(DrainOp op);
  mlir::LogicalResult emitOp(ConvertSharedOp op);
  mlir::LogicalResult emitOp(ReadOp op);
  mlir::LogicalResult emitOp(WriteOp op);
  mlir::LogicalResult emitOp(ReduceOp op);
  struct Element {
    mlir::Value row, column;
    mlir::Value valid; // i1, or null where every owner has the element
  };
  using RowResults = llvm::DenseMap<int64_t, Values>;
  /// What a row region yields for element `e` of this thread, and whether the
  /// row is there; `known` has what was computed before.
  mlir::FailureOr<Values> emitRow(mlir::Region &rows,
                                  const tiling::LinearSpread &spread, int64_t e,
                                  const Element &element, RowResults &known);
  mlir::Value inColumns(const Element &element, mlir::Value groups,
                        const tiling::LinearSpread &spread);

  // Units of several elements: TileDistributeWide.cpp.
  mlir::LogicalResult emitOp(SharedOp op);
  /// Bytes of the largest units in which all users of shared memory can move
  /// what they move; 0 where some user needs elements.
  int64_t sharedUnit(SharedOp op) const;
  /// The same of a cooperative matrix in a kernel's buffer.
  int64_t packedUnit(LoadPackedOp op) const;
  int64_t packedUnit(BroadcastRowOp op) const;
  /// Elements, in the representation they are computed with, and their units.
  Values unpack(mlir::ValueRange units, mlir::Type element);
  Values pack(mlir::ValueRange elements, mlir::Type element, int64_t bytes);
  Values regroup(mlir::ValueRange units, int64_t bytes);
  /// A number of elements, a multiple of `per`, divided by it.
  mlir::Value toUnits(mlir::Value elements, int64_t per);
  /// The same of a limit, which may be negative.
  mlir::Value toGroups(mlir::Value elements, int64_t width);
  /// A kernel's buffer as an array of units; itself for units of 0 bytes.
  mlir::Value view(mlir::Value buffer, int64_t bytes);
  /// The `width` neighbours at `memory[row][column + group * width]` of the
  /// kernel's shared memory: as units of `bytes`, or as elements where that is
  /// 0, whatever the memory is made of.
  Values loadShared(mlir::Value memory, mlir::Value row, mlir::Value column,
                    mlir::Value group, int64_t width, int64_t bytes);
  void storeShared(mlir::ValueRange values, int64_t bytes, mlir::Value memory,
                   mlir::Value row, mlir::Value column, mlir::Value group,
                   int64_t width);

  // Between workgroups: TileDistributeGrid.cpp.
  mlir::LogicalResult emitOp(GridBarrierOp op);
  mlir::LogicalResult emitOp(PublishOp op);
  mlir::LogicalResult emitOp(AwaitOp op);
  mlir::LogicalResult emitOp(PublishPairsOp op);
  mlir::LogicalResult emitOp(PeekRowsOp op);
  mlir::LogicalResult emitOp(AwaitRowsOp op);
  mlir::LogicalResult emitOp(LiftOp op);
  mlir::LogicalResult emitOp(DeliverOp op);
  mlir::LogicalResult emitOp(LoadSplitOp op);
  mlir::LogicalResult emitOp(SplitMmaOp op);
  mlir::LogicalResult
  forPlaced(FlightType type, mlir::Region &rows, mlir::Value columns,
            llvm::function_ref<void(int64_t group, mlir::Value row,
                                    mlir::Value column)>);
  mlir::Value tagBits(mlir::Value tag);
  mlir::Value atomic(AtomicKind kind, mlir::Value value, mlir::Value memory,
                     mlir::Value at, Order order);
  mlir::Value word(int64_t value);
  Values loadWords(mlir::Value memory, mlir::Value address, int64_t width);
  /// One of \p units as others have written it by now: see compiler/spirv.
  mlir::Value loadSeen(mlir::Value units, mlir::Value at);
  /// Loads values of \p types, again and again, until \p missing gives 0 for
  /// them or the polls have run out; \p seen, if there is any, is what was
  /// loaded at first. Gives what was loaded last, and the polls that are left.
  std::pair<Values, mlir::Value>
  poll(mlir::Value polls, mlir::TypeRange types, mlir::ValueRange seen,
       llvm::function_ref<Values()> load,
       llvm::function_ref<mlir::Value(mlir::ValueRange)> missing,
       mlir::Value fault, mlir::Value faultIndex);
  /// Where this lane's groups of a flight of rows lie, each subgroup having a
  /// part of the columns: row and column of each, in groups.
  llvm::SmallVector<Element> elementsOfRows(FlightType type);
  Values loadRows(FlightType type, mlir::Value memory, mlir::Value base,
                  mlir::Value pitch, mlir::Value first, mlir::Value limit);

  // Single rows: TileDistributeRow.cpp.
  mlir::LogicalResult emitOp(PutOp op);
  mlir::LogicalResult emitOp(LaneRowOp op);
  mlir::LogicalResult emitOp(UnitDotOp op);
  mlir::LogicalResult emitOp(SubgroupSumOp op);

  // Matrices: TileDistributeMatrix.cpp, and Product for mma.
  mlir::LogicalResult emitOp(LoadOp op);
  mlir::LogicalResult emitOp(LoadPackedOp op);
  mlir::LogicalResult emitOp(BroadcastRowOp op);
  mlir::LogicalResult emitOp(BroadcastColumnOp op);
  mlir::LogicalResult emitOp(StoreOp op);
  mlir::LogicalResult emitOp(StoreGlobalOp op);
  mlir::LogicalResult emitOp(SliceOp op);
  mlir::LogicalResult emitOp(FillOp op);
  mlir::LogicalResult emitOp(MmaOp op);
  void emitCooperativeMma(MmaOp op);
  /// Says whether the instruction takes its operands as signed integers.
  mlir::spirv::CooperativeMatrixOperandsKHRAttr
  productOperands(mlir::Type element);
  void emitPlainMma(MmaOp op);
  Values emitPlainSums(MmaOp op, mlir::Value first, mlir::Value last,
                       mlir::ValueRange sums);
  int64_t plainWidth(MmaOp op) const;
  std::pair<Values, Values> loadPlainOperands(MmaOp op, int64_t sum,
                                              mlir::Value k, int64_t width);

  // Elementwise: TileDistributeMap.cpp.
  mlir::LogicalResult emitOp(MapOp op);
  mlir::LogicalResult emitOp(ConvertOp op);
  mlir::LogicalResult mapScalars(MapOp op);
  mlir::LogicalResult mapGroups(MapOp op);
  mlir::LogicalResult mapBlocks(MapOp op);
  mlir::Value extract(mlir::Value block, int32_t index);

  // Elementwise, on several elements at once: TileDistributePacked.cpp.
  struct ElementGroup;
  mlir::FailureOr<llvm::SmallVector<Values>>
  emitTogether(MapOp op, llvm::ArrayRef<Values> operands);
  mlir::Value emitInWord(mlir::Operation &op, ElementGroup &group);
  void emitPacked(mlir::Operation &op, ElementGroup &group);
  mlir::LogicalResult emitSingle(mlir::Operation &op, ElementGroup &group);
  mlir::Value packedOf(ElementGroup &group, mlir::Value value);
  mlir::Value laneOf(ElementGroup &group, mlir::Value value, size_t lane);

  // Layout, as values: TileDistributeLayout.cpp.
  /// Element `e` of this owner (thread or lane) of a spread. Where its elements
  /// are groups of neighbours, so is `column`.
  Element elementOf(const tiling::LinearSpread &spread, mlir::Value owner,
                    int64_t e);
  /// The parts of a kernel's block that a matrix has: how many, and how large.
  struct Blocks {
    int64_t rowBlocks = 0, columnBlocks = 0; // this subgroup's
    int64_t rows = 0, columns = 0;           // of one block
    int64_t count() const { return rowBlocks * columnBlocks; }
  };
  Blocks blocksOf(MatrixType type) const;
  tiling::LinearSpread laneSpread() const;
  /// First row or column of a local block within its matrix; the column
  /// divided by `per`, which divides a block's columns.
  mlir::Value blockRow(MatrixType type, int64_t block);
  mlir::Value blockColumn(MatrixType type, int64_t block, int64_t per = 1);
  int64_t lanesElements() const;

  mlir::spirv::CooperativeMatrixType blockType(MatrixType type) const;
  mlir::Value loadBlock(MatrixType type, mlir::Value memory,
                        mlir::ValueRange at, mlir::Value pitch,
                        bool columnMajor);
  void storeBlock(mlir::Value block, mlir::Value memory, mlir::ValueRange at,
                  mlir::Value pitch);
  mlir::Type convertType(mlir::Type type) const;
  llvm::SmallVector<mlir::Type> expandType(mlir::Type type) const;
  bool cooperative() const { return layout_.getCooperative(); }

  // Small pieces of arithmetic.
  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value add(mlir::Value a, int64_t b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  mlir::Value zero(mlir::Type type);
  mlir::Value both(mlir::Value a, mlir::Value b); // either may be null
  /// Emits `body`, under `condition` where there is one.
  void guarded(mlir::Value condition, llvm::function_ref<void()> body);

  mlir::Value mapped(mlir::Value value) const {
    return mapping_.lookupOrDefault(value);
  }
  void expand(mlir::Value from, mlir::ValueRange to) {
    expansions_[from] = Values(to.begin(), to.end());
  }

  KernelOp kernel_;
  LayoutAttr layout_;
  mlir::ImplicitLocOpBuilder b_;
  mlir::IRMapping mapping_;
  llvm::DenseMap<mlir::Value, Values> expansions_;
  llvm::DenseMap<mlir::Value, Values> builtBlocks_; // by map, with elements
  llvm::DenseMap<mlir::Type, mlir::Value> reduceScratch_;
  llvm::DenseMap<mlir::Value, int64_t> sharedUnits_; // by the kernel's memory
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> views_;
  mlir::Value thread_, lane_, subgroup_;
  mlir::Value subgroupRow_, subgroupColumn_; ///< Of the grid of subgroups.
};

} // namespace rung::tile

#endif // RUNG_PASSES_LOWERING_TILEDISTRIBUTOR_H
