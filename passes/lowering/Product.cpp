//===- Product.cpp - all rows times a weight, in tiles --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One workgroup computes rows x columns of the result. Rows of the input come
// through shared memory, `depth` columns at a time, two buffers in turn: while
// one is multiplied the next is on its way, and one barrier a turn suffices.
// Weights are packed as [columns][inner], padded by zeros; large tiles stage
// them in shared memory too, since several subgroups need each.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/EmitTiles.h"
#include "passes/lowering/KernelBuilder.h"
#include "passes/lowering/Kernels.h"
#include "passes/lowering/TakenOnce.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

using namespace mlir;
using rung::tiling::roundUp;

namespace rung {

namespace {

class Product {
public:
  Product(ProgramBuilder &p, rnn::LinearOp op, const TileSizes &tiles)
      : p(p), op(op), tiles(tiles), k(p, op.getLoc(), "linear", tiles.layout),
        operand(getElementTypeOrSelf(op.getWeight())),
        accumulate(getElementTypeOrSelf(op.getResult())) {
    auto type = cast<RankedTensorType>(op.getWeight().getType());
    columns = type.getDimSize(0), inner = type.getDimSize(1);
    paddedColumns = roundUp(columns, tiles.columns);
    paddedInner = roundUp(inner, tiles.depth);
  }

  LogicalResult bind() {
    FailureOr<WeightSource> w = findWeight(op.getWeight());
    if (failed(w))
      return op.emitOpError("has a weight that is not an rnn.weight");
    auto piece =
        tile::PieceAttr::get(p.context(), w->symbol, 0, {columns, inner},
                             {inner, 1}, 0, {paddedInner, 1});
    input = k.bind(p.bufferOf(inputOf(op, tiles)), tile::Access::Read);
    weight = k.bind(p.packed(operand, paddedColumns * paddedInner, piece),
                    tile::Access::Read);
    if (op.getBias()) {
      FailureOr<WeightSource> b = findWeight(op.getBias());
      if (failed(b))
        return op.emitOpError("has a bias that is not an rnn.weight");
      auto row = tile::PieceAttr::get(p.context(), b->symbol, 0, {columns}, {1},
                                      0, {1});
      bias =
          k.bind(p.packed(accumulate, paddedColumns, row), tile::Access::Read);
    }
    result = k.bind(p.bufferOf(op.getResult()), tile::Access::Write);
    rows = k.push(ProgramBuilder::rowPush(op.getResult()));
    return success();
  }

  void emit() {
    k.begin();
    placeTile();
    if (tiles.stageWeights)
      emitStaged();
    else
      emitDirect();
    auto *context = b().getContext();
    int64_t columnTiles = paddedColumns / tiles.columns;
    k.dispatch({tile::ExtentAttr::get(context,
                                      ProgramBuilder::rowSymbol(op.getResult()),
                                      tiles.rows, panel()),
                tile::ExtentAttr::get(context, columnTiles / panel()),
                tile::ExtentAttr::get(context, int64_t(1))});
  }

private:
  ImplicitLocOpBuilder &b() { return k.b(); }

  /// Column tiles that workgroups with neighbouring numbers take before the
  /// next rows: their rows of the input are then still in the cache.
  int64_t panel() const {
    return std::gcd(tiles.panel, paddedColumns / tiles.columns);
  }

  void placeTile() {
    Value x = k.block(gpu::Dimension::x), y = k.block(gpu::Dimension::y);
    if (panel() > 1) {
      Value width = k.index(panel());
      y = k.add(k.mul(y, panel()), arith::RemUIOp::create(b(), x, width));
      x = arith::DivUIOp::create(b(), x, width);
    }
    columnTile = y;
    firstRow = k.mul(x, tiles.rows);
    firstColumn = k.mul(y, tiles.columns);
  }

  tile::MatrixType sumType() const {
    return tile::MatrixType::get(tiles.rows, tiles.columns, accumulate,
                                 tile::MatrixUse::Acc);
  }
  /// What the sum starts from: the bias in each row, or zeros.
  Value emitStart() {
    if (op.getBias())
      return tile::BroadcastRowOp::create(b(), sumType(), k.buffer(bias),
                                          firstColumn);
    return emitZero(k, sumType());
  }

  /// Row \p r of the tile, -1 past the last of all rows.
  Value rowOf(Value r) {
    return k.rowBelow(k.add(firstRow, r), k.pushed(rows));
  }
  /// Row \p r of the tile, or the last of all rows: what is summed of that past
  /// the end is not stored, and loads need no mask.
  Value anyRowOf(Value r) {
    Value last = k.sub(k.pushed(rows), k.index(1));
    Value row = arith::MinSIOp::create(b(), k.add(firstRow, r), last);
    return arith::MaxSIOp::create(b(), row, k.index(0));
  }
  Value fetchInput(Value at) {
    Value limit = k.index(tiles.depth);
    if (!tiles.stageWeights || inner != paddedInner)
      limit = k.maximum(k.sub(k.index(inner), at), k.index(0));
    return emitFetch(
        k, k.buffer(input), at, k.index(inner), limit, tiles.rows, tiles.depth,
        [&](Value r) { return tiles.stageWeights ? anyRowOf(r) : rowOf(r); },
        operand);
  }
  Value fetchWeights(Value at) {
    Value base = k.add(k.mul(firstColumn, paddedInner), at);
    return emitFetch(k, k.buffer(weight), base, k.index(paddedInner),
                     k.index(tiles.depth), tiles.columns, tiles.depth,
                     [](Value column) { return column; });
  }

  /// Narrows a part of the input and puts it into shared memory, from \p row.
  void landInput(Value flight, Value row) {
    Value rounded = emitConvertFlight(k, flight, operand);
    tile::LandOp::create(b(), rounded, left, row, k.index(0));
  }

  void emitDirect();
  struct Operands {
    Value a, b;
  };
  Operands loadOperands(int64_t at);
  SmallVector<Value> fetchTurn(Value at);
  void landTurn(ValueRange flights);
  Value emitStagedSum();
  void emitStaged();
  Value isWhole();
  void emitPieces(Value sum);

  ProgramBuilder &p;
  rnn::LinearOp op;
  TileSizes tiles;
  KernelBuilder k;
  Type operand, accumulate;
  int64_t inner, columns, paddedInner, paddedColumns;
  unsigned input, weight, bias = 0, result, rows;
  Value firstRow, firstColumn, columnTile;
  // Shared memory: of input, of weights, and of sums on their way out.
  Value left, right, finished;
};

/// Weights are read where they lie, by each subgroup its own columns; all sums
/// leave through shared memory at once.
void Product::emitDirect() {
  left = k.shared(2 * tiles.rows, tiles.depth, operand);
  finished = k.shared(tiles.rows, tiles.columns, accumulate);
  auto loop = scf::ForOp::create(
      b(), k.index(0), k.index(paddedInner), k.index(tiles.depth),
      ValueRange{emitStart(), fetchInput(k.index(0))});
  {
    OpBuilder::InsertionGuard guard(b());
    b().setInsertionPointToStart(loop.getBody());
    Value at = loop.getInductionVar();
    // Two buffers in turn.
    Value turn = arith::RemUIOp::create(
        b(), arith::DivUIOp::create(b(), at, k.index(tiles.depth)), k.index(2));
    Value row = k.mul(turn, tiles.rows);
    landInput(loop.getRegionIterArg(1), row);
    tile::BarrierOp::create(b());
    Value next = fetchInput(k.add(at, tiles.depth));
    Value a = emitLoad(k, left, row, k.index(0), tiles.rows, tiles.depth,
                       tile::MatrixUse::A);
    Value base = k.add(k.mul(firstColumn, paddedInner), at);
    Value w = emitLoadPacked(k, k.buffer(weight), base, paddedInner,
                             tiles.depth, tiles.columns);
    Value sum = tile::MmaOp::create(b(), loop.getRegionIterArg(0), a, w);
    scf::YieldOp::create(b(), ValueRange{sum, next});
  }
  tile::StoreOp::create(b(), loop.getResult(0), finished, k.index(0),
                        k.index(0));
  tile::BarrierOp::create(b());
  emitDrain(k, finished, k.index(0), k.buffer(result), firstColumn,
            k.index(columns), k.sub(k.index(columns), firstColumn), tiles.rows,
            tiles.columns, [&](Value r) { return rowOf(r); });
}

/// Operands of one instruction's depth, from column \p at of shared memory.
Product::Operands Product::loadOperands(int64_t at) {
  int64_t step = tiles.layout.getK();
  auto type =
      tile::MatrixType::get(step, tiles.columns, operand, tile::MatrixUse::B);
  Value a = emitLoad(k, left, k.index(0), k.index(at), tiles.rows, step,
                     tile::MatrixUse::A);
  Value w = tile::LoadOp::create(b(), type, right, k.index(0), k.index(at),
                                 /*transposed=*/true);
  return {a, w};
}

/// Fetches input and weights for the turn at \p at, or any where there is none
/// left. Integer sums are the same in any order, so neighbouring column tiles
/// begin two turns apart: not all workgroups then ask for the same lines of the
/// input at once.
SmallVector<Value> Product::fetchTurn(Value at) {
  if (accumulate.isInteger()) {
    Value ahead = k.mul(columnTile, 2 * tiles.depth);
    at = arith::RemUIOp::create(b(), k.add(at, ahead), k.index(paddedInner));
  } else {
    at = arith::MinSIOp::create(b(), at, k.index(paddedInner - tiles.depth));
  }
  SmallVector<Value> flights = {fetchInput(at), fetchWeights(at)};
  for (Value flight : flights)
    flight.getDefiningOp()->setAttr(kTakenOnceAttr, b().getUnitAttr());
  return flights;
}

void Product::landTurn(ValueRange flights) {
  landInput(flights[0], k.index(0));
  tile::LandOp::create(b(), flights[1], right, k.index(0), k.index(0));
}

/// Input and weights come through shared memory. What is fetched while a turn
/// is multiplied lands when all have done so: one buffer and two barriers allow
/// turns twice as deep as two buffers would, which is worth more.
Value Product::emitStagedSum() {
  Value zero = k.index(0);
  SmallVector<Value> carried = {emitStart()};
  llvm::append_range(carried, fetchTurn(zero));
  auto loop = scf::ForOp::create(b(), zero, k.index(paddedInner),
                                 k.index(tiles.depth), carried);
  OpBuilder::InsertionGuard guard(b());
  b().setInsertionPointToStart(loop.getBody());
  ValueRange values = loop.getRegionIterArgs();
  tile::BarrierOp::create(b());
  landTurn(values.drop_front());
  tile::BarrierOp::create(b());
  SmallVector<Value> next =
      fetchTurn(k.add(loop.getInductionVar(), tiles.depth));
  Value sum = values[0];
  for (int64_t at = 0; at < tiles.depth; at += tiles.layout.getK()) {
    Operands now = loadOperands(at);
    sum = tile::MmaOp::create(b(), sum, now.a, now.b);
  }
  next.insert(next.begin(), sum);
  scf::YieldOp::create(b(), next);
  return loop.getResult(0);
}

/// A whole tile of sums goes straight to global memory; one that the result's
/// edge cuts, in pieces.
void Product::emitStaged() {
  tile::LayoutAttr layout = tiles.layout;
  left = k.shared(tiles.rows, tiles.depth, operand);
  right = k.shared(tiles.columns, tiles.depth, operand);
  finished = k.shared(layout.getM() * layout.getSubgroupRows(),
                      layout.getN() * layout.getSubgroupColumns(), accumulate);
  Value sum = emitStagedSum();
  Value whole = isWhole();
  if (!whole)
    return emitPieces(sum);
  auto branch = scf::IfOp::create(b(), whole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b());
  b().setInsertionPointToStart(branch.thenBlock());
  Value base = k.add(k.mul(firstRow, columns), firstColumn);
  tile::StoreGlobalOp::create(b(), sum, k.buffer(result), base,
                              k.index(columns));
  b().setInsertionPointToStart(branch.elseBlock());
  emitPieces(sum);
}

/// Whether all of the tile lies in the result; null where its rows are not
/// aligned to 16 bytes, as whole matrices need them.
Value Product::isWhole() {
  if (columns * byteWidth(accumulate) % 16 != 0)
    return {};
  auto within = [&](Value first, int64_t size, Value limit) -> Value {
    return arith::CmpIOp::create(b(), arith::CmpIPredicate::sle,
                                 k.add(first, size), limit);
  };
  Value whole = within(firstRow, tiles.rows, k.pushed(rows));
  if (paddedColumns == columns)
    return whole;
  return arith::AndIOp::create(
      b(), whole, within(firstColumn, tiles.columns, k.index(columns)));
}

/// A block of each subgroup at a time through shared memory, masked.
void Product::emitPieces(Value sum) {
  int64_t down = tiles.layout.getM() * tiles.layout.getSubgroupRows();
  int64_t across = tiles.layout.getN() * tiles.layout.getSubgroupColumns();
  auto type =
      tile::MatrixType::get(down, across, accumulate, tile::MatrixUse::Acc);
  for (int64_t row = 0; row < tiles.rows; row += down)
    for (int64_t column = 0; column < tiles.columns; column += across) {
      Value piece = tile::SliceOp::create(b(), type, sum, row, column);
      tile::StoreOp::create(b(), piece, finished, k.index(0), k.index(0));
      tile::BarrierOp::create(b());
      Value from = k.add(firstColumn, column);
      emitDrain(k, finished, k.index(0), k.buffer(result), from,
                k.index(columns), k.sub(k.index(columns), from), down, across,
                [&](Value r) { return rowOf(k.add(r, row)); });
      tile::BarrierOp::create(b());
    }
}

} // namespace

LogicalResult lowerLinear(ProgramBuilder &p, rnn::LinearOp op) {
  FailureOr<TileSizes> tiles = getTiles(op);
  if (failed(tiles))
    return failure();
  Product product(p, op, *tiles);
  if (failed(product.bind()))
    return failure();
  product.emit();
  return success();
}

} // namespace rung
