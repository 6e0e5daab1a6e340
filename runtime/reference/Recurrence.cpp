//===- Recurrence.cpp - any cell over a batch of sequences ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/reference/CellFrame.h"
#include "runtime/reference/Integer.h"
#include "runtime/reference/Kernel.h"
#include "runtime/reference/Parallel.h"
#include "runtime/reference/Rounding.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace rung::reference {
namespace {

/// Operand groups, in their order.
enum Group { kSequences, kWeights, kInitial, kLengths, kRandom, kGroupCount };

/// The ranges that the steps of one task meet.
struct Ranges {
  std::vector<Range> activations, states;
};

struct Recurrence {
  NodeView node;
  Interpretation how;
  bool reverse = false;
  std::vector<uint32_t> sizes; // of the operand groups
  CellBody body;

  static Result<Recurrence> make(const NodeView &node,
                                 const Interpretation &how);
  Result<std::vector<Tensor>> run(Operands operands) const;

private:
  uint32_t sequences() const { return sizes[kSequences]; }
  uint32_t weights() const { return sizes[kWeights]; }
  uint32_t states() const { return sizes[kInitial]; }
  uint32_t outputs() const { return body.yieldCount() - states(); }
  const Tensor *lengths(Operands operands) const {
    return sizes[kLengths] ? operands[body.argumentCount()] : nullptr;
  }
  const Tensor *random(Operands operands) const {
    return sizes[kRandom] ? operands.back() : nullptr;
  }

  Status checkRows() const;
  Status checkShapes(Operands operands) const;
  std::vector<Tensor> makeResults(Operands operands) const;
  void runRow(CellFrame &frame, Operands operands, int64_t row, int64_t steps,
              std::vector<Tensor> &results, Ranges *ranges) const;
  void carry(const CellFrame &frame, int64_t row, Tensor *state,
             std::vector<std::vector<double>> &next) const;
  void report(const std::vector<Ranges> &tasks) const;
};

Result<Recurrence> Recurrence::make(const NodeView &node,
                                    const Interpretation &how) {
  // The body shows what heads and precision say.
  RUNG_RETURN_IF_ERROR(node.expectAttributes(
      {"operand_segments", "direction", "heads", "precision"}));
  RUNG_ASSIGN_OR_RETURN(size_t direction,
                        node.choice("direction", {"forward", "reverse"}));
  RUNG_ASSIGN_OR_RETURN(std::vector<uint32_t> sizes,
                        node.segments(kGroupCount));
  if (sizes[kSequences] == 0 || sizes[kInitial] == 0 || sizes[kLengths] > 1 ||
      sizes[kRandom] > 1)
    return node.invalid(concat(
        "has ", sizes[kSequences], " sequences, ", sizes[kInitial], " states, ",
        sizes[kLengths], " lengths and ", sizes[kRandom],
        " random states; at least one sequence and one state and at most one "
        "operand of lengths and one of random states are taken"));
  RUNG_ASSIGN_OR_RETURN(
      CellBody body,
      CellBody::make(node,
                     {sizes[kSequences], sizes[kWeights], sizes[kInitial]},
                     F32::Real));
  if (body.yieldCount() < sizes[kInitial])
    return node.invalid(concat("has a body that yields ", body.yieldCount(),
                               " values for ", sizes[kInitial], " states"));
  if (body.takesRandom() && sizes[kRandom] == 0)
    return node.invalid("has a body that draws random bits, and no random "
                        "state");
  RUNG_RETURN_IF_ERROR(node.expectResults(body.yieldCount()));
  Recurrence op{node, how, direction == 1, std::move(sizes), std::move(body)};
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
  int64_t batch = first.dims[1];
  for (uint32_t i = 0; i < body.argumentCount(); ++i) {
    Dims wanted = body.argumentDims(i);
    if (i < sequences())
      wanted.insert(wanted.begin(), {first.dims[0], batch});
    else if (i >= sequences() + weights())
      wanted.insert(wanted.begin(), batch);
    std::string what = concat("operand ", i);
    RUNG_RETURN_IF_ERROR(expectShape(node, what, *operands[i], wanted));
    RUNG_RETURN_IF_ERROR(
        expectElement(node, what, *operands[i], body.argumentElement(i)));
  }
  if (const Tensor *given = lengths(operands))
    RUNG_RETURN_IF_ERROR(expectShape(node, "lengths", *given, {batch}));
  if (const Tensor *given = random(operands))
    return expectShape(node, "random", *given, {batch, 3});
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

/// Where the steps of a row stand; `step` is that of the next one.
Place placeOf(const Tensor *random, int64_t row) {
  Place place;
  if (!random)
    return place;
  auto word = [&](int64_t i) {
    return static_cast<uint32_t>(toInt32(random->row(row)[i]));
  };
  place.step = word(0);
  place.seedLow = word(1);
  place.seedHigh = word(2);
  place.row = static_cast<uint32_t>(row);
  return place;
}

// A next state may be another state's old value: read all, then write.
void Recurrence::carry(const CellFrame &frame, int64_t row, Tensor *state,
                       std::vector<std::vector<double>> &next) const {
  for (uint32_t i = 0; i < states(); ++i) {
    const double *value = frame.yielded(outputs() + i);
    next[i].assign(value, value + frame.countOf(state[i].lastDim()));
  }
  for (uint32_t i = 0; i < states(); ++i) {
    auto count = static_cast<int64_t>(next[i].size());
    if (how.carried == CarriedState::AsDeclared)
      roundAllTo(state[i].element, next[i].data(), count);
    std::copy_n(next[i].data(), count, state[i].row(row) + frame.begin());
  }
}

void Recurrence::runRow(CellFrame &frame, Operands operands, int64_t row,
                        int64_t steps, std::vector<Tensor> &results,
                        Ranges *ranges) const {
  int64_t batch = operands[0]->dims[1];
  Tensor *state = results.data() + outputs();
  for (uint32_t i = 0; i < states(); ++i)
    frame.setArgument(sequences() + weights() + i, state[i].row(row));
  auto include = [&] {
    for (uint32_t i = 0; ranges && i < states(); ++i)
      ranges->states[i].include(
          {state[i].row(row) + frame.begin(),
           static_cast<size_t>(frame.countOf(state[i].lastDim()))});
  };
  include();
  Place place = placeOf(random(operands), row);
  std::vector<std::vector<double>> next(states());
  for (int64_t step = 0; step < steps; ++step, ++place.step) {
    int64_t t = reverse ? steps - 1 - step : step;
    for (uint32_t i = 0; i < sequences(); ++i)
      frame.setArgument(i, operands[i]->row(t * batch + row));
    frame.run(place, ranges ? &ranges->activations : nullptr);
    for (uint32_t i = 0; i < outputs(); ++i)
      std::copy_n(frame.yielded(i), frame.countOf(results[i].lastDim()),
                  results[i].row(t * batch + row) + frame.begin());
    carry(frame, row, state, next);
    include();
  }
}

void Recurrence::report(const std::vector<Ranges> &tasks) const {
  for (uint32_t i = 0; i < body.activationCount(); ++i) {
    Range all;
    for (const Ranges &task : tasks)
      all.include(task.activations[i]);
    how.observer->observe(node.index(), Observed::Activation, i, all);
  }
  for (uint32_t i = 0; i < states(); ++i) {
    Range all;
    for (const Ranges &task : tasks)
      all.include(task.states[i]);
    how.observer->observe(node.index(), Observed::State, i, all);
  }
}

// A task takes some columns of one row through all steps.
Result<std::vector<Tensor>> Recurrence::run(Operands operands) const {
  RUNG_RETURN_IF_ERROR(checkShapes(operands));
  std::vector<Tensor> results = makeResults(operands);
  int64_t steps = operands[0]->dims[0], batch = operands[0]->dims[1];
  std::vector<int64_t> valid = rowLengths(lengths(operands), steps, batch);
  CellWeights shared(body, {sequences(), weights(), states()},
                     operands.subspan(sequences(), weights()));
  int64_t columns = columnsOfAFrame(body);
  int64_t frames = (body.width() + columns - 1) / columns;
  std::vector<Ranges> ranges;
  if (how.observer)
    ranges.assign(static_cast<size_t>(batch * frames),
                  {std::vector<Range>(body.activationCount()),
                   std::vector<Range>(states())});
  parallelFor(batch * frames, double(steps * batch) * body.operations(),
              [&](int64_t task) {
                int64_t row = task / frames;
                int64_t begin = task % frames * columns;
                CellFrame frame(body, shared, begin,
                                std::min(columns, body.width() - begin));
                runRow(frame, operands, row, valid[row], results,
                       how.observer ? &ranges[task] : nullptr);
              });
  if (how.observer)
    report(ranges);
  return results;
}

} // namespace

Result<Kernel> makeRecurrenceKernel(const NodeView &node,
                                    const Interpretation &how) {
  if (node.op() != "rnn.recurrence")
    return Kernel();
  RUNG_ASSIGN_OR_RETURN(Recurrence op, Recurrence::make(node, how));
  auto shared = std::make_shared<const Recurrence>(std::move(op));
  return Kernel([shared](Operands operands) { return shared->run(operands); });
}

} // namespace rung::reference
