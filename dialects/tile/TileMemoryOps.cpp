//===- TileMemoryOps.cpp - flights and shared memory -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileOps.h"
#include "dialects/tile/TileWidths.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace rung::tile;

/// Checks a region that computes something of a tile row: one index argument,
/// and results of the given types.
static LogicalResult verifyRows(Operation *op, Region &rows,
                                ArrayRef<Type> results) {
  Type index = IndexType::get(op->getContext());
  if (rows.getNumArguments() != 1 || rows.getArgument(0).getType() != index)
    return op->emitOpError("row region has argument types (")
           << rows.getArgumentTypes() << "), not (index)";
  auto yield = dyn_cast<YieldOp>(rows.front().getTerminator());
  if (!yield)
    return op->emitOpError("row region does not end in tile.yield");
  if (!llvm::equal(yield.getOperandTypes(), results))
    return op->emitOpError("row region yields (")
           << yield.getOperandTypes() << "), not (" << TypeRange(results)
           << ")";
  return success();
}

static LogicalResult verifySize(Operation *op, ArrayRef<int64_t> size,
                                MemRefType memory) {
  if (size.size() != 2 || size[0] <= 0 || size[1] <= 0)
    return op->emitOpError("size [") << size << "] is not two positive extents";
  if (size[0] > memory.getDimSize(0) || size[1] > memory.getDimSize(1))
    return op->emitOpError("size [")
           << size << "] exceeds shared memory of " << memory.getDimSize(0)
           << "x" << memory.getDimSize(1);
  return success();
}

static LogicalResult verifyWidth(Operation *op, int64_t width, Type element,
                                 ArrayRef<int64_t> size) {
  if (width < 1 || !isWidth(width, element))
    return op->emitOpError("width ")
           << width << " of " << element
           << " makes no accesses of 4, 8 or 16 bytes";
  if (size[1] % width != 0)
    return op->emitOpError("width ")
           << width << " does not divide " << size[1] << " columns";
  return success();
}

/// Checks that groups of `width` elements begin at multiples of it, and are
/// masked as a whole.
static LogicalResult verifyMultiples(Operation *op, int64_t width, Value base,
                                     Value pitch, Value columns) {
  std::pair<StringRef, Value> operands[] = {
      {"base", base}, {"pitch", pitch}, {"columns", columns}};
  for (auto [name, value] : operands)
    if (int64_t divisor = knownDivisor(value); divisor % width != 0)
      return op->emitOpError("moves ")
             << width << " elements at once; of its " << name
             << " only the divisor " << divisor << " is known";
  return success();
}

//===----------------------------------------------------------------------===//
// FetchOp
//===----------------------------------------------------------------------===//

void FetchOp::build(OpBuilder &builder, OperationState &state,
                    FlightType flight, Value memory, Value base, Value pitch,
                    Value columns,
                    function_ref<Value(OpBuilder &, Location, Value)> row) {
  state.addOperands({memory, base, pitch, columns});
  state.addTypes(flight);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  Value r = body->addArgument(builder.getIndexType(), state.location);
  Value result = row(builder, state.location, r);
  builder.create<YieldOp>(state.location, result);
}

LogicalResult FetchOp::verify() {
  Type memory = getMemory().getType().getElementType();
  Type flight = getFlight().getType().getElementType();
  if (memory != flight) // C1
    return emitOpError("memory of ")
           << memory << " gives a flight of " << flight;
  if (failed(verifyRows(*this, getRows(), // C2
                        {IndexType::get(getContext())})))
    return failure();
  return verifyMultiples(*this, getFlight().getType().getWidth(), // C3
                         getBase(), getPitch(), getColumns());
}

//===----------------------------------------------------------------------===//
// LandOp
//===----------------------------------------------------------------------===//

LogicalResult LandOp::verify() {
  FlightType flight = getFlight().getType();
  MemRefType memory = getMemory().getType();
  if (memory.getElementType() != flight.getElementType()) // C1
    return emitOpError("flight of ")
           << flight.getElementType() << " lands in memory of "
           << memory.getElementType();
  if (flight.getRows() > memory.getDimSize(0) ||
      flight.getColumns() > memory.getDimSize(1)) // C2
    return emitOpError("flight of ")
           << flight.getRows() << "x" << flight.getColumns()
           << " exceeds shared memory of " << memory.getDimSize(0) << "x"
           << memory.getDimSize(1);
  return success();
}

//===----------------------------------------------------------------------===//
// DrainOp
//===----------------------------------------------------------------------===//

void DrainOp::build(
    OpBuilder &builder, OperationState &state, Value shared, Value row,
    Value column, Value memory, Value base, Value pitch, Value columns,
    ArrayRef<int64_t> size, int64_t width,
    function_ref<std::pair<Value, Value>(OpBuilder &, Location, Value)>
        rowAndKeep) {
  state.addOperands({shared, row, column, memory, base, pitch, columns});
  state.addAttribute(getSizeAttrName(state.name),
                     builder.getDenseI64ArrayAttr(size));
  state.addAttribute(getWidthAttrName(state.name),
                     builder.getI64IntegerAttr(width));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  Value r = body->addArgument(builder.getIndexType(), state.location);
  auto [target, keep] = rowAndKeep(builder, state.location, r);
  builder.create<YieldOp>(state.location, ValueRange{target, keep});
}

LogicalResult DrainOp::verify() {
  Type shared = getShared().getType().getElementType();
  Type memory = getMemory().getType().getElementType();
  if (shared != memory) // C1
    return emitOpError("shared memory of ")
           << shared << " drains to memory of " << memory;
  if (failed(verifySize(*this, getSize(), getShared().getType()))) // C3
    return failure();
  if (failed(verifyRows(
          *this, getRows(), // C2
          {IndexType::get(getContext()), IntegerType::get(getContext(), 1)})))
    return failure();
  if (failed(verifyWidth(*this, getWidth(), memory, getSize()))) // C4
    return failure();
  return verifyMultiples(*this, getWidth(), getBase(), getPitch(), // C5
                         getColumns());
}

//===----------------------------------------------------------------------===//
// ConvertSharedOp
//===----------------------------------------------------------------------===//

LogicalResult ConvertSharedOp::verify() {
  for (MemRefType type : {getSource().getType(), getTarget().getType()})
    if (failed(verifySize(*this, getSize(), type))) // C1
      return failure();
  Type from = getSource().getType().getElementType();
  Type to = getTarget().getType().getElementType();
  auto isInteger = [](Type type) {
    return type.isInteger(32) || type.isInteger(8);
  };
  if (!(isa<FloatType>(from) && isa<FloatType>(to)) &&
      !(isInteger(from) && isInteger(to))) // C2
    return emitOpError("converts ")
           << from << " to " << to
           << "; it converts floats to floats, and between i32 and i8";
  for (Type element : {from, to})
    if (failed(verifyWidth(*this, getWidth(), element, getSize()))) // C3
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// ReadOp, WriteOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyNeighbours(Operation *op, TypeRange values,
                                      MemRefType memory, Value index) {
  Type element = memory.getElementType();
  int64_t width = values.size();
  if (width < 1 || !isWidth(width, element)) // C1
    return op->emitOpError("width ")
           << width << " of " << element
           << " makes no accesses of 4, 8 or 16 bytes";
  for (Type type : values)
    if (type != element) // C1
      return op->emitOpError("moves ") << type << " in memory of " << element;
  if (int64_t divisor = knownDivisor(index); divisor % width != 0) // C2
    return op->emitOpError("moves ")
           << width << " elements at once; of its index only the divisor "
           << divisor << " is known";
  return success();
}

LogicalResult ReadOp::verify() {
  return verifyNeighbours(*this, getResultTypes(), getMemory().getType(),
                          getIndex());
}

LogicalResult WriteOp::verify() {
  return verifyNeighbours(*this, getValues().getTypes(), getMemory().getType(),
                          getIndex());
}
