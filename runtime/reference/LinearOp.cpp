//===- LinearOp.cpp - a matrix times each row -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/reference/Integer.h"
#include "runtime/reference/Kernel.h"
#include "runtime/reference/Parallel.h"
#include "runtime/reference/Product.h"
#include "runtime/reference/Rounding.h"

#include <algorithm>
#include <utility>

namespace rung::reference {
namespace {

/// Adds the bias to `count` sums and rounds them as results.
void finishRow(ScalarType type, const Tensor *bias, double *sums,
               int64_t count) {
  if (bias)
    for (int64_t o = 0; o < count; ++o)
      sums[o] += bias->values[o];
  if (isFloat(type))
    return roundResults(type, F32::Real, sums, count);
  for (int64_t o = 0; o < count; ++o)
    sums[o] = wrap32(static_cast<int64_t>(sums[o]));
}

Result<std::vector<Tensor>> linear(const NodeView &node, Operands in) {
  const Tensor &x = *in[0], &w = *in[1];
  const Tensor *bias = in.size() > 2 ? in[2] : nullptr;
  ScalarType type = node.resultElement(0);
  if (x.rank() < 1 || w.rank() != 2 || w.dims[1] != x.lastDim())
    return node.invalid(concat("weight has shape ", toString(w.dims),
                               " for inputs of shape ", toString(x.dims)));
  if (bias)
    RUNG_RETURN_IF_ERROR(expectShape(node, "bias", *bias, {w.dims[0]}));
  if (bias && !isFloat(type))
    RUNG_RETURN_IF_ERROR(expectElement(node, "bias", *bias, type));
  Result<Accumulation> accumulation =
      accumulationOf(x.element, w.element, type);
  if (!accumulation.isOk())
    return node.from(accumulation.status());

  Dims dims = x.dims;
  dims.back() = w.dims[0];
  std::vector<Tensor> results;
  Tensor &out = results.emplace_back(Tensor::zeros(type, std::move(dims)));
  // Some lines of the matrix stay near while rows go by.
  constexpr int64_t kLines = 64, kRows = 64;
  int64_t outputs = w.dims[0], rows = x.rows();
  auto block = [&](int64_t index) {
    int64_t begin = index * kRows, end = std::min(begin + kRows, rows);
    for (int64_t o = 0; o < outputs; o += kLines) {
      int64_t lines = std::min(kLines, outputs - o);
      HeadMatrices part(*accumulation, type, 1, lines, x.lastDim(), w.row(o));
      for (int64_t i = begin; i < end; ++i)
        part.multiply(0, 1, x.row(i), out.row(i) + o);
    }
    for (int64_t i = begin; i < end; ++i)
      finishRow(type, bias, out.row(i), outputs);
  };
  parallelFor((rows + kRows - 1) / kRows, 2.0 * double(rows) * double(w.size()),
              block);
  return results;
}

} // namespace

Result<Kernel> makeLinearKernel(const NodeView &node,
                                const Interpretation &how) {
  if (node.op() != "rnn.linear")
    return Kernel();
  RUNG_RETURN_IF_ERROR(node.expectOperands(2, 3));
  RUNG_RETURN_IF_ERROR(node.expectResults(1));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"precision"}));
  return Kernel([node, observer = how.observer](Operands operands) {
    if (observer) {
      Range range;
      range.include(operands[0]->values);
      observer->observe(node.index(), Observed::LinearInput, 0, range);
    }
    return linear(node, operands);
  });
}

} // namespace rung::reference
