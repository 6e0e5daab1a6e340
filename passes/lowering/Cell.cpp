//===- Cell.cpp - a recurrence's body on the tiles of a kernel ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Cell.h"

#include "passes/lowering/ScalarBody.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace rung {

namespace {

/// The operation that makes \p value, if it belongs into a map.
Operation *pointwiseDefinition(Value value) {
  Operation *op = value.getDefiningOp();
  return op && !isa<rnn::DotOp, tensor::ExtractSliceOp>(op) ? op : nullptr;
}

/// A target whose last operation rounds f32 to a narrower format: the map
/// yields what is rounded, and the matrix is rounded as a whole behind it.
Value beforeLastRounding(Value target) {
  auto round = target.getDefiningOp<arith::TruncFOp>();
  return round && getElementTypeOrSelf(round.getIn()).isF32() ? round.getIn()
                                                              : target;
}

/// The pointwise operations that \p targets need, in the body's order.
SmallVector<Operation *> neededOperations(ArrayRef<Value> targets) {
  llvm::SetVector<Operation *> needed;
  SmallVector<Value> pending(targets);
  while (!pending.empty()) {
    Operation *op = pointwiseDefinition(pending.pop_back_val());
    if (op && needed.insert(op))
      llvm::append_range(pending, op->getOperands());
  }
  SmallVector<Operation *> ordered = needed.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

/// Leaves are held in f32; the body may want the format they really have.
Value toBodyFormat(ImplicitLocOpBuilder &b, Value element, Value bodyValue) {
  Type type = getElementTypeOrSelf(bodyValue);
  return type.isF32() ? element : arith::TruncFOp::create(b, type, element);
}

Value toMatrixFormat(ImplicitLocOpBuilder &b, Value element) {
  Type f32 = b.getF32Type();
  return element.getType().isF32() ? element
                                   : arith::ExtFOp::create(b, f32, element);
}

} // namespace

SmallVector<Value> emitPointwise(KernelBuilder &k, const CellPlan &plan,
                                 const CellValues &values,
                                 ArrayRef<Value> targets) {
  SmallVector<Value> wanted;
  for (Value target : targets)
    wanted.push_back(beforeLastRounding(target));
  SmallVector<Value> leaves;
  for (Value leaf : plan.leavesOf(wanted))
    leaves.push_back(leaf);
  if (leaves.empty()) // Constants alone: any matrix gives the shape.
    leaves.push_back(values.begin()->first);

  SmallVector<Value> computed, matrices, results;
  llvm::DenseMap<Value, Value> done;
  for (Value value : wanted)
    if (pointwiseDefinition(value) && !llvm::is_contained(computed, value))
      computed.push_back(value);
  for (Value leaf : leaves)
    matrices.push_back(values.lookup(leaf));
  if (!computed.empty()) {
    SmallVector<Type> types(computed.size(), matrices.front().getType());
    auto map = tile::MapOp::create(
        k.b(), types, matrices,
        [&](OpBuilder &builder, Location loc, ValueRange elements) {
          ImplicitLocOpBuilder b(loc, builder);
          IRMapping scalars;
          for (auto [leaf, element] : llvm::zip(leaves, elements))
            scalars.map(leaf, toBodyFormat(b, element, leaf));
          for (Operation *op : neededOperations(wanted))
            emitScalar(b, *op, scalars);
          SmallVector<Value> yields;
          for (Value value : computed)
            yields.push_back(toMatrixFormat(b, scalars.lookup(value)));
          builder.setInsertionPoint(b.getInsertionBlock(),
                                    b.getInsertionPoint());
          return yields;
        });
    for (auto [value, result] : llvm::zip(computed, map.getResults()))
      done[value] = result;
  }
  for (Value value : wanted)
    results.push_back(done.contains(value) ? done.lookup(value)
                                           : values.lookup(value));
  return results;
}

Value emitSelect(KernelBuilder &k, Value condition, Value yes, Value no) {
  auto map = tile::MapOp::create(
      k.b(), TypeRange{yes.getType()}, ValueRange{condition, yes, no},
      [&](OpBuilder &builder, Location loc, ValueRange e) {
        Value half = arith::ConstantOp::create(builder, loc,
                                               builder.getF32FloatAttr(0.5f));
        Value chosen = arith::CmpFOp::create(
            builder, loc, arith::CmpFPredicate::OGT, e[0], half);
        Value result =
            arith::SelectOp::create(builder, loc, chosen, e[1], e[2]);
        return SmallVector<Value>{result};
      });
  return map.getResult(0);
}

} // namespace rung
