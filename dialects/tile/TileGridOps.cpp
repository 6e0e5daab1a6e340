//===- TileGridOps.cpp - workgroups that wait for one another --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace rung::tile;

using RowFunction = function_ref<Value(OpBuilder &, Location, Value)>;

/// Adds the region that computes the global row of a tile's row.
static void addRowRegion(OpBuilder &builder, OperationState &state,
                         RowFunction row) {
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  Value r = body->addArgument(builder.getIndexType(), state.location);
  Value result = row(builder, state.location, r);
  builder.create<YieldOp>(state.location, result);
}

static LogicalResult verifyRowRegion(Operation *op, Region &rows) {
  Type index = IndexType::get(op->getContext());
  if (rows.getNumArguments() != 1 || rows.getArgument(0).getType() != index)
    return op->emitOpError("row region has argument types (")
           << rows.getArgumentTypes() << "), not (index)";
  auto yield = dyn_cast<YieldOp>(rows.front().getTerminator());
  if (!yield || yield.getNumOperands() != 1 ||
      yield.getOperand(0).getType() != index)
    return op->emitOpError("row region does not yield one index");
  return success();
}

//===----------------------------------------------------------------------===//
// PublishOp, AwaitOp
//===----------------------------------------------------------------------===//

void PublishOp::build(OpBuilder &builder, OperationState &state, Value flight,
                      Value memory, Value base, Value pitch, Value columns,
                      Value tag, RowFunction row) {
  state.addOperands({flight, memory, base, pitch, columns, tag});
  addRowRegion(builder, state, row);
}

LogicalResult PublishOp::verify() {
  Type element = getFlight().getType().getElementType();
  if (!element.isInteger(32)) // C1
    return emitOpError("publishes a flight of ") << element << ", not i32";
  return verifyRowRegion(*this, getRows()); // C2
}

LogicalResult AwaitOp::verify() {
  FlightType flight = getFlight().getType();
  if (!flight.getElementType().isInteger(32) || flight.getRows() != 1) // C1
    return emitOpError("gives ") << flight << ", not one row of i32";
  return success();
}

//===----------------------------------------------------------------------===//
// PublishPairsOp, PeekRowsOp, AwaitRowsOp
//===----------------------------------------------------------------------===//

/// The layout of the kernel around an op; null where there is none.
static LayoutAttr layoutAround(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  return kernel ? kernel.getLayout() : LayoutAttr();
}

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

void PublishPairsOp::build(OpBuilder &builder, OperationState &state,
                           Value flight, Value memory, Value base,
                           ValueRange clear, Value pitch, Value columns,
                           RowFunction row) {
  state.addOperands({flight, memory, base});
  state.addOperands(clear);
  state.addOperands({pitch, columns});
  addRowRegion(builder, state, row);
}

LogicalResult PublishPairsOp::verify() {
  FlightType flight = getFlight().getType();
  if (!isHalf(flight.getElementType()) || flight.getWidth() != 2) // C1
    return emitOpError("publishes ")
           << flight << ", not pairs of f16 or of bf16";
  return verifyRowRegion(*this, getRows()); // C2
}

LogicalResult PeekRowsOp::verify() {
  FlightType flight = getFlight().getType();
  if (!isHalf(flight.getElementType()) || flight.getWidth() != 8) // C1
    return emitOpError("gives ")
           << flight << ", not f16 or bf16 by groups of 8";
  LayoutAttr layout = layoutAround(*this);
  int64_t groups = flight.getColumns() / 8;
  if (layout &&
      (!layout.getCooperative() || groups % layout.getSubgroups() != 0 ||
       flight.getRows() * groups % layout.getThreads() != 0)) // C2
    return emitOpError("splits rows of ")
           << groups << " groups of 8 over " << layout.getSubgroups()
           << " subgroups, and " << flight.getRows() << " of them over "
           << layout.getThreads() << " threads";
  return success();
}

LogicalResult AwaitRowsOp::verify() {
  FlightType flight = getSeen().getType();
  MemRefType operand = getOperand().getType();
  if (flight.getElementType() != operand.getElementType() ||
      flight.getRows() > operand.getDimSize(0) ||
      flight.getColumns() > operand.getDimSize(1)) // C1
    return emitOpError("lands ")
           << flight << " in shared memory of " << operand.getDimSize(0) << "x"
           << operand.getDimSize(1) << "x" << operand.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// LiftOp, DeliverOp
//===----------------------------------------------------------------------===//

LogicalResult LiftOp::verify() {
  FlightType flight = getFlight().getType();
  MemRefType memory = getMemory().getType();
  if (memory.getElementType() != flight.getElementType()) // C1
    return emitOpError("memory of ")
           << memory.getElementType() << " gives a flight of "
           << flight.getElementType();
  if (flight.getRows() > memory.getDimSize(0) ||
      flight.getColumns() > memory.getDimSize(1)) // C2
    return emitOpError("flight of ")
           << flight.getRows() << "x" << flight.getColumns()
           << " exceeds shared memory of " << memory.getDimSize(0) << "x"
           << memory.getDimSize(1);
  return success();
}

void DeliverOp::build(OpBuilder &builder, OperationState &state, Value flight,
                      Value memory, Value base, Value pitch, Value columns,
                      RowFunction row) {
  state.addOperands({flight, memory, base, pitch, columns});
  addRowRegion(builder, state, row);
}

LogicalResult DeliverOp::verify() {
  Type flight = getFlight().getType().getElementType();
  Type memory = getMemory().getType().getElementType();
  if (flight != memory) // C1
    return emitOpError("delivers a flight of ")
           << flight << " to memory of " << memory;
  return verifyRowRegion(*this, getRows()); // C2
}

//===----------------------------------------------------------------------===//
// LoadSplitOp, SplitMmaOp
//===----------------------------------------------------------------------===//

LogicalResult LoadSplitOp::verify() {
  MatrixType matrix = getMatrix().getType();
  Type memory = getMemory().getType().getElementType();
  if (memory != matrix.getElementType()) // C1
    return emitOpError("memory of ") << memory << " gives " << matrix;
  LayoutAttr layout = layoutAround(*this);
  if (!layout)
    return success();
  int64_t depth = layout.getK() * layout.getSubgroups();
  if (!layout.getCooperative() || layout.getTransposed() ||
      matrix.getRows() % layout.getM() != 0 ||
      matrix.getColumns() % depth != 0) // C2
    return emitOpError("splits ")
           << matrix << "; rows must be a multiple of " << layout.getM()
           << ", columns one of " << depth
           << ", and the layout cooperative and not transposed";
  return success();
}

LogicalResult SplitMmaOp::verify() {
  MemRefType operand = getOperand().getType(), sums = getSums().getType();
  auto type = cast<MatrixType>(getWeights().front().getType());
  for (Value weight : getWeights())
    if (weight.getType() != type ||
        type.getElementType() != operand.getElementType()) // C1
      return emitOpError("multiplies ")
             << weight.getType() << " beside " << type << " by an operand of "
             << operand.getElementType();
  LayoutAttr layout = layoutAround(*this);
  int64_t columns = !layout || getBroadcast() ? 1 : layout.getN();
  if (operand.getDimSize(0) < columns ||
      operand.getDimSize(1) < type.getColumns()) // C2
    return emitOpError("needs an operand of ")
           << columns << "x" << type.getColumns() << " and has one of "
           << operand.getDimSize(0) << "x" << operand.getDimSize(1);
  Type sum = sums.getElementType();
  bool isFloat = isa<FloatType>(type.getElementType());
  bool fits = isFloat ? sum.isF32() || sum.isF16() : sum.isInteger(32);
  int64_t parts = layout ? layout.getSubgroups() : 1;
  int64_t rows = (int64_t(getFirst()) + int64_t(getWeights().size())) * parts *
                 (layout ? layout.getN() : 1);
  if (!fits || sums.getDimSize(0) < rows ||
      sums.getDimSize(1) < type.getRows()) // C3
    return emitOpError("stores ") << rows << " rows of sums into " << sums;
  for (MemRefType memory : {operand, sums}) { // C4
    int64_t bytes = memory.getDimSize(1) *
                    memory.getElementType().getIntOrFloatBitWidth() / 8;
    if (bytes % 16 != 0)
      return emitOpError("has memory with rows ")
             << bytes << " bytes apart, which is no multiple of 16";
  }
  return success();
}
