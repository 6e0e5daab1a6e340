//===- Cell.cpp - a recurrence's body on the tiles of a kernel ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Cell.h"

#include "passes/lowering/ScalarBody.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace rung {

namespace {

/// A target whose last operation narrows the carrier: the map yields what is
/// narrowed, and that is done to the matrix as a whole behind it.
Value beforeLastRounding(const CellPlan &plan, Value target) {
  Operation *op = target.getDefiningOp();
  if (!op || !isa<arith::TruncFOp, arith::TruncIOp>(op))
    return target;
  Value wide = op->getOperand(0);
  return getElementTypeOrSelf(wide) == plan.carrier ? wide : target;
}

/// Leaves are held in the carrier; the body may want the narrower float that
/// they really have.
Value toBodyFormat(ImplicitLocOpBuilder &b, Value element, Value bodyValue) {
  Type type = getElementTypeOrSelf(bodyValue);
  return type == element.getType() ? element
                                   : arith::TruncFOp::create(b, type, element);
}

Value toCarrier(ImplicitLocOpBuilder &b, Value element, Type carrier) {
  if (element.getType() == carrier)
    return element;
  if (isa<FloatType>(carrier))
    return arith::ExtFOp::create(b, carrier, element);
  return arith::ExtSIOp::create(b, carrier, element);
}

/// A coordinate, held in an element of the carrier, as an integer.
Value toInteger(ImplicitLocOpBuilder &b, Value element) {
  if (!isa<FloatType>(element.getType()))
    return element;
  return arith::FPToSIOp::create(b, b.getI32Type(), element);
}

/// Place and random state of the element whose coordinates in its tile are
/// \p row and \p column.
void describeElement(ImplicitLocOpBuilder &b, const CellContext &context,
                     Value row, Value column, ElementContext &element) {
  auto asI32 = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, b.getI32Type(), index);
  };
  row = toInteger(b, row);
  Value state = arith::IndexCastOp::create(b, b.getIndexType(), row);
  auto word = [&](int64_t i) -> Value {
    Value position = arith::ConstantOp::create(b, b.getIndexAttr(i));
    return memref::LoadOp::create(b, context.states,
                                  ValueRange{state, position});
  };
  element.step = arith::AddIOp::create(b, word(0), asI32(context.iteration));
  element.seedLow = word(1);
  element.seedHigh = word(2);
  element.row = arith::AddIOp::create(b, asI32(context.firstRow), row);
  element.column = arith::AddIOp::create(b, asI32(context.firstColumn),
                                         toInteger(b, column));
}

/// Entry \p index, of type index, of one of the tables in \p tables.
Value loadEntry(ImplicitLocOpBuilder &b, const CellPlan &plan, Value tables,
                Value table, Value index) {
  Value first =
      arith::ConstantOp::create(b, b.getIndexAttr(plan.tableOffset(table)));
  Value entry = arith::AddIOp::create(b, index, first);
  return memref::LoadOp::create(b, tables, entry);
}

/// The region of a map: \p wanted of one element, \p elements being those of
/// \p leaves and, where the body draws, the element's coordinates.
SmallVector<Value> emitElement(ImplicitLocOpBuilder &b, const CellPlan &plan,
                               ArrayRef<Value> leaves, ValueRange elements,
                               ArrayRef<Value> wanted,
                               const CellContext &context) {
  IRMapping scalars;
  for (auto [leaf, element] : llvm::zip(leaves, elements))
    scalars.map(leaf, toBodyFormat(b, element, leaf));
  auto loadTable = [&](Value table, Value index) {
    return loadEntry(b, plan, context.tables, table, index);
  };
  ElementContext element;
  element.loadTable = loadTable;
  if (elements.size() > leaves.size())
    describeElement(b, context, elements[leaves.size()],
                    elements[leaves.size() + 1], element);
  for (Operation *op : plan.operationsOf(wanted))
    emitScalar(b, *op, scalars, element);
  SmallVector<Value> yields;
  for (Value value : wanted)
    yields.push_back(toCarrier(b, scalars.lookup(value), plan.carrier));
  return yields;
}

} // namespace

SmallVector<Value> emitPointwise(KernelBuilder &k, const CellPlan &plan,
                                 const CellValues &values,
                                 ArrayRef<Value> targets,
                                 const CellContext &context) {
  SmallVector<Value> wanted, computed, matrices;
  for (Value target : targets)
    wanted.push_back(beforeLastRounding(plan, target));
  SmallVector<Value> leaves = plan.leavesOf(wanted).takeVector();
  if (leaves.empty()) // Constants alone: any matrix gives the shape.
    leaves.push_back(values.begin()->first);
  for (Value value : wanted)
    if (!values.contains(value) && !llvm::is_contained(computed, value))
      computed.push_back(value);

  llvm::DenseMap<Value, Value> done;
  if (!computed.empty()) {
    for (Value leaf : leaves)
      matrices.push_back(values.lookup(leaf));
    SmallVector<Type> types(computed.size(), matrices.front().getType());
    if (plan.draws(computed))
      matrices.append({context.rows, context.columns});
    auto map = tile::MapOp::create(
        k.b(), types, matrices,
        [&](OpBuilder &builder, Location loc, ValueRange elements) {
          ImplicitLocOpBuilder b(loc, builder);
          SmallVector<Value> yields =
              emitElement(b, plan, leaves, elements, computed, context);
          builder.setInsertionPoint(b.getInsertionBlock(),
                                    b.getInsertionPoint());
          return yields;
        });
    for (auto [value, result] : llvm::zip(computed, map.getResults()))
      done[value] = result;
  }
  SmallVector<Value> results;
  for (Value value : wanted)
    results.push_back(done.contains(value) ? done.lookup(value)
                                           : values.lookup(value));
  return results;
}

Value emitSelect(KernelBuilder &k, Value condition, Value yes, Value no) {
  auto map = tile::MapOp::create(
      k.b(), TypeRange{yes.getType()}, ValueRange{condition, yes, no},
      [&](OpBuilder &builder, Location loc, ValueRange e) {
        ImplicitLocOpBuilder b(loc, builder);
        Type type = e[0].getType();
        Value chosen;
        if (isa<FloatType>(type)) {
          Value half = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.5));
          chosen =
              arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, e[0], half);
        } else {
          Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
          chosen =
              arith::CmpIOp::create(b, arith::CmpIPredicate::ne, e[0], zero);
        }
        Value result = arith::SelectOp::create(b, chosen, e[1], e[2]);
        return SmallVector<Value>{result};
      });
  return map.getResult(0);
}

} // namespace rung
