//===- ParseFunction.cpp - functions and how their names resolve ----------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/Suggest.h"
#include "frontends/spec/Parse.h"

#include <format>
#include <map>

namespace rung::spec {

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

static bool parseShape(const YamlNode &list, Input &input,
                       const FileDiagnostics &report) {
  for (const YamlNode &item : list.items) {
    if (item.kind == YamlNode::Kind::Scalar && item.text == "T") {
      input.shape.push_back(kSizeT);
    } else if (item.kind == YamlNode::Kind::Scalar && item.text == "B") {
      input.shape.push_back(kSizeB);
    } else {
      Located<int64_t> size;
      if (!readInteger(item,
                       std::format("a size of input '{}', unless T or B,",
                                   input.name.value),
                       1, kMaxWidth, size, report))
        return false;
      input.shape.push_back(size.value);
    }
  }
  const std::vector<int64_t> &shape = input.shape;
  bool sequence = shape.size() >= 2 && shape[0] == kSizeT && shape[1] == kSizeB;
  bool rows = !shape.empty() && shape[0] == kSizeB;
  size_t width = sequence ? 2 : 1;
  if (input.type == ElementType::I32) {
    if ((sequence || rows) && shape.size() == width)
      return true;
    return report.error(list.location,
                        std::format("i32 input '{}' has another shape than "
                                    "[T, B] (ids) or [B] (lengths)",
                                    input.name.value));
  }
  if ((sequence || rows) && shape.size() == width + 1 && shape[width] > 0)
    return true;
  return report.error(list.location,
                      std::format("f32 input '{}' has another shape than "
                                  "[T, B, N] (a sequence) or [B, N] (rows)",
                                  input.name.value));
}

static bool parseInput(const YamlEntry &entry, Input &input,
                       const FileDiagnostics &report) {
  if (!readName(entry.keyNode(), "the name of an input", input.name, report))
    return false;
  Fields fields(entry.value, std::format("input '{}'", entry.key),
                {"type", "shape"}, report);
  if (auto type = fields.choice("type", {"f32", "i32"}, Need::Required))
    input.type = static_cast<ElementType>(*type);
  const YamlNode *shape = fields.sequence("shape", Need::Required);
  return fields.good() && parseShape(*shape, input, report);
}

static bool parseOutput(const YamlEntry &entry, Output &output,
                        const FileDiagnostics &report) {
  return readName(entry.keyNode(), "the name of an output", output.name,
                  report) &&
         readName(entry.value, std::format("output '{}'", entry.key),
                  output.value, report);
}

std::optional<Function> parseFunction(const std::string &name,
                                      SourceLocation location,
                                      const YamlNode &node,
                                      const FileDiagnostics &report) {
  Function function;
  function.name = {name, location};
  Fields fields(node, std::format("function '{}'", name),
                {"inputs", "layers", "outputs"}, report);
  if (const YamlNode *inputs = fields.map("inputs", Need::Required)) {
    for (const YamlEntry &entry : inputs->entries)
      if (!parseInput(entry, function.inputs.emplace_back(), report))
        fields.fail();
    if (inputs->entries.empty())
      fields.error(inputs->location, fields.what() + " has no inputs");
  }
  if (const YamlNode *layers = fields.sequence("layers", Need::Required)) {
    for (const YamlNode &item : layers->items) {
      if (auto layer = parseLayer(item, report))
        function.layers.push_back(std::move(*layer));
      else
        fields.fail();
    }
    if (layers->items.empty())
      fields.error(layers->location, fields.what() + " has no layers");
  }
  if (const YamlNode *outputs = fields.map("outputs", Need::Required)) {
    for (const YamlEntry &entry : outputs->entries)
      if (!parseOutput(entry, function.outputs.emplace_back(), report))
        fields.fail();
    if (outputs->entries.empty())
      fields.error(outputs->location, fields.what() + " has no outputs");
  }
  // Without all of its pieces, names would fail to resolve for no new reason.
  if (!fields.good() || !resolveFunction(function, report))
    return std::nullopt;
  return function;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {

/// The values of a function by name: inputs first, then layers, in order.
class Scope {
public:
  Scope(Function &function, const FileDiagnostics &report)
      : function_(function), report_(report) {}

  bool resolve();

private:
  /// Position of inputs is 0, of layer i is i + 1.
  struct Value {
    SourceLocation location;
    size_t position;
    bool used = false;
  };

  bool declare(const Name &name, size_t position);
  bool use(const Name &name, const std::string &user, size_t position);
  bool giveDefaultInput(size_t index);
  void warnUnused();

  Function &function_;
  const FileDiagnostics &report_;
  std::map<std::string, Value> values_;
};

bool Scope::declare(const Name &name, size_t position) {
  auto [entry, fresh] =
      values_.try_emplace(name.value, Value{name.location, position});
  if (fresh)
    return true;
  return report_.error(
      name.location,
      std::format("name '{}' is given twice in function '{}'; the first is at "
                  "line {}",
                  name.value, function_.name.value,
                  entry->second.location.line));
}

bool Scope::use(const Name &name, const std::string &user, size_t position) {
  auto entry = values_.find(name.value);
  if (entry == values_.end()) {
    std::vector<std::string_view> names;
    for (const auto &[known, value] : values_)
      if (value.position < position)
        names.push_back(known);
    return report_.error(
        name.location,
        std::format("{} reads '{}', which is neither an input nor a layer of "
                    "function '{}'{}",
                    user, name.value, function_.name.value,
                    didYouMean(name.value, names)));
  }
  Value &value = entry->second;
  value.used = true;
  if (value.position < position)
    return true;
  if (value.position == position)
    return report_.error(name.location, user + " reads itself");
  return report_.error(
      name.location,
      std::format("{} reads '{}', which comes later (line {}); a layer reads "
                  "layers above it, so that there is no cycle",
                  user, name.value, value.location.line));
}

/// The layer above, or the one input that is no lengths.
bool Scope::giveDefaultInput(size_t index) {
  Layer &layer = function_.layers[index];
  if (index > 0) {
    layer.inputs.push_back(
        {function_.layers[index - 1].name.value, layer.name.location});
    return true;
  }
  for (const Input &input : function_.inputs)
    if (input.shape.size() > 1)
      layer.inputs.push_back({input.name.value, layer.name.location});
  if (layer.inputs.size() == 1)
    return true;
  return report_.error(
      layer.name.location,
      std::format("layer '{}' names no 'input', is the first of its function "
                  "and can't take the only input, since there are {}",
                  layer.name.value, layer.inputs.size()));
}

void Scope::warnUnused() {
  for (const Input &input : function_.inputs)
    if (!values_.at(input.name.value).used)
      report_.warning(
          input.name.location,
          std::format("input '{}' is read by no layer", input.name.value));
  // A recurrent layer has its states as outputs.
  for (const Layer &layer : function_.layers)
    if (!values_.at(layer.name.value).used &&
        !std::holds_alternative<GruLayer>(layer.parameters))
      report_.warning(layer.name.location,
                      std::format("layer '{}' is read by no layer and no "
                                  "output",
                                  layer.name.value));
}

bool Scope::resolve() {
  bool good = true;
  for (const Input &input : function_.inputs)
    good &= declare(input.name, 0);
  for (size_t i = 0; i < function_.layers.size(); ++i)
    good &= declare(function_.layers[i].name, i + 1);
  if (!good)
    return false;
  for (size_t i = 0; i < function_.layers.size(); ++i) {
    Layer &layer = function_.layers[i];
    std::string user = std::format("layer '{}'", layer.name.value);
    if (layer.inputs.empty() && !giveDefaultInput(i)) {
      good = false;
      continue;
    }
    for (const Name &input : layer.inputs)
      good &= use(input, user, i + 1);
    if (auto *gru = std::get_if<GruLayer>(&layer.parameters)) {
      if (gru->lengths)
        good &= use(*gru->lengths, user, i + 1);
      if (gru->state.value.empty())
        gru->state = {layer.name.value + ".state", layer.name.location};
    }
  }
  for (const Output &output : function_.outputs)
    good &= use(output.value, std::format("output '{}'", output.name.value),
                function_.layers.size() + 1);
  if (good)
    warnUnused();
  return good;
}

} // namespace

bool resolveFunction(Function &function, const FileDiagnostics &report) {
  return Scope(function, report).resolve();
}

} // namespace rung::spec
