//===- ParseGru.cpp - the keys of a GRU -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/Suggest.h"
#include "frontends/spec/Parse.h"

#include <format>

namespace rung::spec {

constexpr int64_t kMaxHidden = 1 << 16;
constexpr int64_t kMaxLayers = 64;

const std::vector<std::string_view> &gruKeys() {
  static const std::vector<std::string_view> keys = {
      "hidden",      "layers", "heads",   "reset",   "update", "direction",
      "activations", "clip",   "lengths", "weights", "state"};
  return keys;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

namespace {
struct FunctionInfo {
  std::string_view name;
  int parameters;
};
constexpr FunctionInfo kFunctions[] = {
    {"sigmoid", 0},      {"tanh", 0},     {"relu", 0},
    {"affine", 2},       {"identity", 0}, {"leaky_relu", 1},
    {"scaled_tanh", 2},  {"elu", 1},      {"thresholded_relu", 1},
    {"hard_sigmoid", 2}, {"softsign", 0}, {"softplus", 0}};
} // namespace

static bool readFunction(const YamlNode &node, Name &out, int &parameters,
                         const FileDiagnostics &report) {
  std::vector<std::string_view> names;
  for (const FunctionInfo &function : kFunctions)
    names.push_back(function.name);
  auto index = readChoice(node, "activation", names, report);
  if (!index)
    return false;
  out = {node.text, node.location};
  parameters = kFunctions[*index].parameters;
  return true;
}

bool parseActivation(const YamlNode &node, Activation &activation,
                     const FileDiagnostics &report) {
  int parameters = 0;
  if (node.kind != YamlNode::Kind::Map)
    return readFunction(node, activation.function, parameters, report);

  Fields fields(node, "activation", {"name", "alpha", "beta"}, report);
  const YamlNode *name = fields.find("name", Need::Required);
  if (!fields.good() ||
      !readFunction(*name, activation.function, parameters, report))
    return false;
  if (fields.has("alpha"))
    fields.number("alpha", activation.alpha.emplace(), Need::Required);
  if (fields.has("beta"))
    fields.number("beta", activation.beta.emplace(), Need::Required);
  if (activation.alpha && parameters < 1)
    fields.error(
        activation.alpha->location,
        std::format("activation '{}' has no alpha", activation.function.value));
  if (activation.beta && parameters < 2)
    fields.error(
        activation.beta->location,
        std::format("activation '{}' has no beta", activation.function.value));
  return fields.good();
}

static void parseActivations(Fields &fields, GruLayer &gru,
                             const FileDiagnostics &report) {
  const YamlNode *list = fields.sequence("activations", Need::Optional);
  if (!list)
    return;
  gru.activationsLocation = list->location;
  size_t whole = 2 * static_cast<size_t>(gru.directions());
  if (list->items.size() != 2 && list->items.size() != whole)
    fields.error(list->location,
                 std::format("'activations' of {} has {} entries; it needs 2, "
                             "of the gates and of the candidate{}",
                             fields.what(), list->items.size(),
                             whole == 4 ? ", or 4 for both directions" : ""));
  for (const YamlNode &item : list->items)
    if (!parseActivation(item, gru.activations.emplace_back(), report))
      fields.fail();
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

namespace {
struct RoleKey {
  std::string_view key;
  Role role;
};
constexpr RoleKey kRoleKeys[] = {{"input", Role::Input},
                                 {"recurrent", Role::Recurrent},
                                 {"input_bias", Role::InputBias},
                                 {"recurrent_bias", Role::RecurrentBias},
                                 {"bias", Role::Bias}};
} // namespace

static bool parseNames(const YamlNode &node, std::string what, RoleNames &names,
                       const FileDiagnostics &report) {
  std::vector<std::string_view> keys;
  for (const RoleKey &role : kRoleKeys)
    keys.push_back(role.key);
  Fields fields(node, std::move(what), keys, report);
  for (const RoleKey &role : kRoleKeys)
    if (fields.has(role.key))
      fields.text(role.key, names[role.role], Need::Required);
  return fields.good();
}

static void parseOrder(Fields &fields, GruWeights &weights,
                       const FileDiagnostics &report) {
  const YamlNode *list = fields.sequence("order", Need::Optional);
  if (!list)
    return;
  std::array<int, 3> order{};
  std::array<bool, 3> seen{};
  if (list->items.size() != 3)
    return fields.error(list->location,
                        std::format("'order' has {} gates; it needs the 3 of "
                                    "z, r and n",
                                    list->items.size()));
  for (size_t i = 0; i < 3; ++i) {
    auto gate = readChoice(list->items[i], "gate", {"z", "r", "n"}, report);
    if (!gate)
      return fields.fail();
    if (seen[*gate])
      return fields.error(list->items[i].location,
                          std::format("gate '{}' stands twice in 'order'",
                                      list->items[i].text));
    seen[*gate] = true;
    order[i] = static_cast<int>(*gate);
  }
  weights.order = order;
}

static void parseWeights(Fields &gruFields, GruLayer &gru,
                         const FileDiagnostics &report) {
  const YamlNode *node = gruFields.map("weights", Need::Required);
  if (!node)
    return;
  GruWeights &weights = gru.weights;
  weights.location = node->location;
  Fields fields(
      *node, "'weights' of " + gruFields.what(),
      {"convention", "prefix", "names", "reverse_names", "order", "transposed"},
      report);
  if (auto choice = fields.choice(
          "convention", {"rung", "pytorch", "keras", "onnx"}, Need::Optional))
    weights.convention = static_cast<Convention>(*choice);
  weights.usesConvention = fields.has("convention") || fields.has("prefix");
  // An empty prefix is meaningful: names as the convention has them.
  if (const YamlNode *prefix = fields.find("prefix", Need::Optional)) {
    if (prefix->kind == YamlNode::Kind::Scalar)
      weights.prefix = prefix->text;
    else
      fields.error(prefix->location,
                   std::format("'prefix' of {} is {}, not text", fields.what(),
                               prefix->describe()));
  }
  bool namesGood = true;
  if (const YamlNode *names = fields.find("names", Need::Optional))
    namesGood &= parseNames(*names, "'names'", weights.names, report);
  if (const YamlNode *names = fields.find("reverse_names", Need::Optional)) {
    namesGood &=
        parseNames(*names, "'reverse_names'", weights.reverseNames, report);
    if (gru.direction == Direction::Forward)
      fields.error(names->location,
                   std::format("'reverse_names' is given, but {} runs forward "
                               "only",
                               gruFields.what()));
  }
  parseOrder(fields, weights, report);
  if (fields.has("transposed")) {
    bool transposed = false;
    fields.flag("transposed", transposed);
    weights.transposed = transposed;
  }
  if (!weights.usesConvention && !fields.has("names"))
    fields.error(node->location,
                 std::format("{} has neither 'convention', 'prefix' nor "
                             "'names'",
                             fields.what()));
  if (!fields.good() || !namesGood)
    gruFields.fail();
}

//===----------------------------------------------------------------------===//
// The layer
//===----------------------------------------------------------------------===//

void parseGru(Fields &fields, GruLayer &gru, const FileDiagnostics &report) {
  fields.integer("hidden", gru.hidden, 1, kMaxHidden, Need::Required);
  fields.integer("layers", gru.layers, 1, kMaxLayers, Need::Optional);
  fields.integer("heads", gru.heads, 1, kMaxHidden, Need::Optional);
  if (gru.hidden.value > 0 && gru.hidden.value % gru.heads.value != 0)
    fields.error(gru.heads.location,
                 std::format("{} heads do not divide the hidden size {} of {}",
                             gru.heads.value, gru.hidden.value, fields.what()));
  if (auto choice = fields.choice("reset", {"before", "after"}, Need::Optional))
    gru.reset = static_cast<Reset>(*choice);
  if (auto choice = fields.choice("update", {"keep", "take"}, Need::Optional))
    gru.update = static_cast<Update>(*choice);
  if (auto choice = fields.choice(
          "direction", {"forward", "reverse", "bidirectional"}, Need::Optional))
    gru.direction = static_cast<Direction>(*choice);
  parseActivations(fields, gru, report);
  if (fields.has("clip")) {
    Located<double> clip;
    fields.number("clip", clip, Need::Required);
    // Left at zero when it is no number, which is reported already.
    if (clip.location.line && clip.value <= 0)
      fields.error(clip.location,
                   std::format("'clip' of {} is {}; it must be over 0",
                               fields.what(), clip.value));
    gru.clip = clip.value;
  }
  if (fields.has("lengths"))
    fields.name("lengths", gru.lengths.emplace(), Need::Required);
  fields.name("state", gru.state, Need::Optional);
  parseWeights(fields, gru, report);
}

} // namespace rung::spec
