//===- Presets.cpp - named precisions ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/Presets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace rung;
using namespace rung::rnn;

namespace {
struct Preset {
  StringLiteral name;
  Format operand, accumulate, state;
  Round round = Round::Nearest;
};
} // namespace

static constexpr Preset kPresets[] = {
    {"fp32", Format::F32, Format::F32, Format::F32},
    {"fp16-mixed", Format::F16, Format::F32, Format::F32},
    {"bf16-mixed", Format::BF16, Format::F32, Format::F32},
    {"fp16", Format::F16, Format::F16, Format::F16},
    {"fp16-sr", Format::F16, Format::F16, Format::F16, Round::Stochastic},
    {"fp16x2", Format::F16, Format::F16, Format::F16x2},
    {"fp16x2-sr", Format::F16, Format::F16, Format::F16x2, Round::Stochastic},
    {"int8", Format::S8, Format::S32, Format::S32},
};

static constexpr StringLiteral kOptions =
    "state=s16|s32, pieces=2..64, operand=1|2, "
    "activation=piecewise|table|table-linear, all";

std::string rung::listPrecisionPresets() {
  return llvm::join(
      llvm::map_range(kPresets,
                      [](const Preset &preset) { return preset.name.str(); }),
      ", ");
}

static const Preset *findPreset(StringRef name) {
  const Preset *found = llvm::find_if(
      kPresets, [&](const Preset &preset) { return preset.name == name; });
  return found == std::end(kPresets) ? nullptr : found;
}

static llvm::Error refuse(const llvm::Twine &text) {
  return llvm::createStringError(text.str());
}

/// Sets the option of int8 that \p text names; false if there is none such.
static bool setOption(PrecisionOptions &options, StringRef text) {
  auto [key, value] = text.split('=');
  auto isOneOf = [&, value = value](auto... names) {
    return ((value == names) || ...);
  };
  if (text == "all") {
    options.all = true;
    return true;
  }
  if (key == "state" && isOneOf("s16", "s32")) {
    options.state = value.str();
    return true;
  }
  if (key == "pieces")
    return !value.getAsInteger(10, options.pieces) && options.pieces >= 2 &&
           options.pieces <= 64;
  if (key == "operand" && isOneOf("1", "2")) {
    options.operandBytes = value == "1" ? 1 : 2;
    return true;
  }
  if (key == "activation" && isOneOf("piecewise", "table", "table-linear")) {
    options.activation = value.str();
    return true;
  }
  return false;
}

llvm::Expected<PrecisionOptions> rung::parsePrecision(StringRef text) {
  auto [name, rest] = text.split(',');
  if (name == "tf32")
    return refuse("precision 'tf32' cannot be had: cooperative matrices have "
                  "no tf32 component type; presets are " +
                  listPrecisionPresets());
  if (!findPreset(name))
    return refuse("precision '" + name + "' is unknown; presets are " +
                  listPrecisionPresets());
  PrecisionOptions options;
  options.preset = name.str();
  llvm::SmallVector<StringRef> items;
  if (name.size() != text.size())
    rest.split(items, ',');
  llvm::StringSet<> seen;
  for (StringRef item : items) {
    if (!seen.insert(item.split('=').first).second)
      return refuse("precision '" + name + "' has option '" +
                    item.split('=').first + "' twice");
    if (name != "int8")
      return refuse("precision '" + name + "' has no option '" + item +
                    "'; 'int8' alone has options");
    if (!setOption(options, item))
      return refuse("precision 'int8' has no option '" + item +
                    "'; options are " + kOptions);
  }
  return options;
}

PrecisionAttr rung::getPrecisionAttr(MLIRContext *context,
                                     const PrecisionOptions &options) {
  const Preset *preset = findPreset(options.preset);
  assert(preset && "parsePrecision refuses other presets");
  Format state = preset->state;
  if (state == Format::S32 && options.state == "s16")
    state = Format::S16;
  return PrecisionAttr::get(context, preset->operand, preset->accumulate, state,
                            preset->round);
}

llvm::Expected<PrecisionAttr> rung::getPrecisionPreset(MLIRContext *context,
                                                       StringRef text) {
  llvm::Expected<PrecisionOptions> options = parsePrecision(text);
  if (!options)
    return options.takeError();
  return getPrecisionAttr(context, *options);
}
