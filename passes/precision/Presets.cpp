//===- Presets.cpp - named precisions ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/Presets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rung;
using namespace rung::rnn;

namespace {
struct Preset {
  StringLiteral name;
  Format operand, accumulate, state;
};
} // namespace

static constexpr Preset kPresets[] = {
    {"fp32", Format::F32, Format::F32, Format::F32},
    {"fp16-mixed", Format::F16, Format::F32, Format::F32},
    {"bf16-mixed", Format::BF16, Format::F32, Format::F32},
};

std::string rung::listPrecisionPresets() {
  return llvm::join(
      llvm::map_range(kPresets,
                      [](const Preset &preset) { return preset.name.str(); }),
      ", ");
}

llvm::Expected<PrecisionAttr> rung::getPrecisionPreset(MLIRContext *context,
                                                       StringRef name) {
  for (const Preset &preset : kPresets)
    if (preset.name == name)
      return PrecisionAttr::get(context, preset.operand, preset.accumulate,
                                preset.state, Round::Nearest);
  if (name == "tf32")
    return llvm::createStringError(
        "precision 'tf32' cannot be had: cooperative matrices have no tf32 "
        "component type; presets are " +
        listPrecisionPresets());
  return llvm::createStringError("precision '" + name +
                                 "' is unknown; presets are " +
                                 listPrecisionPresets());
}
