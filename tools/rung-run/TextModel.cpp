//===- TextModel.cpp - a bundle that can make text ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/TextModel.h"

#include "runtime/base/Text.h"
#include "tools/rung-run/RandomPort.h"

#include <utility>

namespace rung::tools {
namespace {

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

} // namespace

Result<TextModel> TextModel::load(const Model &model, const std::string &name) {
  TextModel text;
  RUNG_ASSIGN_OR_RETURN(text.function, chooseFunction(model, name));
  const Generation &g = *text.function->generation;
  RUNG_ASSIGN_OR_RETURN(text.input,
                        loadVocabulary(model, g.inputVocabulary, "input"));
  RUNG_ASSIGN_OR_RETURN(text.output,
                        loadVocabulary(model, g.outputVocabulary, "output"));
  return text;
}

Status checkSeed(const Drawing &drawing, const Function &function,
                 std::string_view needed) {
  if (!drawing.seed || drawing.draw || findRandomPort(function))
    return Status::ok();
  return Status(StatusCode::InvalidArgument,
                concat("--seed requires ", needed, ", since function ",
                       quote(function.name), " rounds nothing stochastically"));
}

Status applyDrawing(const Drawing &drawing, Generator &generator) {
  uint64_t seed = drawing.seed.value_or(0);
  generator.roundWith(seed);
  if (!drawing.draw)
    return Status::ok();
  return generator.sampleWith(Sampler(seed, drawing.temperature, drawing.topK));
}

} // namespace rung::tools
