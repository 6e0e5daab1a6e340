//===- Program.cpp - a bundle's function, interpreted ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Program.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <utility>

namespace rung::reference {
namespace {

bool fits(const Dims &dims, const fb::TensorType &type, int64_t steps,
          int64_t batch) {
  return std::equal(dims.begin(), dims.end(), type.dims()->begin(),
                    type.dims()->end(), [&](int64_t dim, int32_t declared) {
                      return dim == (declared == kDimT   ? steps
                                     : declared == kDimB ? batch
                                                         : declared);
                    });
}

std::string misfit(const Tensor &tensor, const fb::TensorType &type,
                   int64_t steps, int64_t batch) {
  return concat("has shape ", toString(tensor.dims), " but is declared as ",
                rung::toString(type), " with T = ", steps, " and B = ", batch);
}

// T and B are known only when a function runs; a constant can have neither.
constexpr int64_t kUnknown = -1;

Result<std::vector<Tensor>> evaluate(const NodeView &node, const Kernel &kernel,
                                     Operands operands, int64_t steps,
                                     int64_t batch) {
  RUNG_ASSIGN_OR_RETURN(std::vector<Tensor> results, kernel(operands));
  for (uint32_t i = 0; i < node.resultCount(); ++i)
    if (!fits(results[i].dims, node.resultType(i), steps, batch))
      return node.invalid(
          concat("result ", i, " ",
                 misfit(results[i], node.resultType(i), steps, batch)));
  return results;
}

} // namespace

Result<Program> Program::make(const fb::Graph &graph, Weights &weights,
                              const Interpretation &how) {
  Program program;
  program.graph_ = &graph;
  program.constants_.resize(graph.values()->size());
  for (uint32_t i = 0; i < graph.nodes()->size(); ++i)
    RUNG_RETURN_IF_ERROR(program.bind(NodeView(graph, i), weights, how));
  program.dropUnusedConstants();
  program.planReleases();
  return program;
}

Status Program::bindWeight(const NodeView &node, Weights &weights) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(0, 0));
  RUNG_RETURN_IF_ERROR(node.expectResults(1));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"weight"}));
  RUNG_ASSIGN_OR_RETURN(int64_t index, node.integer("weight"));
  if (index < 0 || index >= weights.count())
    return node.invalid(
        concat("loads weight ", index, " of ", weights.count()));
  Value weight = weights.get(static_cast<uint32_t>(index));
  if (!fits(weight->dims, node.resultType(0), kUnknown, kUnknown))
    return node.invalid(
        concat("weight ", index, " ",
               misfit(*weight, node.resultType(0), kUnknown, kUnknown)));
  constants_[node.result(0)] = std::move(weight);
  return Status::ok();
}

Status Program::bind(const NodeView &node, Weights &weights,
                     const Interpretation &how) {
  if (node.op() == "rnn.load_weight")
    return bindWeight(node, weights);
  RUNG_ASSIGN_OR_RETURN(Kernel kernel, makeKernel(node, how));
  std::vector<const Tensor *> operands;
  for (uint32_t i = 0; i < node.operandCount(); ++i)
    operands.push_back(constants_[node.operand(i)].get());
  if (std::find(operands.begin(), operands.end(), nullptr) != operands.end()) {
    steps_.push_back({node, std::move(kernel)});
    return Status::ok();
  }
  RUNG_ASSIGN_OR_RETURN(std::vector<Tensor> results,
                        evaluate(node, kernel, operands, kUnknown, kUnknown));
  for (uint32_t i = 0; i < node.resultCount(); ++i)
    constants_[node.result(i)] =
        std::make_shared<const Tensor>(std::move(results[i]));
  return Status::ok();
}

// A weight that only led to another constant, by a cast, need not be kept.
void Program::dropUnusedConstants() {
  std::vector<bool> used(constants_.size(), false);
  for (uint32_t output : *graph_->outputs())
    used[output] = true;
  for (const Step &step : steps_)
    for (uint32_t i = 0; i < step.node.operandCount(); ++i)
      used[step.node.operand(i)] = true;
  for (size_t i = 0; i < constants_.size(); ++i)
    if (!used[i])
      constants_[i].reset();
}

void Program::planReleases() {
  release_.resize(steps_.size());
  std::vector<bool> seen(constants_.size(), false);
  for (uint32_t output : *graph_->outputs())
    seen[output] = true;
  for (size_t s = steps_.size(); s-- > 0;) {
    const NodeView &node = steps_[s].node;
    auto lastUse = [&](uint32_t value) {
      if (!seen[value])
        release_[s].push_back(value);
      seen[value] = true;
    };
    for (uint32_t i = 0; i < node.operandCount(); ++i)
      lastUse(node.operand(i));
    for (uint32_t i = 0; i < node.resultCount(); ++i)
      lastUse(node.result(i));
  }
}

Result<std::vector<Tensor>> Program::run(std::vector<Tensor> inputs,
                                         int64_t steps, int64_t batch) const {
  std::vector<Value> values = constants_;
  const auto &ports = *graph_->inputs();
  if (inputs.size() != ports.size())
    return Status(StatusCode::InvalidArgument,
                  concat("function takes ", ports.size(), " inputs, not ",
                         inputs.size()));
  for (uint32_t i = 0; i < ports.size(); ++i) {
    const fb::TensorType &type = *graph_->values()->Get(ports[i]);
    if (!fits(inputs[i].dims, type, steps, batch))
      return Status(
          StatusCode::InvalidArgument,
          concat("input ", i, " ", misfit(inputs[i], type, steps, batch)));
    values[ports[i]] = std::make_shared<const Tensor>(std::move(inputs[i]));
  }
  for (size_t s = 0; s < steps_.size(); ++s) {
    const auto &[node, kernel] = steps_[s];
    std::vector<const Tensor *> operands;
    for (uint32_t i = 0; i < node.operandCount(); ++i)
      operands.push_back(values[node.operand(i)].get());
    RUNG_ASSIGN_OR_RETURN(std::vector<Tensor> results,
                          evaluate(node, kernel, operands, steps, batch));
    for (uint32_t i = 0; i < node.resultCount(); ++i)
      values[node.result(i)] =
          std::make_shared<const Tensor>(std::move(results[i]));
    for (uint32_t value : release_[s])
      values[value].reset();
  }
  std::vector<Tensor> outputs;
  for (uint32_t output : *graph_->outputs())
    outputs.push_back(*values[output]);
  return outputs;
}

} // namespace rung::reference
