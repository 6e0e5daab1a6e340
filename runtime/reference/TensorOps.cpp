//===- TensorOps.cpp - the rnn ops around a recurrence --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/reference/Integer.h"
#include "runtime/reference/Kernel.h"
#include "runtime/reference/Rounding.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rung::reference {
namespace {

Tensor withLastDim(const Tensor &like, ScalarType element, int64_t last) {
  Dims dims = like.dims;
  dims.back() = last;
  return Tensor::zeros(element, std::move(dims));
}

std::vector<Tensor> oneResult(Tensor tensor) {
  for (double &value : tensor.values)
    value = roundResult(tensor.element, value);
  std::vector<Tensor> results;
  results.push_back(std::move(tensor));
  return results;
}

Status expectRank(const NodeView &node, std::string_view name,
                  const Tensor &tensor, int64_t least) {
  if (tensor.rank() >= least)
    return Status::ok();
  return node.invalid(concat(name, " has rank ", tensor.rank(), "; at least ",
                             least, " is needed"));
}

// An id outside the table reads the table's nearer end, as kernels do.
Result<std::vector<Tensor>> embedding(const NodeView &node, Operands in) {
  const Tensor &ids = *in[0], &table = *in[1];
  if (table.rank() != 2 || table.dims[0] == 0)
    return node.invalid(concat("table has shape ", toString(table.dims),
                               ", not that of a table with rows"));
  Dims dims = ids.dims;
  dims.push_back(table.dims[1]);
  Tensor out = Tensor::zeros(node.resultElement(0), std::move(dims));
  for (int64_t i = 0; i < ids.size(); ++i) {
    int64_t id = clampedIndex(ids.values[i], table.dims[0] - 1);
    std::copy_n(table.row(id), table.dims[1], out.row(i));
  }
  return oneResult(std::move(out));
}

Result<std::vector<Tensor>> rmsNorm(const NodeView &node, double epsilon,
                                    Operands in) {
  const Tensor &x = *in[0], &scale = *in[1];
  RUNG_RETURN_IF_ERROR(expectRank(node, "input", x, 1));
  int64_t width = x.lastDim();
  RUNG_RETURN_IF_ERROR(expectShape(node, "scale", scale, {width}));
  Tensor out = withLastDim(x, node.resultElement(0), width);
  for (int64_t i = 0; i < x.rows(); ++i) {
    double meanSquare = dot(x.row(i), x.row(i), width) / double(width);
    double inverse = 1 / std::sqrt(meanSquare + epsilon);
    for (int64_t j = 0; j < width; ++j)
      out.row(i)[j] = x.row(i)[j] * inverse * scale.values[j];
  }
  return oneResult(std::move(out));
}

Result<std::vector<Tensor>> softmax(const NodeView &node, Operands in) {
  const Tensor &x = *in[0];
  RUNG_RETURN_IF_ERROR(expectRank(node, "input", x, 1));
  int64_t width = x.lastDim();
  Tensor out = withLastDim(x, node.resultElement(0), width);
  for (int64_t i = 0; width > 0 && i < x.rows(); ++i) {
    double largest = *std::max_element(x.row(i), x.row(i) + width);
    double sum = 0;
    for (int64_t j = 0; j < width; ++j)
      sum += out.row(i)[j] = std::exp(x.row(i)[j] - largest);
    for (int64_t j = 0; j < width; ++j)
      out.row(i)[j] /= sum;
  }
  return oneResult(std::move(out));
}

// The lowest index of the largest value. A comparison with NaN is false, so
// NaN is never chosen but where it comes first.
Result<std::vector<Tensor>> argmax(const NodeView &node, Operands in) {
  const Tensor &x = *in[0];
  RUNG_RETURN_IF_ERROR(expectRank(node, "input", x, 1));
  if (x.lastDim() == 0)
    return node.invalid("input has no values to choose from");
  Dims dims(x.dims.begin(), x.dims.end() - 1);
  Tensor out = Tensor::zeros(node.resultElement(0), std::move(dims));
  for (int64_t i = 0; i < out.size(); ++i) {
    const double *row = x.row(i);
    out.values[i] =
        static_cast<double>(std::max_element(row, row + x.lastDim()) - row);
  }
  return oneResult(std::move(out));
}

Result<std::vector<Tensor>> concatenate(const NodeView &node, Operands in) {
  const Tensor &first = *in[0];
  RUNG_RETURN_IF_ERROR(expectRank(node, "operand 0", first, 1));
  int64_t width = 0;
  for (size_t k = 0; k < in.size(); ++k) {
    const Dims &dims = in[k]->dims;
    if (dims.size() != first.dims.size() ||
        !std::equal(dims.begin(), dims.end() - 1, first.dims.begin()))
      return node.invalid(concat("operand ", k, " has shape ", toString(dims),
                                 ", which does not fit behind ",
                                 toString(first.dims)));
    width += dims.back();
  }
  Tensor out = withLastDim(first, node.resultElement(0), width);
  for (int64_t i = 0; i < first.rows(); ++i) {
    double *to = out.row(i);
    for (const Tensor *part : in)
      to = std::copy_n(part->row(i), part->lastDim(), to);
  }
  return oneResult(std::move(out));
}

Result<std::vector<Tensor>> cast(const NodeView &node, Operands in) {
  Tensor out = *in[0];
  out.element = node.resultElement(0);
  for (double &value : out.values)
    value = roundTo(out.element, value);
  std::vector<Tensor> results;
  results.push_back(std::move(out));
  return results;
}

// The step that the next run begins with.
Result<std::vector<Tensor>> advanceRandom(const NodeView &node, Operands in) {
  const Tensor &sequence = *in[1];
  RUNG_RETURN_IF_ERROR(expectRank(node, "sequence", sequence, 2));
  int64_t steps = sequence.dims[0], batch = sequence.dims[1];
  RUNG_RETURN_IF_ERROR(expectShape(node, "random", *in[0], {batch, 3}));
  const Tensor *lengths = in.size() > 2 ? in[2] : nullptr;
  if (lengths)
    RUNG_RETURN_IF_ERROR(expectShape(node, "lengths", *lengths, {batch}));
  Tensor out = *in[0];
  std::vector<int64_t> valid = rowLengths(lengths, steps, batch);
  for (int64_t row = 0; row < batch; ++row)
    out.row(row)[0] = wrap32(toInt32(out.row(row)[0]) + valid[row]);
  std::vector<Tensor> results;
  results.push_back(std::move(out));
  return results;
}

using Evaluate = Result<std::vector<Tensor>> (*)(const NodeView &, Operands);

struct TensorOp {
  std::string_view op;
  uint32_t least, most; // operands
  Evaluate evaluate;
};

const TensorOp kTensorOps[] = {
    {"rnn.embedding", 2, 2, embedding},
    {"rnn.softmax", 1, 1, softmax},
    {"rnn.argmax", 1, 1, argmax},
    {"rnn.concat", 1, UINT32_MAX, concatenate},
    {"rnn.cast", 1, 1, cast},
    {"rnn.advance_random", 2, 3, advanceRandom},
};

Result<Kernel> makeRmsNorm(const NodeView &node, Observer *observer) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(2, 2));
  RUNG_RETURN_IF_ERROR(node.expectResults(1));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"epsilon"}));
  RUNG_ASSIGN_OR_RETURN(double epsilon, node.real("epsilon"));
  return Kernel([node, epsilon, observer](Operands operands) {
    if (observer) {
      Range range;
      range.include(operands[0]->values);
      observer->observe(node.index(), Observed::NormInput, 0, range);
    }
    return rmsNorm(node, epsilon, operands);
  });
}

} // namespace

Result<Kernel> makeTensorKernel(const NodeView &node,
                                const Interpretation &how) {
  if (node.op() == "rnn.rms_norm")
    return makeRmsNorm(node, how.observer);
  for (const TensorOp &entry : kTensorOps) {
    if (entry.op != node.op())
      continue;
    RUNG_RETURN_IF_ERROR(node.expectOperands(entry.least, entry.most));
    RUNG_RETURN_IF_ERROR(node.expectResults(1));
    RUNG_RETURN_IF_ERROR(node.expectAttributes({"precision"}));
    return Kernel([node, evaluate = entry.evaluate](Operands operands) {
      return evaluate(node, operands);
    });
  }
  return Kernel();
}

} // namespace rung::reference
