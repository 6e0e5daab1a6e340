//===- CellEdges.cpp - what lies at the edge of a body --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/CellEdges.h"

#include "passes/lowering/EmitTiles.h"
#include "passes/lowering/ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

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

/// A map of one matrix, to one of its type.
static Value
emitUnary(KernelBuilder &k, Value matrix,
          llvm::function_ref<Value(ImplicitLocOpBuilder &, Value)> compute) {
  return tile::MapOp::create(
             k.b(), matrix.getType(), matrix,
             [&](OpBuilder &builder, Location loc, ValueRange elements) {
               ImplicitLocOpBuilder b(loc, builder);
               Value result = compute(b, elements.front());
               builder.setInsertionPoint(b.getInsertionBlock(),
                                         b.getInsertionPoint());
               return SmallVector<Value>{result};
             })
      .getResult(0);
}

/// i32 as f32, rounded once: by halves that are not negative, since drivers
/// differ in what they take a matrix's negative integers for.
static Value emitToFloat(KernelBuilder &k, Value matrix, Type type) {
  auto constant = [](ImplicitLocOpBuilder &b, int32_t number) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(number));
  };
  Value high = emitUnary(k, matrix, [&](ImplicitLocOpBuilder &b, Value x) {
    Value shifted = arith::XOrIOp::create(
        b, x, constant(b, std::numeric_limits<int32_t>::min()));
    return arith::ShRUIOp::create(b, shifted, constant(b, 16)).getResult();
  });
  Value low = emitUnary(k, matrix, [&](ImplicitLocOpBuilder &b, Value x) {
    return arith::AndIOp::create(b, x, constant(b, 0xffff)).getResult();
  });
  high = tile::ConvertOp::create(k.b(), type, high);
  low = tile::ConvertOp::create(k.b(), type, low);
  high = emitUnary(k, high, [&](ImplicitLocOpBuilder &b, Value x) {
    auto number = [&](float value) -> Value {
      return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
    };
    Value signedHigh = arith::SubFOp::create(b, x, number(0x1p15f));
    return arith::MulFOp::create(b, signedHigh, number(0x1p16f)).getResult();
  });
  return emitAdd(k, high, low);
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
  Value result;
  if (isa<arith::SIToFPOp>(op))
    result = emitToFloat(k, like, type);
  else if (isa<arith::TruncFOp, arith::ExtFOp>(op))
    result = tile::ConvertOp::create(k.b(), type, like);
  else
    result = emitMap(k, *op, operands, type);
  return values[value] = result;
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
