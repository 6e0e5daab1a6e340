//===- NodeView.cpp - one node of a bundle's graph ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/NodeView.h"

#include "runtime/base/Text.h"

#include <algorithm>

namespace rung::reference {

Status NodeView::error(StatusCode code, std::string_view message) const {
  std::string where = node_->location()->size() == 0
                          ? std::string()
                          : " (" + node_->location()->str() + ")";
  return Status(
      code, concat("node ", index_, " ", quote(op()), where, ": ", message));
}

Status NodeView::expectOperands(uint32_t least, uint32_t most) const {
  if (operandCount() >= least && operandCount() <= most)
    return Status::ok();
  std::string wanted = concat(least);
  if (most == UINT32_MAX)
    wanted = concat("at least ", least);
  else if (most != least)
    wanted = concat(least, " to ", most);
  return invalid(
      concat("has ", operandCount(), " operands where it takes ", wanted));
}

Status NodeView::expectResults(uint32_t count) const {
  if (resultCount() == count)
    return Status::ok();
  return invalid(
      concat("has ", resultCount(), " results where it gives ", count));
}

Status NodeView::expectAttributes(
    std::initializer_list<std::string_view> known) const {
  for (const fb::Attribute *attribute : *node_->attributes()) {
    std::string_view name = attribute->name()->string_view();
    if (std::find(known.begin(), known.end(), name) == known.end())
      return unsupported(
          concat("attribute ", quote(name), " is not known to the reference"));
  }
  return Status::ok();
}

const fb::Attribute *NodeView::find(std::string_view name) const {
  for (const fb::Attribute *attribute : *node_->attributes())
    if (attribute->name()->string_view() == name)
      return attribute;
  return nullptr;
}

Result<const fb::Attribute *> NodeView::get(std::string_view name,
                                            fb::AttributeKind kind) const {
  const fb::Attribute *attribute = find(name);
  if (!attribute)
    return invalid(concat("has no attribute '", name, "'"));
  if (attribute->kind() != kind)
    return invalid(concat("attribute '", name, "' is of kind ",
                          fb::EnumNameAttributeKind(attribute->kind()),
                          " instead of ", fb::EnumNameAttributeKind(kind)));
  return attribute;
}

Result<int64_t> NodeView::integer(std::string_view name) const {
  RUNG_ASSIGN_OR_RETURN(const fb::Attribute *attribute,
                        get(name, fb::AttributeKind::Int));
  return attribute->i();
}

Result<double> NodeView::real(std::string_view name) const {
  RUNG_ASSIGN_OR_RETURN(const fb::Attribute *attribute,
                        get(name, fb::AttributeKind::Float));
  return attribute->f();
}

Result<std::string_view> NodeView::string(std::string_view name) const {
  RUNG_ASSIGN_OR_RETURN(const fb::Attribute *attribute,
                        get(name, fb::AttributeKind::String));
  return attribute->s()->string_view();
}

Result<std::vector<int64_t>> NodeView::integers(std::string_view name) const {
  RUNG_ASSIGN_OR_RETURN(const fb::Attribute *attribute,
                        get(name, fb::AttributeKind::Ints));
  return std::vector<int64_t>(attribute->ints()->begin(),
                              attribute->ints()->end());
}

Result<std::vector<double>> NodeView::reals(std::string_view name) const {
  RUNG_ASSIGN_OR_RETURN(const fb::Attribute *attribute,
                        get(name, fb::AttributeKind::Floats));
  return std::vector<double>(attribute->floats()->begin(),
                             attribute->floats()->end());
}

Result<std::vector<std::string_view>>
NodeView::strings(std::string_view name) const {
  RUNG_ASSIGN_OR_RETURN(const fb::Attribute *attribute,
                        get(name, fb::AttributeKind::Strings));
  std::vector<std::string_view> values;
  for (const flatbuffers::String *value : *attribute->strings())
    values.push_back(value->string_view());
  return values;
}

Result<size_t>
NodeView::choice(std::string_view name,
                 std::initializer_list<std::string_view> choices) const {
  RUNG_ASSIGN_OR_RETURN(std::string_view value, string(name));
  auto found = std::find(choices.begin(), choices.end(), value);
  if (found == choices.end())
    return unsupported(concat("attribute '", name, "' is ", quote(value),
                              ", not one of ", joined(choices)));
  return static_cast<size_t>(found - choices.begin());
}

Result<std::vector<uint32_t>> NodeView::segments(size_t count) const {
  RUNG_ASSIGN_OR_RETURN(std::vector<int64_t> sizes,
                        integers("operand_segments"));
  if (sizes.size() != count)
    return invalid(concat("has ", sizes.size(),
                          " operand segments where it takes ", count));
  uint64_t total = 0;
  for (int64_t size : sizes) {
    if (size < 0 || size > operandCount())
      return invalid(concat("operand segment of ", size, " among ",
                            operandCount(), " operands"));
    total += static_cast<uint64_t>(size);
  }
  if (total != operandCount())
    return invalid(concat("operand segments cover ", total, " of ",
                          operandCount(), " operands"));
  return std::vector<uint32_t>(sizes.begin(), sizes.end());
}

} // namespace rung::reference
