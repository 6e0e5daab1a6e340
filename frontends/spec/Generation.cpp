//===- Generation.cpp - checks of the section 'generate' ------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/Suggest.h"
#include "frontends/spec/FunctionBuilder.h"

#include <format>

using namespace mlir;

namespace rung::spec {
namespace {

using Port = FunctionPorts::Port;

class Checker {
public:
  Checker(const Generate &generate,
          const std::map<std::string, FunctionPorts> &ports,
          const std::map<std::string, int64_t> &vocabularySizes,
          const FileDiagnostics &report)
      : generate_(generate), step_(ports.at(generate.step.value)),
        prompt_(generate.prompt ? ports.at(generate.prompt->value) : step_),
        vocabularySizes_(vocabularySizes), report_(report) {}

  std::optional<Generation> check();

private:
  bool fail(SourceLocation location, std::string message) const {
    return report_.error(location, std::move(message));
  }
  bool findInputs();
  bool findTokenInput(const FunctionPorts &ports, const Name &function,
                      const std::optional<Name> &given, std::string &name);
  bool findOutputs();
  const Port *findOutput(const Name &name, std::string_view key);
  bool checkStates() const;
  bool checkToken(const Located<int64_t> &token, std::string_view what,
                  int64_t limit, std::string_view of) const;
  bool checkTokens() const;
  bool checkVocabularies() const;

  const Generate &generate_;
  const FunctionPorts &step_;
  const FunctionPorts &prompt_;
  const std::map<std::string, int64_t> &vocabularySizes_;
  const FileDiagnostics &report_;
  Generation result_;
  /// Tokens that the step function makes, 0 when not known.
  int64_t classes_ = 0;
};

bool isTokens(const Port &port) {
  return port.type.getElementType().isInteger(32) && port.type.getRank() == 2;
}

std::vector<std::string_view>
namesOf(const std::map<std::string, Port> &ports) {
  std::vector<std::string_view> names;
  for (const auto &[name, port] : ports)
    names.push_back(name);
  return names;
}

/// The input that takes tokens; generation can't give a function any other.
bool Checker::findTokenInput(const FunctionPorts &ports, const Name &function,
                             const std::optional<Name> &given,
                             std::string &name) {
  if (given) {
    auto port = ports.inputs.find(given->value);
    if (port == ports.inputs.end())
      return fail(given->location,
                  std::format("'token_input' is '{}', which is no input of "
                              "function '{}'; its inputs are {}{}",
                              given->value, function.value,
                              quotedList(namesOf(ports.inputs)),
                              didYouMean(given->value, namesOf(ports.inputs))));
    if (!isTokens(port->second))
      return fail(given->location,
                  std::format("'token_input' is '{}' of type {}; it must be "
                              "i32 [T, B]",
                              given->value, typeText(port->second.type)));
    name = given->value;
  } else {
    for (const auto &[candidate, port] : ports.inputs)
      if (isTokens(port)) {
        if (!name.empty())
          return fail(function.location,
                      std::format("function '{}' has several inputs of type "
                                  "i32 [T, B]; 'token_input' must name one",
                                  function.value));
        name = candidate;
      }
    if (name.empty())
      return fail(function.location,
                  std::format("function '{}' has no input of type i32 [T, B] "
                              "to take tokens",
                              function.value));
  }
  for (const auto &[other, port] : ports.inputs)
    if (other != name)
      return fail(function.location,
                  std::format("function '{}' has the input '{}' beside its "
                              "tokens, which generation can't give",
                              function.value, other));
  return true;
}

bool Checker::findInputs() {
  if (!findTokenInput(step_, generate_.step, generate_.tokenInput,
                      result_.tokenInput))
    return false;
  if (!generate_.prompt)
    return true;
  // The prompt function may name its tokens otherwise.
  std::optional<Name> sameName = generate_.tokenInput;
  if (sameName && !prompt_.inputs.contains(sameName->value))
    sameName.reset();
  return findTokenInput(prompt_, *generate_.prompt, sameName,
                        result_.promptInput);
}

const Port *Checker::findOutput(const Name &name, std::string_view key) {
  auto port = step_.outputs.find(name.value);
  if (port != step_.outputs.end())
    return &port->second;
  fail(name.location,
       std::format("'{}' is '{}', which is no output of function '{}'; its "
                   "outputs are {}{}",
                   key, name.value, generate_.step.value,
                   quotedList(namesOf(step_.outputs)),
                   didYouMean(name.value, namesOf(step_.outputs))));
  return nullptr;
}

bool Checker::findOutputs() {
  if (generate_.tokenOutput) {
    const Name &name = *generate_.tokenOutput;
    const Port *port = findOutput(name, "token_output");
    if (!port)
      return false;
    if (!isTokens(*port))
      return fail(name.location,
                  std::format("'token_output' is '{}' of type {}; it must be "
                              "i32 [T, B], as an 'argmax' gives; scores are "
                              "named by 'logits'",
                              name.value, typeText(port->type)));
    classes_ = port->classes;
    result_.tokenOutput = name.value;
  }
  if (generate_.logits) {
    const Name &name = *generate_.logits;
    const Port *port = findOutput(name, "logits");
    if (!port)
      return false;
    if (!port->type.getElementType().isF32() || port->type.getRank() != 3)
      return fail(name.location,
                  std::format("'logits' is '{}' of type {}; it must be f32 "
                              "[T, B, N]",
                              name.value, typeText(port->type)));
    int64_t width = port->type.getDimSize(2);
    if (classes_ && classes_ != width)
      return fail(name.location,
                  std::format("'logits' is '{}' of {} classes, but "
                              "'token_output' is of {}",
                              name.value, width, classes_));
    classes_ = width;
    result_.logitsOutput = name.value;
  }
  return true;
}

/// What the prompt leaves behind must be what the step starts from.
bool Checker::checkStates() const {
  if (!generate_.prompt)
    return true;
  for (const auto &[name, width] : step_.states) {
    auto state = prompt_.states.find(name);
    if (state == prompt_.states.end()) {
      std::vector<std::string_view> names;
      for (const auto &[known, ignored] : prompt_.states)
        names.push_back(known);
      return fail(
          generate_.prompt->location,
          std::format("state '{}' of function '{}' is no state of the "
                      "prompt function '{}'{}{}",
                      name, generate_.step.value, generate_.prompt->value,
                      names.empty() ? ", which has none" : "; its states are ",
                      quotedList(names)));
    }
    if (state->second != width)
      return fail(generate_.prompt->location,
                  std::format("state '{}' is {} wide in function '{}' and {} "
                              "in the prompt function '{}'",
                              name, width, generate_.step.value, state->second,
                              generate_.prompt->value));
  }
  return true;
}

bool Checker::checkToken(const Located<int64_t> &token, std::string_view what,
                         int64_t limit, std::string_view of) const {
  if (!limit || token.value < limit)
    return true;
  return fail(token.location, std::format("{} is {}, beyond the {} {}", what,
                                          token.value, limit, of));
}

bool Checker::checkTokens() const {
  int64_t stepRows = step_.inputs.at(result_.tokenInput).classes;
  const std::string &promptName =
      generate_.prompt ? result_.promptInput : result_.tokenInput;
  int64_t promptRows = prompt_.inputs.at(promptName).classes;
  if (classes_ && stepRows && classes_ > stepRows)
    return fail(generate_.step.location,
                std::format("function '{}' makes {} classes of tokens, but the "
                            "embedding that reads them has {} rows",
                            generate_.step.value, classes_, stepRows));
  if (generate_.start && !checkToken(*generate_.start, "'start'", stepRows,
                                     "rows of the embedding that reads it"))
    return false;
  if (generate_.stop &&
      !checkToken(*generate_.stop, "'stop'", classes_, "classes of tokens"))
    return false;
  for (const Located<int64_t> &token : generate_.append)
    if (!checkToken(token, "a token of 'append'", promptRows,
                    "rows of the embedding that reads it"))
      return false;
  return true;
}

bool Checker::checkVocabularies() const {
  const std::string &promptName =
      generate_.prompt ? result_.promptInput : result_.tokenInput;
  int64_t rows = prompt_.inputs.at(promptName).classes;
  if (generate_.inputVocabulary && rows) {
    const Name &name = *generate_.inputVocabulary;
    int64_t size = vocabularySizes_.at(name.value);
    if (size > rows)
      return fail(name.location,
                  std::format("vocabulary '{}' has {} symbols, but the "
                              "embedding that reads them has {} rows",
                              name.value, size, rows));
    if (size < rows)
      report_.warning(name.location,
                      std::format("vocabulary '{}' has {} symbols for {} rows "
                                  "of the embedding",
                                  name.value, size, rows));
  }
  if (generate_.outputVocabulary && classes_) {
    const Name &name = *generate_.outputVocabulary;
    int64_t size = vocabularySizes_.at(name.value);
    if (size < classes_)
      return fail(name.location,
                  std::format("vocabulary '{}' has {} symbols for {} classes "
                              "of tokens",
                              name.value, size, classes_));
    if (size > classes_)
      report_.warning(name.location,
                      std::format("vocabulary '{}' has {} symbols, of which "
                                  "only {} can be made",
                                  name.value, size, classes_));
  }
  return true;
}

std::optional<Generation> Checker::check() {
  if (!findInputs() || !findOutputs() || !checkStates() || !checkTokens() ||
      !checkVocabularies())
    return std::nullopt;
  result_.function = generate_.step.value;
  if (generate_.prompt)
    result_.promptFunction = generate_.prompt->value;
  if (generate_.start)
    result_.start = static_cast<int32_t>(generate_.start->value);
  if (generate_.stop)
    result_.stop = static_cast<int32_t>(generate_.stop->value);
  result_.maxSteps = static_cast<uint32_t>(generate_.maxSteps.value);
  if (generate_.inputVocabulary)
    result_.inputVocabulary = generate_.inputVocabulary->value;
  if (generate_.outputVocabulary)
    result_.outputVocabulary = generate_.outputVocabulary->value;
  for (const Located<int64_t> &token : generate_.append)
    result_.append.push_back(static_cast<int32_t>(token.value));
  return result_;
}

} // namespace

std::optional<Generation>
checkGeneration(const Generate &generate,
                const std::map<std::string, FunctionPorts> &ports,
                const std::map<std::string, int64_t> &vocabularySizes,
                const FileDiagnostics &report) {
  return Checker(generate, ports, vocabularySizes, report).check();
}

} // namespace rung::spec
