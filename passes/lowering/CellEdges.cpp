//===- CellEdges.cpp - what lies at the edge of a body --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/CellEdges.h"

#include "passes/lowering/ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace rung {

/// \p op, which keeps the format, on the elements of \p operands; constants
/// among its operands are made anew inside.
static Value emitMap(KernelBuilder &k, Operation &op, ArrayRef<Value> operands,
                     Type type) {
  SmallVector<Value> matrices;
  for (Value operand : operands)
    if (operand)
      matrices.push_back(operand);
  auto map = tile::MapOp::create(
      k.b(), type, matrices,
      [&](OpBuilder &builder, Location loc, ValueRange elements) {
        ImplicitLocOpBuilder b(loc, builder);
        IRMapping scalars;
        for (auto [operand, matrix] : llvm::zip(op.getOperands(), operands)) {
          if (!matrix) {
            emitScalar(b, *operand.getDefiningOp(), scalars, {});
            continue;
          }
          scalars.map(operand, elements.front());
          elements = elements.drop_front();
        }
        emitScalar(b, op, scalars, {});
        builder.setInsertionPoint(b.getInsertionBlock(), b.getInsertionPoint());
        return SmallVector<Value>{scalars.lookup(op.getResult(0))};
      });
  return map.getResult(0);
}

Value emitEdge(KernelBuilder &k, const CellPlan &plan, Value value,
               CellValues &values) {
  if (Value known = values.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(operand.getDefiningOp<arith::ConstantOp>()
                           ? Value()
                           : emitEdge(k, plan, operand, values));
  auto like = *llvm::find_if(operands, [](Value v) { return bool(v); });
  auto from = cast<tile::MatrixType>(like.getType());
  auto type =
      tile::MatrixType::get(from.getRows(), from.getColumns(),
                            getElementTypeOrSelf(value), tile::MatrixUse::Acc);
  return values[value] =
             isa<arith::TruncFOp, arith::ExtFOp, arith::SIToFPOp>(op)
                 ? tile::ConvertOp::create(k.b(), type, like).getResult()
                 : emitMap(k, *op, operands, type);
}

/// \p targets with each wide one replaced by what it is made of, of the
/// carrier.
static SmallVector<Value> withoutEdges(const CellPlan &plan,
                                       ArrayRef<Value> targets) {
  llvm::SetVector<Value> result, seen;
  SmallVector<Value> pending(llvm::reverse(targets));
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!plan.isWide(value)) {
      result.insert(value);
      continue;
    }
    if (seen.insert(value))
      for (Value operand : llvm::reverse(value.getDefiningOp()->getOperands()))
        if (!operand.getDefiningOp<arith::ConstantOp>())
          pending.push_back(operand);
  }
  return result.takeVector();
}

SmallVector<Value> emitWithEdges(KernelBuilder &k, const CellPlan &plan,
                                 const CellValues &values,
                                 const CellValues &edge,
                                 ArrayRef<Value> targets,
                                 const CellContext &context) {
  SmallVector<Value> inside = withoutEdges(plan, targets);
  CellValues made = edge;
  for (auto [value, matrix] :
       llvm::zip_equal(inside, emitPointwise(k, plan, values, inside, context)))
    made[value] = matrix;
  SmallVector<Value> results;
  for (Value target : targets)
    results.push_back(emitEdge(k, plan, target, made));
  return results;
}

} // namespace rung
