//===- Generator.cpp - a sequence, token by token -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Generator.h"

#include "runtime/base/Text.h"
#include "tools/rung-run/RandomPort.h"

#include <algorithm>
#include <utility>

namespace rung::tools {
namespace {

Tensor tokenTensor(const std::vector<int32_t> &tokens) {
  Tensor tensor = Tensor::zeros(ScalarType::I32, {tokens.size(), 1});
  std::copy(tokens.begin(), tokens.end(), tensor.values<int32_t>().begin());
  return tensor;
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

NamedTensors Generator::firstStates(const Function &function) const {
  const Port *random = findRandomPort(function);
  if (!random)
    return {};
  return {{random->name, randomState(seed_, 1)}};
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
  states_ = firstStates(*step_);
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
    RUNG_ASSIGN_OR_RETURN(Outcome outcome, feed(*prompt_, g.promptInput, tokens,
                                                firstStates(*prompt_))
                                               .while_("reading the prompt"));
    states_ = statesFor(*prompt_, outcome);
  }
  return Status::ok();
}

void Generator::tell(const std::vector<int32_t> &tokens) {
  pending_.insert(pending_.end(), tokens.begin(), tokens.end());
}

// The scores after the last step, of the one row.
std::vector<double> Generator::lastScores(const Outcome &outcome) const {
  const std::string &name = step_->generation->logitsOutput;
  const Tensor &logits = outcome.outputs[*step_->findOutput(name)];
  uint64_t width = logits.shape.back(), count = logits.elementCount();
  std::vector<double> scores;
  for (uint64_t i = count - width; i < count; ++i)
    scores.push_back(toDouble(logits, i));
  return scores;
}

int32_t Generator::likeliest(const Outcome &outcome) const {
  const std::string &name = step_->generation->tokenOutput;
  if (name.empty())
    return argmax(lastScores(outcome));
  return outcome.outputs[*step_->findOutput(name)].values<int32_t>().back();
}

int32_t Generator::choose(const Outcome &outcome) {
  return sampler_ ? sampler_->next(lastScores(outcome)) : likeliest(outcome);
}

Result<Outcome> Generator::readPending() {
  RUNG_ASSIGN_OR_RETURN(Outcome outcome,
                        feed(*step_, step_->generation->tokenInput, pending_,
                             std::move(states_)));
  states_ = statesFor(*step_, outcome);
  pending_.clear();
  return outcome;
}

Result<bool> Generator::endsHere() {
  const int32_t stop = step_->generation->stop;
  RUNG_ASSIGN_OR_RETURN(Outcome outcome, readPending());
  return stop != RUNG_NONE && likeliest(outcome) == stop;
}

Result<std::optional<int32_t>> Generator::next() {
  const int32_t stop = step_->generation->stop;
  RUNG_ASSIGN_OR_RETURN(Outcome outcome, readPending());
  int32_t token = choose(outcome);
  pending_ = {token};
  if (stop != RUNG_NONE && token == stop)
    return std::optional<int32_t>();
  return std::optional<int32_t>(token);
}

} // namespace rung::tools
