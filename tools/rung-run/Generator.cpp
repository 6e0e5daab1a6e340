//===- Generator.cpp - a sequence, token by token -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Generator.h"

#include "runtime/base/Text.h"

#include <cstring>
#include <utility>

namespace rung::tools {
namespace {

const std::vector<int64_t> kTokenDims = {RUNG_DIM_T, RUNG_DIM_B};

Status expectTokens(const Function &function, const std::vector<Port> &ports,
                    std::optional<size_t> port, const std::string &name) {
  if (!port)
    return Status(StatusCode::InvalidData,
                  concat("function ", quote(function.name), " has no port ",
                         quote(name), " to generate with"));
  if (ports[*port].type != ScalarType::I32 || ports[*port].dims != kTokenDims)
    return Status(StatusCode::InvalidData,
                  concat("port ", quote(name), " is ", typeName(ports[*port]),
                         ", not the i32[T, B] of tokens"));
  return Status::ok();
}

Tensor tokenTensor(const std::vector<int32_t> &tokens) {
  Tensor tensor = Tensor::zeros(ScalarType::I32, {tokens.size(), 1});
  std::memcpy(tensor.data.data(), tokens.data(), tensor.data.size());
  return tensor;
}

// The scores after the last step, of the one row.
std::vector<double> lastScores(const Tensor &logits) {
  uint64_t width = logits.shape.back(), count = logits.elementCount();
  std::vector<double> scores;
  for (uint64_t i = count - width; i < count; ++i)
    scores.push_back(toDouble(logits, i));
  return scores;
}

} // namespace

Result<Generator> Generator::make(const Model &model, const Function &step,
                                  Session &session) {
  Generator generator(step, session);
  RUNG_RETURN_IF_ERROR(generator.checkPorts(model).while_(
      concat("generating with function ", quote(step.name))));
  return generator;
}

Status Generator::checkPorts(const Model &model) {
  const Generation &g = *step_->generation;
  RUNG_RETURN_IF_ERROR(expectTokens(
      *step_, step_->inputs, step_->findInput(g.tokenInput), g.tokenInput));
  if (!g.tokenOutput.empty())
    RUNG_RETURN_IF_ERROR(expectTokens(*step_, step_->outputs,
                                      step_->findOutput(g.tokenOutput),
                                      g.tokenOutput));
  if (!g.logitsOutput.empty()) {
    std::optional<size_t> port = step_->findOutput(g.logitsOutput);
    if (!port || step_->outputs[*port].dims.size() != 3 ||
        step_->outputs[*port].dims[0] != RUNG_DIM_T ||
        step_->outputs[*port].dims[2] < 1)
      return Status(StatusCode::InvalidData,
                    concat("output ", quote(g.logitsOutput),
                           " does not hold logits [T, B, symbols]"));
  }
  if (g.tokenOutput.empty() && g.logitsOutput.empty())
    return Status(StatusCode::InvalidData,
                  "function names neither a token nor a logits output");
  if (!g.promptFunction.empty()) {
    RUNG_ASSIGN_OR_RETURN(prompt_, model.function(g.promptFunction));
    RUNG_RETURN_IF_ERROR(expectTokens(*prompt_, prompt_->inputs,
                                      prompt_->findInput(g.promptInput),
                                      g.promptInput));
  }
  return Status::ok();
}

Status Generator::sampleWith(Sampler sampler) {
  if (step_->generation->logitsOutput.empty())
    return Status(StatusCode::InvalidArgument,
                  concat("function ", quote(step_->name),
                         " has no logits output to sample from"));
  sampler_ = std::move(sampler);
  return Status::ok();
}

NamedTensors Generator::statesFor(const Function &from,
                                  const Outcome &outcome) const {
  NamedTensors states;
  for (const StateLink &to : step_->states)
    for (const StateLink &state : from.states)
      if (state.name == to.name)
        states.emplace_back(step_->inputs[to.input].name,
                            outcome.outputs[state.output]);
  return states;
}

Result<Outcome> Generator::feed(const Function &function,
                                const std::string &input,
                                const std::vector<int32_t> &tokens,
                                NamedTensors states) {
  NamedTensors inputs = std::move(states);
  inputs.emplace_back(input, tokenTensor(tokens));
  return session_->run(function, inputs);
}

Status Generator::start(const std::vector<int32_t> &prompt) {
  const Generation &g = *step_->generation;
  std::vector<int32_t> tokens = prompt;
  tokens.insert(tokens.end(), g.append.begin(), g.append.end());
  pending_.clear();
  states_.clear();
  if (g.start != RUNG_NONE)
    pending_.push_back(g.start);
  if (!prompt_)
    pending_.insert(pending_.end(), tokens.begin(), tokens.end());
  else if (g.start == RUNG_NONE && !tokens.empty())
    pending_.push_back(tokens.back());
  if (pending_.empty())
    return Status(StatusCode::InvalidArgument,
                  "prompt is empty, and the function has no start token");
  if (prompt_) {
    RUNG_ASSIGN_OR_RETURN(
        Outcome outcome,
        feed(*prompt_, g.promptInput, tokens, {}).while_("reading the prompt"));
    states_ = statesFor(*prompt_, outcome);
  }
  return Status::ok();
}

Result<int32_t> Generator::choose(const Outcome &outcome) {
  const Generation &g = *step_->generation;
  if (!sampler_ && !g.tokenOutput.empty()) {
    const Tensor &tokens = outcome.outputs[*step_->findOutput(g.tokenOutput)];
    return tokens.values<int32_t>().back();
  }
  std::vector<double> scores =
      lastScores(outcome.outputs[*step_->findOutput(g.logitsOutput)]);
  return sampler_ ? sampler_->next(scores) : argmax(scores);
}

Result<std::optional<int32_t>> Generator::next() {
  const Generation &g = *step_->generation;
  RUNG_ASSIGN_OR_RETURN(Outcome outcome, feed(*step_, g.tokenInput, pending_,
                                              std::move(states_)));
  states_ = statesFor(*step_, outcome);
  RUNG_ASSIGN_OR_RETURN(int32_t token, choose(outcome));
  pending_ = {token};
  if (g.stop != RUNG_NONE && token == g.stop)
    return std::optional<int32_t>();
  return std::optional<int32_t>(token);
}

} // namespace rung::tools
