//===- Product.cpp - all rows times a weight, in tiles --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One workgroup computes rows x columns of the result. Rows of the input come
// through shared memory, `depth` columns at a time, two buffers in turn: while
// one is multiplied the next is on its way, and one barrier a turn suffices.
// Weights are packed as [columns][inner], padded by zeros.
//
//===----------------------------------------------------------------------===//

#include "passes/lowering/EmitTiles.h"
#include "passes/lowering/KernelBuilder.h"
#include "passes/lowering/Kernels.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using rung::tiling::roundUp;

namespace rung {

namespace {

/// The activation behind a cast: the product rounds it on its way in.
Value seeThroughCast(Value value) {
  auto cast = value.getDefiningOp<rnn::CastOp>();
  return cast ? cast.getInput() : value;
}

struct Product {
  ProgramBuilder &p;
  rnn::LinearOp op;
  TileSizes tiles;
  KernelBuilder k;
  Type operand, accumulate;
  int64_t inner, columns, paddedInner, paddedColumns;
  unsigned input, weight, bias = 0, result, rows;

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
    input =
        k.bind(p.bufferOf(seeThroughCast(op.getInput())), tile::Access::Read);
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
    auto &b = k.b();
    Value firstRow = k.mul(k.block(gpu::Dimension::x), tiles.rows);
    Value firstColumn = k.mul(k.block(gpu::Dimension::y), tiles.columns);
    auto staged = k.shared(2 * tiles.rows, tiles.depth, operand);
    auto finished = k.shared(tiles.rows, tiles.columns, accumulate);
    auto rowOf = [&](Value r) {
      return k.rowBelow(k.add(firstRow, r), k.pushed(rows));
    };
    Value sum = emitSum(staged, firstColumn, rowOf);
    tile::StoreOp::create(b, sum, finished, k.index(0), k.index(0));
    tile::BarrierOp::create(b);
    emitDrain(k, finished, k.index(0), k.buffer(result), firstColumn,
              k.index(columns), k.sub(k.index(columns), firstColumn),
              tiles.rows, tiles.columns, rowOf);
    auto *context = b.getContext();
    k.dispatch({tile::ExtentAttr::get(context,
                                      ProgramBuilder::rowSymbol(op.getResult()),
                                      tiles.rows, 1),
                tile::ExtentAttr::get(context, paddedColumns / tiles.columns),
                tile::ExtentAttr::get(context, int64_t(1))});
  }

  /// Bias and product over the whole depth. While one tile of the input is
  /// multiplied, the next is fetched, and \p staged holds both.
  Value emitSum(Value staged, Value firstColumn, RowOf rowOf) {
    auto &b = k.b();
    auto accType = tile::MatrixType::get(tiles.rows, tiles.columns, accumulate,
                                         tile::MatrixUse::Acc);
    Value sum = op.getBias() ? tile::BroadcastRowOp::create(
                                   b, accType, k.buffer(bias), firstColumn)
                                   .getResult()
                             : emitZero(k, accType);
    Value source = k.buffer(input);
    auto fetch = [&](Value at) -> Value {
      Value left = k.maximum(k.sub(k.index(inner), at), k.index(0));
      return emitFetch(k, source, at, k.index(inner), left, tiles.rows,
                       tiles.depth, rowOf, operand);
    };
    Value first = fetch(k.index(0));
    auto loop =
        scf::ForOp::create(b, k.index(0), k.index(paddedInner),
                           k.index(tiles.depth), ValueRange{sum, first});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value at = loop.getInductionVar();
    Value turn = arith::RemUIOp::create(
        b, arith::DivUIOp::create(b, at, k.index(tiles.depth)), k.index(2));
    Value row = k.mul(turn, tiles.rows);
    Value rounded = emitConvertFlight(k, loop.getRegionIterArg(1), operand);
    tile::LandOp::create(b, rounded, staged, row, k.index(0));
    tile::BarrierOp::create(b);
    Value next = fetch(k.add(at, tiles.depth));
    Value a = emitLoad(k, staged, row, k.index(0), tiles.rows, tiles.depth,
                       tile::MatrixUse::A);
    Value base = k.add(k.mul(firstColumn, paddedInner), at);
    Value w = emitLoadPacked(k, k.buffer(weight), base, paddedInner,
                             tiles.depth, tiles.columns);
    Value nextSum = tile::MmaOp::create(b, loop.getRegionIterArg(0), a, w);
    scf::YieldOp::create(b, ValueRange{nextSum, next});
    return loop.getResult(0);
  }
};

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
