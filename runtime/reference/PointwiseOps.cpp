//===- PointwiseOps.cpp - pointwise ops on whole tensors ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/reference/Kernel.h"
#include "runtime/reference/Pointwise.h"

#include <utility>

namespace rung::reference {
namespace {

std::vector<Tensor> filled(const Pointwise &function, ScalarType element,
                           Dims dims, RowArgs row) {
  std::vector<Tensor> results;
  Tensor &out = results.emplace_back(Tensor::zeros(element, std::move(dims)));
  row.out = out.values.data();
  row.count = out.size();
  function.apply(row);
  return results;
}

// A splat is as large as its type says, whatever the file holds; more elements
// than this are damage.
constexpr int64_t kMaxSplat = int64_t(1) << 24;

// A splat, whose shape only the node's type tells.
Result<Kernel> makeSplat(const NodeView &node, const Pointwise &function) {
  Dims dims(node.resultType(0).dims()->begin(),
            node.resultType(0).dims()->end());
  Result<int64_t> count = elementCount(dims);
  if (!count.isOk())
    return node.from(count.status());
  if (*count > kMaxSplat)
    return node.invalid(concat("constant has shape ", toString(dims),
                               "; at most ", kMaxSplat,
                               " elements are supported"));
  return Kernel([node, function, dims](Operands) {
    return filled(function, node.resultElement(0), dims, {});
  });
}

} // namespace

Result<Kernel> makePointwiseKernel(const NodeView &node,
                                   const Interpretation &) {
  // A body's operations need a body's places and tables.
  if (node.op() == "rnn.random" || node.op() == "rnn.lookup" ||
      node.resultCount() == 0)
    return Kernel();
  RUNG_ASSIGN_OR_RETURN(Pointwise function, Pointwise::make(node));
  if (!function)
    return Kernel();
  RUNG_RETURN_IF_ERROR(node.expectResults(1));
  if (node.operandCount() == 0)
    return makeSplat(node, function);
  return Kernel([node,
                 function](Operands operands) -> Result<std::vector<Tensor>> {
    RowArgs row;
    for (size_t k = 0; k < operands.size(); ++k) {
      if (operands[k]->dims != operands[0]->dims)
        return node.invalid(
            concat("operand ", k, " has shape ", toString(operands[k]->dims),
                   " but operand 0 has ", toString(operands[0]->dims)));
      row.operands[k] = operands[k]->values.data();
    }
    return filled(function, node.resultElement(0), operands[0]->dims, row);
  });
}

} // namespace rung::reference
