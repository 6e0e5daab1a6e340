//===- EmitTiles.cpp - short ways to emit tiles ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/EmitTiles.h"

#include "dialects/tile/TileWidths.h"

#include <numeric>

using namespace mlir;

namespace rung {

std::function<Value(OpBuilder &, Location, Value)> atBuilder(KernelBuilder &k,
                                                             RowOf rowOf) {
  return [&k, rowOf](OpBuilder &b, Location, Value row) {
    k.b().setInsertionPoint(b.getInsertionBlock(), b.getInsertionPoint());
    Value result = rowOf(row);
    b.setInsertionPoint(k.b().getInsertionBlock(), k.b().getInsertionPoint());
    return result;
  };
}

/// What all starts and ends of groups of neighbours are multiples of.
static int64_t commonDivisor(Value base, Value pitch, Value limit,
                             int64_t columns) {
  for (Value value : {base, pitch, limit})
    columns = std::gcd(columns, tile::knownDivisor(value));
  return columns;
}

Value emitFetch(KernelBuilder &k, Value memory, Value base, Value pitch,
                Value limit, int64_t rows, int64_t columns, RowOf rowOf,
                Type lands) {
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  int64_t width = tile::widestWidth(element, lands ? lands : element,
                                    commonDivisor(base, pitch, limit, columns));
  width = std::min(width, k.movesAtMost());
  auto type = tile::FlightType::get(rows, columns, element, width);
  OpBuilder::InsertionGuard guard(k.b());
  return tile::FetchOp::create(k.b(), type, memory, base, pitch, limit,
                               [&](OpBuilder &b, Location, Value row) {
                                 k.b().setInsertionPoint(b.getInsertionBlock(),
                                                         b.getInsertionPoint());
                                 Value result = rowOf(row);
                                 b.setInsertionPoint(k.b().getInsertionBlock(),
                                                     k.b().getInsertionPoint());
                                 return result;
                               });
}

Value emitConvertFlight(KernelBuilder &k, Value flight, Type element) {
  auto from = cast<tile::FlightType>(flight.getType());
  if (from.getElementType() == element)
    return flight;
  auto to = tile::FlightType::get(from.getRows(), from.getColumns(), element,
                                  from.getWidth());
  auto map = tile::MapOp::create(
      k.b(), TypeRange{to}, ValueRange{flight},
      [&](OpBuilder &b, Location loc, ValueRange values) {
        bool wider = element.getIntOrFloatBitWidth() >
                     from.getElementType().getIntOrFloatBitWidth();
        Value value = values[0];
        if (isa<FloatType>(element))
          value =
              wider ? arith::ExtFOp::create(b, loc, element, value).getResult()
                    : arith::TruncFOp::create(b, loc, element, value);
        else
          value =
              wider ? arith::ExtSIOp::create(b, loc, element, value).getResult()
                    : arith::TruncIOp::create(b, loc, element, value);
        return SmallVector<Value>{value};
      });
  return map.getResult(0);
}

Value emitLoad(KernelBuilder &k, Value shared, Value row, Value column,
               int64_t rows, int64_t columns, tile::MatrixUse use) {
  Type element = cast<MemRefType>(shared.getType()).getElementType();
  return tile::LoadOp::create(
      k.b(), tile::MatrixType::get(rows, columns, element, use), shared, row,
      column);
}

Value emitLoadPacked(KernelBuilder &k, Value memory, Value base, int64_t pitch,
                     int64_t depth, int64_t columns) {
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  return tile::LoadPackedOp::create(
      k.b(), tile::MatrixType::get(depth, columns, element, tile::MatrixUse::B),
      memory, base, k.index(pitch), /*transposed=*/true);
}

void emitStoreAs(KernelBuilder &k, Value matrix, Value shared, Value at) {
  auto from = cast<tile::MatrixType>(matrix.getType());
  Type element = cast<MemRefType>(shared.getType()).getElementType();
  if (element != from.getElementType())
    matrix = tile::ConvertOp::create(
        k.b(),
        tile::MatrixType::get(from.getRows(), from.getColumns(), element,
                              tile::MatrixUse::Acc),
        matrix);
  tile::StoreOp::create(k.b(), matrix, shared, at, k.index(0));
}

Value emitZero(KernelBuilder &k, tile::MatrixType type) {
  Value zero = arith::ConstantOp::create(
      k.b(), k.b().getZeroAttr(type.getElementType()));
  return tile::FillOp::create(k.b(), type, zero);
}

Value emitAdd(KernelBuilder &k, Value a, Value b) {
  auto map =
      tile::MapOp::create(k.b(), TypeRange{a.getType()}, ValueRange{a, b},
                          [&](OpBuilder &builder, Location loc, ValueRange e) {
                            Value sum =
                                arith::AddFOp::create(builder, loc, e[0], e[1]);
                            return SmallVector<Value>{sum};
                          });
  return map.getResult(0);
}

void emitConvertShared(KernelBuilder &k, Value source, Value sourceRow,
                       Value target, Value targetRow, int64_t rows,
                       int64_t columns) {
  auto elementOf = [](Value memory) {
    return cast<MemRefType>(memory.getType()).getElementType();
  };
  tile::ConvertSharedOp::create(
      k.b(), source, sourceRow, k.index(0), target, targetRow, k.index(0),
      {rows, columns},
      tile::widestWidth(elementOf(source), elementOf(target), columns));
}

void emitDrain(KernelBuilder &k, Value shared, Value row, Value memory,
               Value base, Value pitch, Value limit, int64_t rows,
               int64_t columns, RowOf rowOf) {
  emitDrainOrZero(k, shared, row, memory, base, pitch, limit, rows, columns,
                  [&](Value r) -> std::pair<Value, Value> {
                    Value result = rowOf(r);
                    Value keep = arith::ConstantOp::create(
                        k.b(), k.b().getBoolAttr(true));
                    return {result, keep};
                  });
}

void emitDrainOrZero(KernelBuilder &k, Value shared, Value row, Value memory,
                     Value base, Value pitch, Value limit, int64_t rows,
                     int64_t columns, RowAndKeepOf rowOf) {
  OpBuilder::InsertionGuard guard(k.b());
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  int64_t width = tile::widestWidth(element, element,
                                    commonDivisor(base, pitch, limit, columns));
  tile::DrainOp::create(
      k.b(), shared, row, k.index(0), memory, base, pitch, limit,
      {rows, columns}, width, [&](OpBuilder &b, Location, Value r) {
        k.b().setInsertionPoint(b.getInsertionBlock(), b.getInsertionPoint());
        auto result = rowOf(r);
        b.setInsertionPoint(k.b().getInsertionBlock(),
                            k.b().getInsertionPoint());
        return result;
      });
}

} // namespace rung
