//===- GenerateCommand.cpp - rung-run generate BUNDLE ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"
#include "runtime/base/Json.h"
#include "runtime/base/Text.h"
#include "tools/rung-run/Commands.h"
#include "tools/rung-run/Generator.h"
#include "tools/rung-run/Vocabulary.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace rung::tools {
namespace {

// Where neither the bundle nor the user says when to stop.
constexpr uint32_t kDefaultMaxSteps = 1000;

void emit(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

Result<std::vector<std::string>>
allPrompts(const GenerateArguments &arguments) {
  std::vector<std::string> prompts = arguments.prompts;
  if (!arguments.promptFile.empty()) {
    RUNG_ASSIGN_OR_RETURN(std::string text, readTextFile(arguments.promptFile));
    std::string_view rest = text;
    while (!rest.empty()) {
      size_t end = std::min(rest.find('\n'), rest.size());
      prompts.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (std::string &prompt : prompts) {
    RUNG_ASSIGN_OR_RETURN(prompt, unescape(prompt).while_("reading a prompt"));
  }
  return prompts;
}

Result<Vocabulary> loadVocabulary(const Model &model, const std::string &name,
                                  const char *role) {
  if (name.empty())
    return Status(StatusCode::InvalidArgument,
                  concat("bundle has no ", role, " vocabulary, so that text ",
                         "cannot be generated"));
  RUNG_ASSIGN_OR_RETURN(std::string text, model.asset(name));
  return Vocabulary::parse(text).while_(
      concat("reading the ", role, " vocabulary ", quote(name)));
}

Result<const Function *> chooseFunction(const Model &model,
                                        const std::string &name) {
  if (!name.empty()) {
    RUNG_ASSIGN_OR_RETURN(const Function *function, model.function(name));
    if (!function->generation)
      return Status(
          StatusCode::InvalidArgument,
          concat("function ", quote(name), " is not made for generating"));
    return function;
  }
  std::vector<const Function *> able;
  std::vector<std::string> names;
  for (const Function &function : model.functions())
    if (function.generation) {
      able.push_back(&function);
      names.push_back(function.name);
    }
  if (able.empty())
    return Status(StatusCode::InvalidArgument,
                  "bundle has no function that is made for generating");
  if (able.size() > 1)
    return Status(StatusCode::InvalidArgument,
                  concat("bundle has ", able.size(),
                         " functions to generate with, ", joined(names),
                         "; --function chooses one"));
  return able.front();
}

/// Generates for one prompt after the other.
struct Writer {
  const GenerateArguments &arguments;
  Vocabulary input, output;
  std::string separator;
  uint32_t maxSteps;
  Generator generator;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();

  Status write(const std::string &prompt) {
    RUNG_ASSIGN_OR_RETURN(std::vector<int32_t> tokens, input.encode(prompt));
    // Each prompt starts the sampler anew: what it gives does not depend on
    // the prompts before it.
    if (arguments.sample)
      RUNG_RETURN_IF_ERROR(generator.sampleWith(
          Sampler(arguments.seed, arguments.temperature, arguments.topK)));
    RUNG_RETURN_IF_ERROR(generator.start(tokens));
    if (arguments.echo && !arguments.json)
      emit(prompt + separator);
    std::string text;
    std::vector<int32_t> generated;
    while (generated.size() < maxSteps) {
      RUNG_ASSIGN_OR_RETURN(std::optional<int32_t> token, generator.next());
      if (!token)
        break;
      RUNG_ASSIGN_OR_RETURN(std::string symbol, output.symbol(*token));
      std::string piece = (generated.empty() ? "" : separator) + symbol;
      if (!arguments.json)
        emit(piece);
      text += piece;
      generated.push_back(*token);
    }
    if (!arguments.json)
      emit("\n");
    results.push_back(
        {{"prompt", prompt}, {"text", text}, {"tokens", generated}});
    return Status::ok();
  }
};

Status generate(const GenerateArguments &arguments,
                const std::vector<std::string> &prompts) {
  RUNG_ASSIGN_OR_RETURN(Model model, Model::open(arguments.bundle));
  RUNG_ASSIGN_OR_RETURN(const Function *function,
                        chooseFunction(model, arguments.function));
  const Generation &g = *function->generation;
  RUNG_ASSIGN_OR_RETURN(Vocabulary input,
                        loadVocabulary(model, g.inputVocabulary, "input"));
  RUNG_ASSIGN_OR_RETURN(Vocabulary output,
                        loadVocabulary(model, g.outputVocabulary, "output"));
  RUNG_ASSIGN_OR_RETURN(Session session,
                        Session::create(model, arguments.device));
  note(concat("generating with ", quote(function->name), " on ",
              session.device()));
  note(session.explanation());
  RUNG_ASSIGN_OR_RETURN(Generator generator,
                        Generator::make(model, *function, session));
  uint32_t limit = g.maxSteps != 0 ? g.maxSteps : kDefaultMaxSteps;
  std::string separator = arguments.separator.value_or(output.separator());
  Writer writer{arguments,
                std::move(input),
                std::move(output),
                std::move(separator),
                arguments.maxSteps.value_or(limit),
                std::move(generator)};
  for (const std::string &prompt : prompts)
    RUNG_RETURN_IF_ERROR(writer.write(prompt).while_(
        concat("generating for the prompt ", quote(prompt))));
  if (arguments.json)
    emit(formatJson({{"bundle", arguments.bundle},
                     {"function", function->name},
                     {"device", session.device()},
                     {"variant", session.variant()},
                     {"results", writer.results}}));
  return Status::ok();
}

} // namespace

ExitCode generateCommand(const GenerateArguments &arguments) {
  Result<std::vector<std::string>> prompts = allPrompts(arguments);
  if (!prompts.isOk())
    return fail(prompts.status());
  Status status = generate(arguments, *prompts);
  return status.isOk() ? kDone : fail(status);
}

} // namespace rung::tools
