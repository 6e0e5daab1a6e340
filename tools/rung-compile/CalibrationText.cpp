//===- CalibrationText.cpp - a model's ranges on text, and on its own -----===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-compile/CalibrationRuns.h"

#include "runtime/base/Text.h"
#include "runtime/bundle/Types.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace rung::tools {
namespace {

// Steps of a free run where --calibrate-steps says nothing.
constexpr uint64_t kFreeSteps = 1024;

reference::Tensor tokenTensor(std::span<const int32_t> tokens) {
  reference::Tensor tensor = reference::Tensor::zeros(
      ScalarType::I32, {static_cast<int64_t>(tokens.size()), 1});
  std::copy(tokens.begin(), tokens.end(), tensor.values.begin());
  return tensor;
}

std::optional<uint32_t> findOutput(const fb::Function &function,
                                   std::string_view name) {
  for (uint32_t i = 0; i < function.outputs()->size(); ++i)
    if (function.outputs()->Get(i)->name()->string_view() == name)
      return i;
  return std::nullopt;
}

/// The parts of `text`, each with the `separator` that ends it. An empty
/// separator leaves the text whole.
std::vector<std::string> split(std::string_view text,
                               std::string_view separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    size_t end = separator.empty() ? text.npos : text.find(separator);
    end = end == text.npos ? text.size() : end + separator.size();
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return parts;
}

} // namespace

Result<Vocabulary> CalibrationRuns::vocabularyOf(const fb::Function &f) const {
  const std::string name = f.generation()->input_vocabulary()->str();
  const fb::Asset *asset = name.empty() ? nullptr : bundle_.findAsset(name);
  if (!asset)
    return Status(StatusCode::InvalidArgument,
                  concat("function ", quote(f.name()->string_view()),
                         " has no vocabulary to read a text with"));
  const auto &bytes = *asset->bytes();
  return Vocabulary::parse(std::string_view(
      reinterpret_cast<const char *>(bytes.data()), bytes.size()));
}

CalibrationRuns::Tensors
CalibrationRuns::statesFor(uint32_t index, const Tensors &states) const {
  Tensors kept;
  for (const fb::StateLink *link : *function(index).states())
    if (auto found = states.find(link->name()->str()); found != states.end())
      kept[function(index).inputs()->Get(link->input())->name()->str()] =
          found->second;
  return kept;
}

Status CalibrationRuns::readText(uint32_t index, const std::string &text) {
  const fb::Function &f = function(index);
  const fb::Generation &g = *f.generation();
  RUNG_ASSIGN_OR_RETURN(Vocabulary vocabulary, vocabularyOf(f));
  std::string end;
  if (g.stop() >= 0 && uint64_t(g.stop()) < vocabulary.size()) {
    RUNG_ASSIGN_OR_RETURN(end, vocabulary.symbol(g.stop()));
  }
  uint64_t left = stepsOf(UINT64_MAX);
  for (std::string part : split(text, end)) {
    if (!end.empty()) // what stands between two chats is no part of them
      part.erase(0, std::min(part.find_first_not_of("\r\n"), part.size()));
    RUNG_ASSIGN_OR_RETURN(std::vector<int32_t> tokens, vocabulary.encode(part));
    if (tokens.empty() || left == 0)
      continue;
    if (g.start() >= 0 && tokens.front() != g.start())
      tokens.insert(tokens.begin(), g.start());
    tokens.resize(std::min<uint64_t>(tokens.size(), left));
    left -= tokens.size();
    Tensors inputs;
    inputs[g.token_input()->str()] = tokenTensor(tokens);
    RUNG_RETURN_IF_ERROR(
        runSegments(index, std::move(inputs), tokens.size(), 1).status());
  }
  return Status::ok();
}

/// Generates from `token` on, `steps` tokens or to the end.
Status CalibrationRuns::generate(uint32_t index, int32_t token, Tensors states,
                                 uint64_t steps) {
  const fb::Function &f = function(index);
  const fb::Generation &g = *f.generation();
  std::optional<uint32_t> logits =
      findOutput(f, g.logits_output()->string_view());
  std::optional<uint32_t> best = findOutput(f, g.token_output()->string_view());
  // The first step is made whatever the token, so that a run always advances.
  for (uint64_t step = 0; step < steps && (step == 0 || token != g.stop());
       ++step) {
    states[g.token_input()->str()] = tokenTensor({&token, 1});
    RUNG_ASSIGN_OR_RETURN(std::vector<Tensor> got,
                          runOnce(index, std::move(states), 1, 1));
    token = logits ? sampler_.next(got[*logits].values)
                   : static_cast<int32_t>(got[*best].values.back());
    states.clear();
    for (const fb::StateLink *link : *f.states())
      states[f.inputs()->Get(link->input())->name()->str()] =
          std::move(got[link->output()]);
  }
  return Status::ok();
}

/// Each line is a prompt that another function reads.
Status CalibrationRuns::answerLines(uint32_t index, const std::string &text) {
  const fb::Function &f = function(index);
  const fb::Generation &g = *f.generation();
  const uint32_t reader =
      *bundle_.findFunction(g.prompt_function()->string_view());
  RUNG_ASSIGN_OR_RETURN(Vocabulary vocabulary, vocabularyOf(f));
  uint64_t left = stepsOf(UINT64_MAX);
  for (std::string line : split(text, "\n")) {
    while (line.ends_with('\n') || line.ends_with('\r'))
      line.pop_back();
    RUNG_ASSIGN_OR_RETURN(std::vector<int32_t> tokens, vocabulary.encode(line));
    if (tokens.empty() || left == 0)
      continue;
    tokens.insert(tokens.end(), g.append()->begin(), g.append()->end());
    tokens.resize(std::min<uint64_t>(tokens.size(), left));
    left -= tokens.size();
    const int32_t start = g.start() >= 0 ? g.start() : tokens.back();
    Tensors inputs;
    inputs[g.prompt_input()->str()] = tokenTensor(tokens);
    RUNG_ASSIGN_OR_RETURN(Tensors ports, runSegments(reader, std::move(inputs),
                                                     tokens.size(), 1));
    Tensors states; // by name
    for (const fb::StateLink *link : *function(reader).states())
      states[link->name()->str()] = std::move(
          ports[function(reader).inputs()->Get(link->input())->name()->str()]);
    const uint64_t more = std::min<uint64_t>(left, g.max_steps());
    RUNG_RETURN_IF_ERROR(
        generate(index, start, statesFor(index, states), more));
    left -= more;
  }
  return Status::ok();
}

Status CalibrationRuns::runText(const std::string &text) {
  bool ran = false;
  for (uint32_t i = 0; i < bundle_.root().functions()->size(); ++i) {
    const fb::Generation *g = function(i).generation();
    if (!g)
      continue;
    ran = true;
    RUNG_RETURN_IF_ERROR(g->prompt_function()->size() == 0
                             ? readText(i, text)
                             : answerLines(i, text));
  }
  return ran ? Status::ok()
             : Status(StatusCode::InvalidArgument,
                      "model has no function that reads text");
}

Status CalibrationRuns::runFreely(uint32_t index) {
  const fb::Function &f = function(index);
  const fb::Generation &g = *f.generation();
  if (g.prompt_function()->size() != 0 || g.start() < 0)
    return Status(StatusCode::InvalidArgument,
                  concat("function ", quote(f.name()->string_view()),
                         " begins with a prompt; calibrate with a text of "
                         "them, or with arrays"));
  const uint64_t steps = limit_ ? limit_ : kFreeSteps;
  for (const uint64_t end = done_ + steps; done_ < end;)
    RUNG_RETURN_IF_ERROR(generate(index, g.start(), {}, end - done_));
  return Status::ok();
}

Status CalibrationRuns::runZeros(uint32_t index) {
  const int64_t steps = static_cast<int64_t>(limit_ ? limit_ : kFreeSteps);
  const fb::Function &f = function(index);
  Tensors inputs;
  for (uint32_t i = 0; i < f.inputs()->size(); ++i) {
    Tensor tensor = reference::zeroInput(f, i, steps, 1);
    if (holdsLengths(f, i)) // all rows have all steps
      tensor.values.assign(tensor.values.size(), static_cast<double>(steps));
    inputs[f.inputs()->Get(i)->name()->str()] = std::move(tensor);
  }
  return runSegments(index, std::move(inputs), steps, 1).status();
}

Status CalibrationRuns::runFree() {
  bool generates = false;
  for (uint32_t i = 0; i < bundle_.root().functions()->size(); ++i)
    if (function(i).generation()) {
      generates = true;
      RUNG_RETURN_IF_ERROR(runFreely(i));
    }
  for (uint32_t i = 0; i < bundle_.root().functions()->size() && !generates;
       ++i)
    RUNG_RETURN_IF_ERROR(runZeros(i));
  return Status::ok();
}

} // namespace rung::tools
