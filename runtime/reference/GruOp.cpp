//===- GruOp.cpp - rnn.gru over a batch of sequences ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/reference/GruEquations.h"
#include "runtime/reference/Kernel.h"
#include "runtime/reference/Parallel.h"
#include "runtime/reference/Rounding.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rung::reference {
namespace {

/// Operand groups, in their order.
enum Group { kX, kW, kU, kBw, kBu, kInitial, kLengths, kGroupCount };
constexpr const char *kGroupNames[kGroupCount] = {
    "input",          "weights", "recurrent", "input_bias",
    "recurrent_bias", "initial", "lengths"};

/// The attributes of an rnn.gru, and where its operands are.
struct GruOp {
  NodeView node;
  Interpretation how;
  uint32_t directions = 1;
  bool reverseFirst = false; // the only direction is the reverse one
  GruEquations equations;    // all but the weights
  std::vector<Activation> activations;
  std::vector<uint32_t> sizes, begins; // of the operand groups

  static Result<GruOp> make(const NodeView &node, const Interpretation &how);
  Result<std::vector<Tensor>> run(Operands operands) const;

private:
  Status bindOperands();
  Status bindActivations();
  const Tensor *operand(Operands operands, Group group, uint32_t i) const {
    return sizes[group] ? operands[begins[group] + i] : nullptr;
  }
  Result<GruEquations> bindWeights(Operands operands, uint32_t direction) const;
  Status expectShape(std::string_view what, const Tensor *tensor,
                     Dims wanted) const;
  void runHead(const GruEquations &cell, int64_t head, const Tensor &x,
               int64_t row, int64_t steps, uint32_t direction, Tensor &state,
               Tensor &output) const;
};

Result<GruOp> GruOp::make(const NodeView &node, const Interpretation &how) {
  RUNG_RETURN_IF_ERROR(node.expectAttributes(
      {"operand_segments", "reset", "update", "direction", "activations",
       "activation_alpha", "activation_beta", "clip"}));
  GruOp op{node, how};
  RUNG_ASSIGN_OR_RETURN(
      size_t direction,
      node.choice("direction", {"forward", "reverse", "bidirectional"}));
  op.directions = direction == 2 ? 2 : 1;
  op.reverseFirst = direction == 1;
  RUNG_ASSIGN_OR_RETURN(size_t reset,
                        node.choice("reset", {"before", "after"}));
  RUNG_ASSIGN_OR_RETURN(size_t update, node.choice("update", {"keep", "take"}));
  op.equations.resetAfter = reset == 1;
  op.equations.updateTakes = update == 1;
  if (node.has("clip")) {
    RUNG_ASSIGN_OR_RETURN(op.equations.clip, node.real("clip"));
    if (!(*op.equations.clip > 0))
      return node.invalid(
          concat("clip is ", *op.equations.clip, ", not positive"));
  }
  RUNG_RETURN_IF_ERROR(op.bindOperands());
  RUNG_RETURN_IF_ERROR(op.bindActivations());
  RUNG_RETURN_IF_ERROR(node.expectResults(1 + op.directions));
  return op;
}

Status GruOp::bindOperands() {
  RUNG_ASSIGN_OR_RETURN(sizes, node.segments(kGroupCount));
  uint32_t begin = 0;
  for (uint32_t size : sizes) {
    begins.push_back(begin);
    begin += size;
  }
  for (Group group : {kW, kU, kBw, kBu, kInitial}) {
    bool mayBeAbsent = group == kBw || group == kBu;
    if (sizes[group] != directions && !(mayBeAbsent && sizes[group] == 0))
      return node.invalid(concat("has ", sizes[group], " operands of '",
                                 kGroupNames[group], "' for ", directions,
                                 " directions"));
  }
  if (sizes[kX] != 1 || sizes[kLengths] > 1)
    return node.invalid(concat("has ", sizes[kX], " inputs and ",
                               sizes[kLengths],
                               " lengths; one input and at most one lengths "
                               "operand are taken"));
  return Status::ok();
}

Status GruOp::bindActivations() {
  RUNG_ASSIGN_OR_RETURN(std::vector<std::string_view> names,
                        node.strings("activations"));
  if (names.size() != 2 * directions)
    return node.invalid(concat("has ", names.size(), " activations for ",
                               directions, " directions, which take 2 each"));
  std::vector<double> parameters[2];
  const char *attributes[] = {"activation_alpha", "activation_beta"};
  for (int i = 0; i < 2; ++i) {
    if (node.has(attributes[i])) {
      RUNG_ASSIGN_OR_RETURN(parameters[i], node.reals(attributes[i]));
    }
    // NaN stands for a parameter that is left at its default.
    if (parameters[i].empty())
      parameters[i].assign(names.size(), std::nan(""));
    if (parameters[i].size() != names.size())
      return node.invalid(concat(attributes[i], " has ", parameters[i].size(),
                                 " values for ", names.size(), " activations"));
  }
  auto given = [](double value) {
    return std::isnan(value) ? std::nullopt : std::optional(value);
  };
  for (size_t i = 0; i < names.size(); ++i) {
    Result<Activation> activation = Activation::make(
        names[i], given(parameters[0][i]), given(parameters[1][i]));
    if (!activation.isOk())
      return node.from(activation.status());
    activations.push_back(*activation);
  }
  return Status::ok();
}

Status GruOp::expectShape(std::string_view what, const Tensor *tensor,
                          Dims wanted) const {
  return tensor ? reference::expectShape(node, what, *tensor, wanted)
                : Status::ok();
}

Result<GruEquations> GruOp::bindWeights(Operands operands,
                                        uint32_t direction) const {
  const Tensor &x = *operands[0];
  const Tensor &w = *operand(operands, kW, direction);
  const Tensor &u = *operand(operands, kU, direction);
  const Tensor *bw = operand(operands, kBw, direction);
  const Tensor *bu = operand(operands, kBu, direction);

  GruEquations bound = equations;
  if (u.rank() != 3 || u.dims[0] < 1 || u.dims[2] < 1)
    return node.invalid(concat("recurrent weight has shape ", toString(u.dims),
                               " instead of [heads, 3 * head, head]"));
  bound.heads = u.dims[0];
  bound.hiddenSize = u.dims[0] * u.dims[2];
  bound.inputSize = x.dims[2];
  int64_t gates = 3 * bound.hiddenSize;
  RUNG_RETURN_IF_ERROR(expectShape("recurrent weight", &u,
                                   {u.dims[0], 3 * u.dims[2], u.dims[2]}));
  RUNG_RETURN_IF_ERROR(
      expectShape("input weight", &w, {gates, bound.inputSize}));
  RUNG_RETURN_IF_ERROR(expectShape("input bias", bw, {gates}));
  RUNG_RETURN_IF_ERROR(expectShape("recurrent bias", bu, {gates}));
  RUNG_RETURN_IF_ERROR(expectShape("initial state",
                                   operand(operands, kInitial, direction),
                                   {x.dims[1], bound.hiddenSize}));
  bound.f = activations[2 * direction];
  bound.g = activations[2 * direction + 1];
  bound.w = w.values.data();
  bound.u = u.values.data();
  bound.bw = bw ? bw->values.data() : nullptr;
  bound.bu = bu ? bu->values.data() : nullptr;
  return bound;
}

/// One head of one row, through all steps of it.
void GruOp::runHead(const GruEquations &cell, int64_t head, const Tensor &x,
                    int64_t row, int64_t steps, uint32_t direction,
                    Tensor &state, Tensor &output) const {
  bool reverse = reverseFirst || direction == 1;
  int64_t batch = x.dims[1], count = cell.hiddenSize / cell.heads;
  double *h = state.row(row) + head * count;
  std::vector<double> scratch;
  for (int64_t i = 0; i < steps; ++i) {
    int64_t t = (reverse ? steps - 1 - i : i) * batch + row;
    cell.step(head, x.row(t), state.row(row), scratch);
    double *y = output.row(t) + direction * cell.hiddenSize + head * count;
    std::copy_n(h, count, y);
    roundResults(output.element, F32::Real, y, count);
    if (how.carried == CarriedState::AsDeclared)
      roundAllTo(state.element, h, count);
  }
}

Result<std::vector<Tensor>> GruOp::run(Operands operands) const {
  const Tensor &x = *operands[0];
  if (x.rank() != 3)
    return node.invalid(
        concat("input has shape ", toString(x.dims), " instead of [T, B, I]"));
  int64_t steps = x.dims[0], batch = x.dims[1];
  const Tensor *lengths = operand(operands, kLengths, 0);
  RUNG_RETURN_IF_ERROR(expectShape("lengths", lengths, {batch}));
  std::vector<int64_t> valid = rowLengths(lengths, steps, batch);

  std::vector<Tensor> results;
  for (uint32_t d = 0; d < directions; ++d) {
    RUNG_ASSIGN_OR_RETURN(GruEquations cell, bindWeights(operands, d));
    int64_t hidden = cell.hiddenSize;
    if (d == 0)
      results.push_back(Tensor::zeros(node.resultElement(0),
                                      {steps, batch, hidden * directions}));
    if (results[0].dims[2] != hidden * directions)
      return node.invalid(concat("direction ", d, " has ", hidden,
                                 " hidden units, the other ",
                                 results[0].dims[2] / directions));
    Tensor state = *operand(operands, kInitial, d);
    state.element = node.resultElement(1 + d);
    double operations = 6.0 * double(steps * batch) * double(hidden) *
                        double(cell.inputSize + hidden / cell.heads + 10);
    parallelFor(batch * cell.heads, operations, [&](int64_t task) {
      int64_t row = task / cell.heads;
      runHead(cell, task % cell.heads, x, row, valid[row], d, state,
              results[0]);
    });
    results.push_back(std::move(state));
  }
  return results;
}

} // namespace

Result<Kernel> makeGruKernel(const NodeView &node, const Interpretation &how) {
  if (node.op() != "rnn.gru")
    return Kernel();
  RUNG_ASSIGN_OR_RETURN(GruOp op, GruOp::make(node, how));
  return Kernel([op](Operands operands) { return op.run(operands); });
}

} // namespace rung::reference
