//===- CellSums.cpp - what matrix instructions add up ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/CellPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace rung {

static bool isProduct(Value value) {
  return isa_and_nonnull<rnn::DotOp, rnn::InputDotOp>(value.getDefiningOp());
}

/// The addition that alone uses \p value, in f32, if that is its only use.
static arith::AddFOp additionOf(Value value) {
  if (!getElementTypeOrSelf(value).isF32() || !value.hasOneUse())
    return {};
  return dyn_cast<arith::AddFOp>(*value.user_begin());
}

bool CellPlan::isSum(Value value) const {
  return llvm::any_of(sums,
                      [&](const CellSum &sum) { return sum.value == value; });
}

unsigned CellPlan::sumOf(Operation *product) const {
  auto found = llvm::find_if(sums, [&](const CellSum &sum) {
    return llvm::is_contained(sum.inputs, product) ||
           llvm::is_contained(sum.dots, product);
  });
  assert(found != sums.end() && "every product is in a sum");
  return std::distance(sums.begin(), found);
}

/// What \p root is the sum of, if that is products and rows alone.
std::optional<CellSum> CellPlan::foldSum(Value root) const {
  CellSum sum;
  sum.value = root;
  SmallVector<Value> pending{root};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    auto add = value.getDefiningOp<arith::AddFOp>();
    if (add && (value == root || additionOf(value))) {
      pending.append({add.getRhs(), add.getLhs()});
      continue;
    }
    if (isFixed(value)) {
      sum.rows.push_back(value);
      continue;
    }
    if (!isProduct(value) || (value != root && !additionOf(value)))
      return std::nullopt;
    if (auto input = value.getDefiningOp<rnn::InputDotOp>()) {
      sum.inputs.push_back(input);
      continue;
    }
    sum.dots.push_back(value.getDefiningOp<rnn::DotOp>());
    if (phase(value) != phase(sum.dots.front().getResult()))
      return std::nullopt;
  }
  return sum;
}

void CellPlan::gatherSums(bool fold) {
  SmallVector<Value> products;
  for (const InputRow &input : inputs)
    for (const InputProduct &product : input.products)
      products.push_back(rnn::InputDotOp(product.dot).getResult());
  for (auto &[dot, matrix] : dots)
    products.push_back(rnn::DotOp(dot).getResult());
  SmallVector<CellSum> gathered;
  for (Value product : products) {
    CellSum sum = *foldSum(product);
    for (Value root = product; arith::AddFOp add = additionOf(root);) {
      root = add.getResult();
      std::optional<CellSum> larger = fold ? foldSum(root) : std::nullopt;
      if (!larger)
        break;
      sum = *larger;
    }
    if (llvm::none_of(gathered,
                      [&](const CellSum &s) { return s.value == sum.value; }))
      gathered.push_back(sum);
  }
  sums = gathered;
}

} // namespace rung
