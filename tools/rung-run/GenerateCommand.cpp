//===- GenerateCommand.cpp - rung-run generate BUNDLE ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"
#include "runtime/base/Json.h"
#include "runtime/base/Text.h"
#include "tools/rung-run/Commands.h"
#include "tools/rung-run/TextModel.h"

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

/// Generates for one prompt after the other.
struct Writer {
  const GenerateArguments &arguments;
  TextModel text;
  std::string separator;
  uint32_t maxSteps;
  Generator generator;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();

  Status write(const std::string &prompt) {
    RUNG_ASSIGN_OR_RETURN(std::vector<int32_t> tokens,
                          text.input.encode(prompt));
    // Each prompt starts the sampler anew: what it gives does not depend on
    // the prompts before it.
    RUNG_RETURN_IF_ERROR(applyDrawing(arguments.drawing, generator));
    RUNG_RETURN_IF_ERROR(generator.start(tokens));
    if (arguments.echo && !arguments.json)
      emit(prompt + separator);
    std::string written;
    std::vector<int32_t> generated;
    while (generated.size() < maxSteps) {
      RUNG_ASSIGN_OR_RETURN(std::optional<int32_t> token, generator.next());
      if (!token)
        break;
      RUNG_ASSIGN_OR_RETURN(std::string symbol, text.output.symbol(*token));
      std::string piece = (generated.empty() ? "" : separator) + symbol;
      if (!arguments.json)
        emit(piece);
      written += piece;
      generated.push_back(*token);
    }
    if (!arguments.json)
      emit("\n");
    results.push_back(
        {{"prompt", prompt}, {"text", written}, {"tokens", generated}});
    return Status::ok();
  }
};

Status generate(const GenerateArguments &arguments, const Model &model,
                TextModel text, const std::vector<std::string> &prompts) {
  const Function &function = *text.function;
  RUNG_ASSIGN_OR_RETURN(Session session,
                        Session::create(model, arguments.device));
  note(concat("generating with ", quote(function.name), " on ",
              session.device()));
  note(session.explanation());
  RUNG_ASSIGN_OR_RETURN(Generator generator,
                        Generator::make(model, function, session));
  const uint32_t promised = function.generation->maxSteps;
  std::string separator = arguments.separator.value_or(text.output.separator());
  Writer writer{
      arguments, std::move(text), std::move(separator),
      arguments.maxSteps.value_or(promised ? promised : kDefaultMaxSteps),
      std::move(generator)};
  for (const std::string &prompt : prompts)
    RUNG_RETURN_IF_ERROR(writer.write(prompt).while_(
        concat("generating for the prompt ", quote(prompt))));
  if (arguments.json)
    emit(formatJson({{"bundle", arguments.bundle},
                     {"function", function.name},
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
  Result<Model> model = Model::open(arguments.bundle);
  if (!model.isOk())
    return fail(model.status());
  Result<TextModel> text = TextModel::load(*model, arguments.function);
  if (!text.isOk())
    return fail(text.status());
  if (Status misuse = checkSeed(arguments.drawing, *text->function, "--sample");
      !misuse.isOk())
    return fail(misuse, kUsage);
  Status status = generate(arguments, *model, *std::move(text), *prompts);
  return status.isOk() ? kDone : fail(status);
}

} // namespace rung::tools
