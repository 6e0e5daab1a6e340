//===- Generator.cpp - a sequence, token by token -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Generator.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <utility>

namespace rung::tools {
namespace {

Tensor tokenTensor(const std::vector<int32_t> &tokens) {
  Tensor tensor = Tensor::zeros(ScalarType::I32, {tokens.size(), 1});
  std::copy(tokens.begin(), tokens.end(), tensor.values<int32_t>().begin());
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
  const std::string &prompt = step.generation->promptFunction;
  if (!prompt.empty()) {
    RUNG_ASSIGN_OR_RETURN(generator.prompt_, model.function(prompt));
  }
  return generator;
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
