//===- TileMatrixOps.cpp - matrices of a workgroup -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace rung::tile;

/// The layout of the kernel around an op; null outside of one.
static LayoutAttr layoutOf(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  return kernel ? kernel.getLayout() : LayoutAttr();
}

/// Checks that a matrix splits into its layout's blocks and subgroups.
static LogicalResult verifyFits(Operation *op, MatrixType type) {
  LayoutAttr layout = layoutOf(op);
  if (!layout)
    return success();
  bool left = type.getUse() == MatrixUse::A;
  bool right = type.getUse() == MatrixUse::B;
  int64_t rows = right ? layout.getK() : layout.getM();
  int64_t columns = left ? layout.getK() : layout.getN();
  if (type.getRows() % rows != 0 || type.getColumns() % columns != 0)
    return op->emitOpError("matrix of ")
           << type.getRows() << "x" << type.getColumns()
           << " does not split into blocks of " << rows << "x" << columns;
  int64_t across = layout.getSubgroupColumns(), down = layout.getSubgroupRows();
  if (!left && (type.getColumns() / columns) % across != 0)
    return op->emitOpError("matrix of ")
           << type.getRows() << "x" << type.getColumns() << " has "
           << type.getColumns() / columns << " column blocks; " << across
           << " subgroups do not divide them";
  if (!right && (type.getRows() / rows) % down != 0)
    return op->emitOpError("matrix of ")
           << type.getRows() << "x" << type.getColumns() << " has "
           << type.getRows() / rows << " row blocks; " << down
           << " rows of subgroups do not divide them";
  return success();
}

static LogicalResult verifyElements(Operation *op, Type memory, Type matrix) {
  if (memory == matrix)
    return success();
  return op->emitOpError("memory of ")
         << memory << " does not match matrix of " << matrix;
}

/// Checks size, pitch and element type of shared memory against a matrix.
static LogicalResult verifyShared(Operation *op, MemRefType memory,
                                  MatrixType matrix, bool transposed = false) {
  if (failed(verifyElements(op, memory.getElementType(),
                            matrix.getElementType()))) // C1
    return failure();
  if (matrix.getRows() > memory.getDimSize(transposed ? 1 : 0) ||
      matrix.getColumns() > memory.getDimSize(transposed ? 0 : 1)) // C2
    return op->emitOpError("matrix of ")
           << matrix.getRows() << "x" << matrix.getColumns()
           << " exceeds shared memory of " << memory.getDimSize(0) << "x"
           << memory.getDimSize(1);
  int64_t pitch =
      memory.getDimSize(1) * memory.getElementTypeBitWidth() / 8; // C3
  LayoutAttr layout = layoutOf(op);
  if (layout && layout.getCooperative() && pitch % 16 != 0)
    return op->emitOpError("row pitch of ")
           << pitch << " bytes is not a multiple of 16, which cooperative "
           << "matrices need";
  return success();
}

LogicalResult LoadOp::verify() {
  MatrixType matrix = getMatrix().getType();
  if (getTransposed() && matrix.getUse() != MatrixUse::B) // C5
    return emitOpError("transposes ")
           << matrix << ", which is no right operand";
  if (failed(verifyShared(*this, getMemory().getType(), matrix,
                          getTransposed()))) // C1 C2 C3
    return failure();
  return verifyFits(*this, matrix); // C4
}

LogicalResult LoadPackedOp::verify() {
  MatrixType matrix = getMatrix().getType();
  if (failed(verifyElements(*this, getMemory().getType().getElementType(),
                            matrix.getElementType()))) // C1
    return failure();
  return verifyFits(*this, matrix); // C2
}

LogicalResult BroadcastRowOp::verify() {
  MatrixType matrix = getMatrix().getType();
  if (failed(verifyElements(*this, getMemory().getType().getElementType(),
                            matrix.getElementType()))) // C1
    return failure();
  return verifyFits(*this, matrix); // C2
}

LogicalResult BroadcastColumnOp::verify() {
  MatrixType matrix = getMatrix().getType();
  MemRefType memory = getMemory().getType();
  if (failed(verifyElements(*this, memory.getElementType(),
                            matrix.getElementType()))) // C1
    return failure();
  if (memory.getDimSize(1) < matrix.getRows()) // C3
    return emitOpError("memory row of ")
           << memory.getDimSize(1) << " values is too short for a matrix of "
           << matrix.getRows() << " rows";
  return verifyFits(*this, matrix); // C2
}

LogicalResult StoreOp::verify() {
  return verifyShared(*this, getMemory().getType(),
                      getMatrix().getType()); // C1 C2 C3
}

LogicalResult StoreGlobalOp::verify() {
  return verifyElements(*this, getMemory().getType().getElementType(),
                        getMatrix().getType().getElementType()); // C1
}

LogicalResult SliceOp::verify() {
  MatrixType from = getSource().getType(), part = getResult().getType();
  int64_t row = getRow(), column = getColumn();
  if (from.getElementType() != part.getElementType() || row < 0 || column < 0 ||
      row + part.getRows() > from.getRows() ||
      column + part.getColumns() > from.getColumns()) // C1
    return emitOpError("part ") << part << " at [" << row << ", " << column
                                << "] does not lie in " << from;
  LayoutAttr layout = layoutOf(*this);
  if (!layout)
    return success();
  int64_t down = layout.getM() * layout.getSubgroupRows();
  int64_t across = layout.getN() * layout.getSubgroupColumns();
  if (row % down != 0 || part.getRows() % down != 0 || column % across != 0 ||
      part.getColumns() % across != 0) // C2
    return emitOpError("part ")
           << part << " at [" << row << ", " << column << "] is not made of "
           << down << "x" << across << ", a block for each subgroup";
  return success();
}

LogicalResult FillOp::verify() {
  Type element = getMatrix().getType().getElementType();
  if (getScalar().getType() != element) // C1
    return emitOpError("scalar of ")
           << getScalar().getType() << " fills a matrix of " << element;
  return verifyFits(*this, getMatrix().getType()); // C2
}

//===----------------------------------------------------------------------===//
// MmaOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyProductTypes(MmaOp op) {
  Type a = op.getA().getType().getElementType();
  Type b = op.getB().getType().getElementType();
  Type acc = op.getAccumulator().getType().getElementType();
  if (a != b) // C2
    return op.emitOpError("left operand of ")
           << a << " and right operand of " << b << " differ";
  bool fits = isa<FloatType>(a) ? acc.isF32() || acc.isF16()
                                : a.isInteger(8) && acc.isInteger(32);
  if (!fits) // C3
    return op.emitOpError("operands of ")
           << a << " do not accumulate in " << acc;
  return success();
}

LogicalResult MmaOp::verify() {
  MatrixType acc = getAccumulator().getType();
  MatrixType a = getA().getType(), b = getB().getType();
  if (a.getRows() != acc.getRows() || b.getColumns() != acc.getColumns() ||
      a.getColumns() != b.getRows()) // C1
    return emitOpError("product of ")
           << a.getRows() << "x" << a.getColumns() << " and " << b.getRows()
           << "x" << b.getColumns() << " does not add to " << acc.getRows()
           << "x" << acc.getColumns();
  if (failed(verifyProductTypes(*this))) // C2 C3
    return failure();
  LayoutAttr layout = layoutOf(*this);
  if (layout && !layout.getCooperative() &&
      (!getA().getDefiningOp<LoadOp>() ||
       !getB().getDefiningOp<LoadPackedOp>())) // C4
    return emitOpError("operands of a plain product are not results of "
                       "tile.load and tile.load_packed");
  return success();
}

//===----------------------------------------------------------------------===//
// ConvertOp
//===----------------------------------------------------------------------===//

LogicalResult ConvertOp::verify() {
  MatrixType from = getSource().getType(), to = getResult().getType();
  if (from.getRows() != to.getRows() || from.getColumns() != to.getColumns())
    return emitOpError("converts ") // C1
           << from.getRows() << "x" << from.getColumns() << " to "
           << to.getRows() << "x" << to.getColumns();
  Type a = from.getElementType(), b = to.getElementType();
  bool floats = (a.isF32() && b.isF16()) || (a.isF16() && b.isF32());
  if (!floats && !(a.isInteger(32) && b.isF32())) // C2
    return emitOpError("converts ")
           << a << " to " << b
           << "; only f32 and f16, or i32 to f32, are possible";
  return success();
}

//===----------------------------------------------------------------------===//
// MapOp
//===----------------------------------------------------------------------===//

void MapOp::build(
    OpBuilder &builder, OperationState &state, TypeRange results,
    ValueRange operands,
    function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)> body) {
  state.addOperands(operands);
  state.addTypes(results);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(state.addRegion());
  for (Value operand : operands) {
    Type type = operand.getType();
    auto matrix = dyn_cast<MatrixType>(type);
    block->addArgument(matrix ? matrix.getElementType()
                              : cast<FlightType>(type).getElementType(),
                       state.location);
  }
  SmallVector<Value> values =
      body(builder, state.location, block->getArguments());
  builder.create<YieldOp>(state.location, values);
}

static Type elementOf(Type type) {
  if (auto matrix = dyn_cast<MatrixType>(type))
    return matrix.getElementType();
  return cast<FlightType>(type).getElementType();
}

/// Rows, columns, and the neighbours that are moved at once.
static std::array<int64_t, 3> shapeOf(Type type) {
  if (auto matrix = dyn_cast<MatrixType>(type))
    return {matrix.getRows(), matrix.getColumns(), 1};
  auto flight = cast<FlightType>(type);
  return {flight.getRows(), flight.getColumns(), flight.getWidth()};
}

LogicalResult MapOp::verify() {
  if (getOperands().empty()) // C1
    return emitOpError("has no operand");
  Type first = getOperands().front().getType();
  bool matrices = isa<MatrixType>(first);
  SmallVector<Type> types(getOperandTypes());
  llvm::append_range(types, getResultTypes());
  for (Type type : types) { // C1
    if (isa<MatrixType>(type) != matrices || shapeOf(type) != shapeOf(first))
      return emitOpError("mixes ") << first << " and " << type;
    if (matrices && elementOf(type) != elementOf(first))
      return emitOpError("mixes element types ")
             << elementOf(first) << " and " << elementOf(type)
             << ", whose elements need not lie alike";
  }
  SmallVector<Type> arguments, results;
  for (Type type : getOperandTypes())
    arguments.push_back(elementOf(type));
  for (Type type : getResultTypes())
    results.push_back(elementOf(type));
  if (!llvm::equal(getBody().getArgumentTypes(), arguments)) // C2
    return emitOpError("region has argument types (")
           << getBody().getArgumentTypes() << "), not (" << TypeRange(arguments)
           << ")";
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError("region does not end in tile.yield");
  if (!llvm::equal(yield.getOperandTypes(), results)) // C3
    return emitOpError("region yields (")
           << yield.getOperandTypes() << "), not (" << TypeRange(results)
           << ")";
  return success();
}
