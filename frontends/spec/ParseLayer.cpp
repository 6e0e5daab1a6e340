//===- ParseLayer.cpp - the layers of a function --------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/Suggest.h"
#include "frontends/spec/Parse.h"

#include <algorithm>
#include <format>

namespace rung::spec {
namespace {

using ParseParameters = void (*)(Fields &, Layer &, const FileDiagnostics &);

/// An operation of a description: its keys beside `name`, `op` and the input,
/// and how many values it reads.
struct Operation {
  std::string_view name;
  size_t leastInputs;
  size_t mostInputs;
  std::vector<std::string_view> keys;
  ParseParameters parse;
};

void parseEmbedding(Fields &fields, Layer &layer, const FileDiagnostics &) {
  auto &embedding = layer.parameters.emplace<EmbeddingLayer>();
  fields.text("weight", embedding.weight, Need::Required);
}

void parseLinear(Fields &fields, Layer &layer, const FileDiagnostics &) {
  auto &linear = layer.parameters.emplace<LinearLayer>();
  fields.text("weight", linear.weight, Need::Required);
  if (fields.has("bias"))
    fields.text("bias", linear.bias.emplace(), Need::Required);
  fields.flag("transposed", linear.transposed);
}

void parseRmsNorm(Fields &fields, Layer &layer, const FileDiagnostics &) {
  auto &norm = layer.parameters.emplace<RmsNormLayer>();
  fields.text("weight", norm.weight, Need::Required);
  Located<double> epsilon{norm.epsilon, {}};
  fields.number("epsilon", epsilon, Need::Optional);
  if (epsilon.value < 0)
    fields.error(epsilon.location,
                 std::format("'epsilon' of {} is {}; it must not be negative",
                             fields.what(), epsilon.value));
  norm.epsilon = epsilon.value;
}

void parseActivationLayer(Fields &fields, Layer &layer,
                          const FileDiagnostics &report) {
  auto &activation = layer.parameters.emplace<ActivationLayer>();
  if (const YamlNode *node = fields.find("function", Need::Required))
    if (!parseActivation(*node, activation.activation, report))
      fields.fail();
}

template <typename T>
void parseNothing(Fields &, Layer &layer, const FileDiagnostics &) {
  layer.parameters.emplace<T>();
}

void parseGruLayer(Fields &fields, Layer &layer,
                   const FileDiagnostics &report) {
  parseGru(fields, layer.parameters.emplace<GruLayer>(), report);
}

constexpr size_t kMaxInputs = 64;

const std::vector<Operation> &operations() {
  static const std::vector<Operation> table = {
      {"embedding", 1, 1, {"weight"}, parseEmbedding},
      {"linear", 1, 1, {"weight", "bias", "transposed"}, parseLinear},
      {"gru", 1, 1, gruKeys(), parseGruLayer},
      {"rms_norm", 1, 1, {"weight", "epsilon"}, parseRmsNorm},
      {"activation", 1, 1, {"function"}, parseActivationLayer},
      {"softmax", 1, 1, {}, parseNothing<SoftmaxLayer>},
      {"argmax", 1, 1, {}, parseNothing<ArgmaxLayer>},
      {"add", 2, 2, {}, parseNothing<AddLayer>},
      {"concat", 2, kMaxInputs, {}, parseNothing<ConcatLayer>},
  };
  return table;
}

/// The operation a layer names. Without it no other key can be judged.
const Operation *findOperation(const YamlNode &node,
                               const FileDiagnostics &report) {
  if (node.kind != YamlNode::Kind::Map) {
    report.error(node.location,
                 std::format("layer is {}, not a mapping", node.describe()));
    return nullptr;
  }
  auto op = std::find_if(node.entries.begin(), node.entries.end(),
                         [](const YamlEntry &e) { return e.key == "op"; });
  if (op == node.entries.end()) {
    report.error(node.location, "layer has no 'op'");
    return nullptr;
  }
  std::vector<std::string_view> names;
  for (const Operation &operation : operations())
    names.push_back(operation.name);
  auto index = readChoice(op->value, "'op' of a layer", names, report);
  return index ? &operations()[*index] : nullptr;
}

void parseInputs(Fields &fields, const Operation &operation, Layer &layer,
                 const FileDiagnostics &report) {
  if (operation.mostInputs == 1) {
    if (fields.has("input"))
      fields.name("input", layer.inputs.emplace_back(), Need::Required);
    return;
  }
  const YamlNode *list = fields.sequence("inputs", Need::Required);
  if (!list)
    return;
  size_t count = list->items.size();
  if (count < operation.leastInputs || count > operation.mostInputs)
    fields.error(list->location,
                 operation.leastInputs == operation.mostInputs
                     ? std::format("'inputs' of {} has {} names; '{}' needs {}",
                                   fields.what(), count, operation.name,
                                   operation.leastInputs)
                     : std::format("'inputs' of {} has {} names; '{}' needs "
                                   "{} to {}",
                                   fields.what(), count, operation.name,
                                   operation.leastInputs,
                                   operation.mostInputs));
  for (const YamlNode &item : list->items)
    if (!readName(item, "an input of " + fields.what(),
                  layer.inputs.emplace_back(), report))
      fields.fail();
}

} // namespace

std::optional<Layer> parseLayer(const YamlNode &node,
                                const FileDiagnostics &report) {
  const Operation *operation = findOperation(node, report);
  if (!operation)
    return std::nullopt;
  std::string what = std::format("'{}' layer", operation->name);
  for (const YamlEntry &entry : node.entries)
    if (entry.key == "name" && entry.value.kind == YamlNode::Kind::Scalar)
      what = std::format("layer '{}'", entry.value.text);

  std::vector<std::string_view> keys = operation->keys;
  keys.insert(keys.end(),
              {"name", "op", operation->mostInputs == 1 ? "input" : "inputs"});
  Fields fields(node, what, keys, report);
  Layer layer;
  fields.name("name", layer.name, Need::Required);
  fields.text("op", layer.op, Need::Required);
  parseInputs(fields, *operation, layer, report);
  operation->parse(fields, layer, report);
  if (!fields.good())
    return std::nullopt;
  return layer;
}

} // namespace rung::spec
