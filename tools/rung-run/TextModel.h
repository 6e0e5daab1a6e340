//===- TextModel.h - a bundle that can make text ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_TEXTMODEL_H
#define RUNG_TOOLS_RUNG_RUN_TEXTMODEL_H

#include "tools/rung-run/Generator.h"
#include "tools/rung-run/Model.h"
#include "tools/rung-run/Vocabulary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rung::tools {

/// The function of a bundle that generates, and the symbols that it reads and
/// writes. Points into the model.
struct TextModel {
  const Function *function = nullptr;
  Vocabulary input, output;

  /// `name` may be empty where one function alone can generate. Fails where
  /// the bundle has no vocabularies.
  static Result<TextModel> load(const Model &model, const std::string &name);
};

/// How tokens are drawn. Without `draw` the likeliest is taken.
struct Drawing {
  bool draw = false;
  std::optional<uint64_t> seed; ///< Of drawing and of stochastic rounding.
  double temperature = 1;
  uint32_t topK = 0;
};

/// Fails where a seed is given that nothing uses, a mistake of the command
/// line's; `needed` is the option that would draw.
Status checkSeed(const Drawing &drawing, const Function &function,
                 std::string_view needed);

/// Sets up `generator` as `drawing` says; the sampler starts anew.
Status applyDrawing(const Drawing &drawing, Generator &generator);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_TEXTMODEL_H
