//===- Kernel.cpp - a graph's node, ready to compute ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Kernel.h"

#include <algorithm>

namespace rung::reference {

Result<Kernel> makeKernel(const NodeView &node, CarriedState carried) {
  if (node.op() == "rnn.gru")
    return makeGruKernel(node, carried);
  if (node.op() == "rnn.recurrence")
    return makeRecurrenceKernel(node, carried);
  for (auto *make : {makeTensorKernel, makePointwiseKernel}) {
    RUNG_ASSIGN_OR_RETURN(Kernel kernel, make(node));
    if (kernel)
      return kernel;
  }
  return node.unsupported("the operation is not known to the reference");
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
