//===- Kernel.cpp - a graph's node, ready to compute ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Kernel.h"

#include "runtime/base/Text.h"

#include <algorithm>

namespace rung::reference {

Result<Kernel> makeKernel(const NodeView &node, const Interpretation &how) {
  for (auto *make : {makeTensorKernel, makeLinearKernel, makeIntegerNormKernel,
                     makeMapKernel, makeRecurrenceKernel, makeGruKernel,
                     makePointwiseKernel}) {
    RUNG_ASSIGN_OR_RETURN(Kernel kernel, make(node, how));
    if (kernel)
      return kernel;
  }
  return node.unsupported("the operation is not known to the reference");
}

Status expectShape(const NodeView &node, std::string_view what,
                   const Tensor &tensor, const Dims &wanted) {
  if (tensor.dims == wanted)
    return Status::ok();
  return node.invalid(concat(what, " has shape ", toString(tensor.dims),
                             " instead of ", toString(wanted)));
}

Status expectElement(const NodeView &node, std::string_view what,
                     const Tensor &tensor, ScalarType wanted) {
  if (tensor.element == wanted)
    return Status::ok();
  return node.invalid(concat(what, " is of ", rung::toString(tensor.element),
                             " instead of ", rung::toString(wanted)));
}

std::vector<int64_t> rowLengths(const Tensor *lengths, int64_t steps,
                                int64_t batch) {
  std::vector<int64_t> result(static_cast<size_t>(batch), steps);
  if (lengths)
    for (int64_t row = 0; row < batch; ++row)
      result[row] = clampedIndex(lengths->values[row], steps);
  return result;
}

} // namespace rung::reference
