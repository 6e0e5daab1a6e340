//===- Recurrence.cpp - any cell over a batch of sequences ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/reference/CellBody.h"
#include "runtime/reference/Kernel.h"
#include "runtime/reference/Rounding.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace rung::reference {
namespace {

/// Operand groups, in their order.
enum Group { kSequences, kWeights, kInitial, kLengths, kGroupCount };

struct Recurrence {
  NodeView node;
  CarriedState carried;
  bool reverse = false;
  std::vector<uint32_t> sizes; // of the operand groups
  CellBody body;

  static Result<Recurrence> make(const NodeView &node, CarriedState carried);
  Result<std::vector<Tensor>> run(Operands operands) const;

private:
  uint32_t sequences() const { return sizes[kSequences]; }
  uint32_t weights() const { return sizes[kWeights]; }
  uint32_t states() const { return sizes[kInitial]; }
  uint32_t outputs() const { return body.yieldCount() - states(); }

  Status checkRows() const;
  Status checkShapes(Operands operands) const;
  std::vector<Tensor> makeResults(Operands operands) const;
  void runRow(CellBody::Frame &frame, Operands operands, int64_t row,
              int64_t steps, std::vector<Tensor> &results) const;
};

Result<Recurrence> Recurrence::make(const NodeView &node,
                                    CarriedState carried) {
  // The body shows what heads and precision say.
  RUNG_RETURN_IF_ERROR(node.expectAttributes(
      {"operand_segments", "direction", "heads", "precision"}));
  RUNG_ASSIGN_OR_RETURN(size_t direction,
                        node.choice("direction", {"forward", "reverse"}));
  RUNG_ASSIGN_OR_RETURN(std::vector<uint32_t> sizes,
                        node.segments(kGroupCount));
  if (sizes[kSequences] == 0 || sizes[kLengths] > 1)
    return node.invalid(concat("has ", sizes[kSequences], " sequences and ",
                               sizes[kLengths],
                               " lengths; at least one sequence and at most "
                               "one lengths operand are taken"));
  RUNG_ASSIGN_OR_RETURN(CellBody body,
                        CellBody::make(node, sizes[kSequences], sizes[kWeights],
                                       sizes[kInitial]));
  if (body.yieldCount() < sizes[kInitial])
    return node.invalid(concat("has a body that yields ", body.yieldCount(),
                               " values for ", sizes[kInitial], " states"));
  RUNG_RETURN_IF_ERROR(node.expectResults(body.yieldCount()));
  Recurrence op{node, carried, direction == 1, std::move(sizes),
                std::move(body)};
  RUNG_RETURN_IF_ERROR(op.checkRows());
  return op;
}

// Everything but a weight is one row, and a state keeps its shape.
Status Recurrence::checkRows() const {
  auto isWeight = [&](uint32_t i) {
    return i >= sequences() && i < sequences() + weights();
  };
  for (uint32_t i = 0; i < body.argumentCount(); ++i)
    if (!isWeight(i) && body.argumentDims(i).size() != 1)
      return node.invalid(concat("argument ", i, " of its body has shape ",
                                 toString(body.argumentDims(i)),
                                 ", not that of a row"));
  for (uint32_t i = 0; i < body.yieldCount(); ++i)
    if (body.yieldDims(i).size() != 1)
      return node.invalid(
          concat("value ", i, " that its body yields has shape ",
                 toString(body.yieldDims(i)), ", not that of a row"));
  for (uint32_t i = 0; i < states(); ++i) {
    const Dims &state = body.argumentDims(sequences() + weights() + i);
    const Dims &next = body.yieldDims(outputs() + i);
    if (state != next)
      return node.invalid(concat("state ", i, " has shape ", toString(state),
                                 " and becomes ", toString(next)));
  }
  return Status::ok();
}

Status Recurrence::checkShapes(Operands operands) const {
  const Tensor &first = *operands[0];
  if (first.rank() != 3)
    return node.invalid(concat("sequence 0 has shape ", toString(first.dims),
                               " instead of [T, B, N]"));
  for (uint32_t i = 0; i < body.argumentCount(); ++i) {
    Dims wanted = body.argumentDims(i);
    if (i < sequences())
      wanted.insert(wanted.begin(), {first.dims[0], first.dims[1]});
    else if (i >= sequences() + weights())
      wanted.insert(wanted.begin(), first.dims[1]);
    if (operands[i]->dims != wanted)
      return node.invalid(concat("operand ", i, " has shape ",
                                 toString(operands[i]->dims), " instead of ",
                                 toString(wanted)));
  }
  if (sizes[kLengths] == 1 && operands.back()->dims != Dims{first.dims[1]})
    return node.invalid(concat("lengths have shape ",
                               toString(operands.back()->dims), " instead of ",
                               toString({first.dims[1]})));
  return Status::ok();
}

// Outputs as zeros, which is what they are past a row's end; states as they
// begin.
std::vector<Tensor> Recurrence::makeResults(Operands operands) const {
  std::vector<Tensor> results;
  for (uint32_t i = 0; i < outputs(); ++i) {
    Dims dims = body.yieldDims(i);
    dims.insert(dims.begin(), {operands[0]->dims[0], operands[0]->dims[1]});
    results.push_back(Tensor::zeros(node.resultElement(i), std::move(dims)));
  }
  for (uint32_t i = 0; i < states(); ++i) {
    results.push_back(*operands[sequences() + weights() + i]);
    results.back().element = node.resultElement(outputs() + i);
  }
  return results;
}

void Recurrence::runRow(CellBody::Frame &frame, Operands operands, int64_t row,
                        int64_t steps, std::vector<Tensor> &results) const {
  int64_t batch = operands[0]->dims[1];
  Tensor *state = results.data() + outputs();
  for (uint32_t i = 0; i < states(); ++i)
    frame.setArgument(sequences() + weights() + i, state[i].row(row));
  std::vector<std::vector<double>> next(states());
  for (int64_t step = 0; step < steps; ++step) {
    int64_t t = reverse ? steps - 1 - step : step;
    for (uint32_t i = 0; i < sequences(); ++i)
      frame.setArgument(i, operands[i]->row(t * batch + row));
    frame.runStep();
    for (uint32_t i = 0; i < outputs(); ++i)
      std::copy_n(frame.yielded(i), results[i].lastDim(),
                  results[i].row(t * batch + row));
    // A next state may be another state's old value: read all, then write.
    for (uint32_t i = 0; i < states(); ++i) {
      const double *value = frame.yielded(outputs() + i);
      next[i].assign(value, value + state[i].lastDim());
    }
    for (uint32_t i = 0; i < states(); ++i)
      for (int64_t j = 0; j < state[i].lastDim(); ++j)
        state[i].row(row)[j] = carried == CarriedState::AsDeclared
                                   ? roundTo(state[i].element, next[i][j])
                                   : next[i][j];
  }
}

Result<std::vector<Tensor>> Recurrence::run(Operands operands) const {
  RUNG_RETURN_IF_ERROR(checkShapes(operands));
  std::vector<Tensor> results = makeResults(operands);
  const Tensor *lengths = sizes[kLengths] ? operands.back() : nullptr;
  int64_t steps = operands[0]->dims[0], batch = operands[0]->dims[1];
  std::vector<int64_t> valid = rowLengths(lengths, steps, batch);
  CellBody::Frame frame(body);
  for (uint32_t i = 0; i < weights(); ++i)
    frame.setArgument(sequences() + i,
                      operands[sequences() + i]->values.data());
  frame.runOnce();
  for (int64_t row = 0; row < batch; ++row)
    runRow(frame, operands, row, valid[row], results);
  return results;
}

} // namespace

Result<Kernel> makeRecurrenceKernel(const NodeView &node,
                                    CarriedState carried) {
  RUNG_ASSIGN_OR_RETURN(Recurrence op, Recurrence::make(node, carried));
  auto shared = std::make_shared<const Recurrence>(std::move(op));
  return Kernel([shared](Operands operands) { return shared->run(operands); });
}

} // namespace rung::reference
