//===- VerifyGraph.cpp - graphs of the reference --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/VerifyContext.h"

#include <vector>

namespace rung {

namespace {
using Indices = flatbuffers::Vector<uint32_t>;

/// Which values of one graph are defined so far.
class Definitions {
public:
  explicit Definitions(uint32_t count) : defined_(count) {}

  Status define(std::string_view noun, const Indices &values) {
    for (uint32_t value : values) {
      RUNG_RETURN_IF_ERROR(checkRange(noun, value));
      if (defined_[value])
        return invalidBundle(noun, " value ", value, " is defined twice");
      defined_[value] = true;
    }
    return Status::ok();
  }
  Status use(std::string_view noun, const Indices &values) const {
    for (uint32_t value : values) {
      RUNG_RETURN_IF_ERROR(checkRange(noun, value));
      if (!defined_[value])
        return invalidBundle(noun, " value ", value,
                             " is not defined before its use");
    }
    return Status::ok();
  }
  Status checkComplete() const {
    for (size_t value = 0; value < defined_.size(); ++value)
      if (!defined_[value])
        return invalidBundle("value ", value, " is never defined");
    return Status::ok();
  }

private:
  Status checkRange(std::string_view noun, uint32_t value) const {
    if (value < defined_.size())
      return Status::ok();
    return invalidBundle(noun, " value ", value, " is not below the number of ",
                         "values ", defined_.size());
  }
  std::vector<bool> defined_;
};

Status verifyAttribute(VerifyContext &context, const fb::Attribute &attribute) {
  using Kind = fb::AttributeKind;
  Kind kind = attribute.kind();
  if (kind > Kind::MAX)
    return invalidBundle("attribute kind ", kind, " is unknown");
  RUNG_RETURN_IF_ERROR(context.text(*attribute.s()));
  RUNG_RETURN_IF_ERROR(context.charge(*attribute.ints()));
  RUNG_RETURN_IF_ERROR(context.charge(*attribute.floats()));
  RUNG_RETURN_IF_ERROR(context.charge(*attribute.strings()));
  for (const flatbuffers::String *text : *attribute.strings())
    RUNG_RETURN_IF_ERROR(context.text(*text));
  bool clean = (kind == Kind::Int || attribute.i() == 0) &&
               (kind == Kind::Float || attribute.f() == 0) &&
               (kind == Kind::String || attribute.s()->size() == 0) &&
               (kind == Kind::Ints || attribute.ints()->size() == 0) &&
               (kind == Kind::Floats || attribute.floats()->size() == 0) &&
               (kind == Kind::Strings || attribute.strings()->size() == 0);
  if (!clean)
    return invalidBundle("an attribute of kind ",
                         fb::EnumNameAttributeKind(kind),
                         " has a value of another kind, too");
  return Status::ok();
}

const fb::Attribute *findAttribute(const fb::Node &node,
                                   std::string_view name) {
  for (const fb::Attribute *attribute : *node.attributes())
    if (attribute->name()->string_view() == name)
      return attribute;
  return nullptr;
}

/// The sizes of the operand groups add up to the number of operands.
Status verifySegments(const fb::Node &node) {
  const fb::Attribute *segments = findAttribute(node, "operand_segments");
  if (!segments)
    return Status::ok();
  if (segments->kind() != fb::AttributeKind::Ints)
    return invalidBundle("attribute 'operand_segments' is no list of integers");
  uint64_t sum = 0;
  uint64_t count = node.operands()->size();
  for (int64_t size : *segments->ints()) {
    if (size < 0 || uint64_t(size) > count)
      return invalidBundle("a segment of ", size, " operands is not among ",
                           count);
    sum += uint64_t(size);
  }
  if (sum != count)
    return invalidBundle("the segments have ", sum, " operands, and there are ",
                         count);
  return Status::ok();
}

Status verifyLoadWeight(const fb::Bundle &bundle, const fb::Graph &graph,
                        const fb::Node &node) {
  if (node.op()->string_view() != "rnn.load_weight")
    return Status::ok();
  const fb::Attribute *weight = findAttribute(node, "weight");
  if (!weight || weight->kind() != fb::AttributeKind::Int)
    return invalidBundle("there is no integer attribute 'weight'");
  uint32_t count = bundle.weights()->size();
  if (weight->i() < 0 || weight->i() >= count)
    return invalidBundle("weight ", weight->i(), " is not among ", count);
  if (node.results()->size() != 1)
    return invalidBundle("there are ", node.results()->size(),
                         " results, not 1");
  const auto &stored =
      *bundle.weights()->Get(static_cast<uint32_t>(weight->i()))->type();
  const auto &result = *graph.values()->Get(node.results()->Get(0));
  if (!equal(stored, result))
    return invalidBundle("the result has type ", toString(result),
                         ", and weight ", weight->i(), " has ",
                         toString(stored));
  return Status::ok();
}

Status verifyNode(VerifyContext &context, const fb::Graph &graph,
                  const fb::Node &node, Definitions &definitions) {
  RUNG_RETURN_IF_ERROR(context.text(*node.location()));
  RUNG_RETURN_IF_ERROR(context.charge(*node.operands()));
  RUNG_RETURN_IF_ERROR(context.charge(*node.results()));
  RUNG_RETURN_IF_ERROR(definitions.use("operand", *node.operands()));
  RUNG_RETURN_IF_ERROR(definitions.define("result", *node.results()));
  RUNG_RETURN_IF_ERROR(
      forEachNamed(context, "attribute", *node.attributes(),
                   [&](const fb::Attribute &attribute, uint32_t) {
                     return verifyAttribute(context, attribute);
                   }));
  RUNG_RETURN_IF_ERROR(verifySegments(node));
  RUNG_RETURN_IF_ERROR(verifyLoadWeight(context.bundle, graph, node));
  if (!node.body())
    return Status::ok();
  return verifyGraph(context, *node.body()).while_("verifying the body");
}
} // namespace

Status verifyGraph(VerifyContext &context, const fb::Graph &graph) {
  RUNG_RETURN_IF_ERROR(context.charge(*graph.values()));
  RUNG_RETURN_IF_ERROR(context.charge(*graph.nodes()));
  RUNG_RETURN_IF_ERROR(context.charge(*graph.inputs()));
  RUNG_RETURN_IF_ERROR(context.charge(*graph.outputs()));
  RUNG_RETURN_IF_ERROR(forEach("value", *graph.values(),
                               [&](const fb::TensorType &type, uint32_t) {
                                 return context.type(type);
                               }));
  Definitions definitions(graph.values()->size());
  RUNG_RETURN_IF_ERROR(definitions.define("input", *graph.inputs()));
  for (uint32_t i = 0; i < graph.nodes()->size(); ++i) {
    const fb::Node &node = *graph.nodes()->Get(i);
    NameSet op;
    std::string where =
        concat("verifying node ", i, " ", quote(node.op()->string_view()));
    RUNG_RETURN_IF_ERROR(context.text(*node.op()).while_(where));
    RUNG_RETURN_IF_ERROR(op.add(node.op()->string_view()).while_(where));
    RUNG_RETURN_IF_ERROR(
        verifyNode(context, graph, node, definitions).while_(where));
  }
  RUNG_RETURN_IF_ERROR(definitions.use("output", *graph.outputs()));
  return definitions.checkComplete();
}

} // namespace rung
