//===- GruNames.cpp - the names of a GRU's tensors in a file --------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/spec/GruCell.h"

#include <format>

namespace rung::spec {

static std::string_view roleText(Role role) {
  switch (role) {
  case Role::Input:
    return "input";
  case Role::Recurrent:
    return "recurrent";
  case Role::InputBias:
    return "input_bias";
  case Role::RecurrentBias:
    return "recurrent_bias";
  case Role::Bias:
    return "bias";
  }
  return "";
}

/// `name` with every `mark` replaced; true when there was one.
static bool replaceAll(std::string &name, std::string_view mark,
                       std::string_view text) {
  bool any = false;
  for (size_t at = name.find(mark); at != std::string::npos;
       at = name.find(mark, at + text.size())) {
    name.replace(at, mark.size(), text);
    any = true;
  }
  return any;
}

static std::string pytorchName(Role role, int64_t index, bool reverse,
                               bool suffixed) {
  std::string name;
  switch (role) {
  case Role::Input:
    name = "weight_ih";
    break;
  case Role::Recurrent:
    name = "weight_hh";
    break;
  case Role::InputBias:
    name = "bias_ih";
    break;
  default:
    name = "bias_hh";
    break;
  }
  if (suffixed)
    name += std::format("_l{}", index);
  return reverse ? name + "_reverse" : name;
}

/// Whether names carry `_reverse`. A layer that runs in reverse only may have
/// been trained as the second half of a bidirectional one, or on flipped input.
bool GruWeightLoader::reverseInName(const Cell &cell) const {
  if (!cell.reverse || gru_.directions() > 1)
    return cell.reverse;
  const std::string &prefix = gru_.weights.prefix;
  return table_.contains(prefix + pytorchName(Role::Input, 0, true, true)) ||
         table_.contains(prefix + "input_reverse");
}

/// The name by the layer's convention, without marks replaced. Null when the
/// convention has no tensor for the role.
std::optional<std::string>
GruWeightLoader::conventionName(Role role, const Cell &cell) const {
  const GruWeights &weights = gru_.weights;
  if (!weights.usesConvention)
    return std::nullopt;
  bool joint = weights.convention == Convention::Keras ||
               weights.convention == Convention::Onnx;
  if (joint ? role == Role::InputBias || role == Role::RecurrentBias
            : role == Role::Bias)
    return std::nullopt;

  std::string name;
  switch (weights.convention) {
  case Convention::Rung:
    name =
        std::string(roleText(role)) + (reverseInName(cell) ? "_reverse" : "");
    break;
  case Convention::Keras:
    name = role == Role::Input       ? "kernel"
           : role == Role::Recurrent ? "recurrent_kernel"
                                     : "bias";
    break;
  case Convention::Onnx:
    name = role == Role::Input ? "W" : role == Role::Recurrent ? "R" : "B";
    break;
  case Convention::PyTorch: {
    // With a prefix for each layer, every one is the first of its module.
    bool own = weights.prefix.find("{layer}") != std::string::npos;
    name = pytorchName(role, own ? 0 : cell.index, reverseInName(cell), true);
    // nn.GRUCell has the same names without a layer.
    std::string bare = pytorchName(role, 0, reverseInName(cell), false);
    if (gru_.layers.value == 1 && !table_.contains(weights.prefix + name) &&
        table_.contains(weights.prefix + bare))
      name = bare;
    break;
  }
  }
  return weights.prefix + name;
}

/// Replaces `{layer}` and `{direction}`; several layers or directions must be
/// told apart by the name.
bool GruWeightLoader::substitute(Name &name, const Cell &cell) const {
  const std::string pattern = name.value;
  bool keras = gru_.weights.convention == Convention::Keras;
  bool layered = replaceAll(name.value, "{layer}", std::to_string(cell.index));
  bool directed = replaceAll(name.value, "{direction}",
                             !cell.reverse ? "forward"
                             : keras       ? "backward"
                                           : "reverse");
  if (gru_.layers.value > 1 && !layered && !cell.nameTellsLayer)
    return table_.report().error(
        name.location,
        std::format("layer '{}' stacks {} layers, but the tensor name '{}' has "
                    "no '{{layer}}' to tell them apart",
                    layer_.name.value, gru_.layers.value, pattern));
  if (gru_.directions() > 1 && !directed && !cell.nameTellsDirection)
    return table_.report().error(
        name.location,
        std::format("layer '{}' is bidirectional, but the tensor name '{}' has "
                    "no '{{direction}}' to tell the directions apart, and "
                    "there is none in 'reverse_names'",
                    layer_.name.value, pattern));
  return true;
}

/// The name of the tensor for `role`, not yet looked for. A null optional when
/// the description gives none; an empty name after an error.
std::optional<Name> GruWeightLoader::tensorName(Role role,
                                                const Cell &cell) const {
  const GruWeights &weights = gru_.weights;
  Convention convention = weights.convention;
  Cell known = cell;
  // ONNX keeps both directions in one tensor.
  known.nameTellsDirection = convention == Convention::Onnx;
  known.nameTellsLayer = false;

  Name name;
  auto reverse = weights.reverseNames.find(role);
  auto given = weights.names.find(role);
  if (cell.reverse && reverse != weights.reverseNames.end()) {
    name = reverse->second;
    known.nameTellsDirection = true;
  } else if (given != weights.names.end()) {
    name = given->second;
    known.nameTellsDirection |=
        !cell.reverse && weights.reverseNames.contains(role);
  } else if (auto byConvention = conventionName(role, cell)) {
    name = {*byConvention, weights.location};
    known.nameTellsDirection |=
        convention == Convention::PyTorch || convention == Convention::Rung;
    known.nameTellsLayer = convention == Convention::PyTorch;
  } else {
    return std::nullopt;
  }
  if (!substitute(name, known))
    return Name{};
  return name;
}

const safetensors::Tensor *GruWeightLoader::findRequired(Role role,
                                                         const Cell &cell) {
  std::optional<Name> name = tensorName(role, cell);
  if (!name) {
    table_.report().error(
        gru_.weights.location,
        std::format("'weights' of layer '{}' names no '{}' tensor",
                    layer_.name.value, roleText(role)));
    return nullptr;
  }
  if (name->value.empty())
    return nullptr;
  return table_.find(*name, std::format("layer '{}'", layer_.name.value));
}

/// A bias that the convention names may be absent from the file; one that the
/// description names may not.
bool GruWeightLoader::findOptional(Role role, const Cell &cell,
                                   const safetensors::Tensor *&tensor) {
  tensor = nullptr;
  std::optional<Name> name = tensorName(role, cell);
  if (!name)
    return true;
  if (name->value.empty())
    return false;
  bool given = gru_.weights.names.contains(role) ||
               (cell.reverse && gru_.weights.reverseNames.contains(role));
  if (!given && !table_.contains(name->value))
    return true;
  tensor = table_.find(*name, std::format("layer '{}'", layer_.name.value));
  return tensor != nullptr;
}

} // namespace rung::spec
