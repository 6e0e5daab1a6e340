//===- DriftCommand.cpp - rung-run drift BUNDLE ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/drift/DriftCommand.h"

#include "runtime/base/File.h"
#include "runtime/base/Text.h"
#include "tools/drift/DriftReport.h"
#include "tools/rung-run/Binding.h"
#include "tools/rung-run/PortValue.h"
#include "tools/rung-run/RandomPort.h"
#include "tools/rung-run/Vocabulary.h"

#include <cstdio>
#include <utility>

namespace rung::tools {
namespace {

// Where neither --batch nor an input says how many rows there are.
constexpr uint64_t kDefaultBatch = 4;

/// The number of tokens that the function's vocabulary has; 0 if it has none.
Result<uint32_t> countTokens(const Model &model, const Function &function) {
  if (!function.generation || function.generation->inputVocabulary.empty())
    return uint32_t(0);
  RUNG_ASSIGN_OR_RETURN(std::string text,
                        model.asset(function.generation->inputVocabulary));
  RUNG_ASSIGN_OR_RETURN(Vocabulary vocabulary, Vocabulary::parse(text));
  return static_cast<uint32_t>(vocabulary.size());
}

Result<InputRecipe> makeRecipe(const DriftArguments &arguments,
                               const std::vector<Binding> &bindings,
                               const Model &model, const Function &function) {
  InputRecipe recipe;
  recipe.kind = *parseInputKind(arguments.kind);
  recipe.memory = arguments.memory;
  recipe.seed = arguments.seed;
  RUNG_ASSIGN_OR_RETURN(NamedTensors given,
                        loadBindings(bindings, function.inputs, "input"));
  RUNG_ASSIGN_OR_RETURN(recipe.given,
                        fitToPorts(std::move(given), function.inputs));
  recipe.batch = arguments.batch.value_or(
      recipe.given.empty() ? kDefaultBatch : batchOf(function, recipe.given));
  recipe.tokens = arguments.tokens;
  if (recipe.tokens == 0) {
    RUNG_ASSIGN_OR_RETURN(recipe.tokens, countTokens(model, function));
  }
  return recipe;
}

Result<DriftReport> measure(const DriftArguments &arguments,
                            const std::vector<Binding> &bindings) {
  RUNG_ASSIGN_OR_RETURN(Model model, Model::open(arguments.bundle));
  RUNG_ASSIGN_OR_RETURN(const Function *function,
                        model.function(arguments.function));
  DriftReport report;
  report.bundle = arguments.bundle;
  report.function = function->name;
  report.marks = driftMarks(arguments.steps);
  RUNG_ASSIGN_OR_RETURN(report.recipe,
                        makeRecipe(arguments, bindings, model, *function));

  // The device and, step for step, the two that it is compared with.
  Progress progress("step", 3 * arguments.steps);
  uint64_t before = 0;
  auto run = [&](const std::string &device) {
    auto path = follow(model, *function, device, report.recipe, report.marks,
                       [&](uint64_t done) { progress.show(before + done); });
    before += arguments.steps;
    return path;
  };
  RUNG_ASSIGN_OR_RETURN(Trajectory got, run(arguments.device));
  report.device = got.device;
  report.variant = got.variant;
  note(concat("ran ", quote(function->name), " on ", got.device, ", B ",
              report.recipe.batch, ", input ", describeInputs(report.recipe),
              ", seed ", arguments.seed));
  note(got.explanation);
  RUNG_ASSIGN_OR_RETURN(Trajectory exact, run(kExact));
  RUNG_ASSIGN_OR_RETURN(Trajectory exactOwn, run(kExactOwn));
  report.states = compareTrajectories(got, exact, exactOwn);
  return report;
}

} // namespace

ExitCode driftCommand(const DriftArguments &arguments) {
  Result<std::vector<Binding>> bindings =
      parseBindings(arguments.inputs).while_("reading --input");
  if (!bindings.isOk())
    return fail(bindings.status(), kUsage);
  Result<DriftReport> report = measure(arguments, *bindings);
  if (!report.isOk())
    return fail(report.status());
  if (!arguments.svg.empty())
    if (Status status = writeFile(arguments.svg, formatSvg(plotOf(*report)));
        !status.isOk())
      return fail(status);
  std::string text = arguments.json ? formatJson(*report) : formatText(*report);
  std::fputs(text.c_str(), stdout);
  return kDone;
}

} // namespace rung::tools
