//===- CellBody.cpp - one step of one row, given as a graph ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/CellBody.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <utility>

namespace rung::reference {

Result<CellBody> CellBody::make(const NodeView &recurrence, uint32_t sequences,
                                uint32_t weights, uint32_t states) {
  const fb::Graph *graph = recurrence.body();
  if (!graph)
    return recurrence.invalid("has no body");
  CellBody body;
  for (const fb::TensorType *type : *graph->values()) {
    Dims dims(type->dims()->begin(), type->dims()->end());
    Result<int64_t> size = elementCount(dims);
    if (!size.isOk())
      return recurrence.from(size.status().while_(
          concat("reading value ", body.dims_.size(), " of its body")));
    body.dims_.push_back(std::move(dims));
    body.sizes_.push_back(*size);
  }
  body.arguments_.assign(graph->inputs()->begin(), graph->inputs()->end());
  body.yields_.assign(graph->outputs()->begin(), graph->outputs()->end());
  if (body.arguments_.size() != sequences + weights + states || states == 0)
    return recurrence.invalid(concat(
        "has a body of ", body.arguments_.size(), " arguments for ", sequences,
        " sequences, ", weights, " weights and ", states, " states"));
  body.varies_.assign(body.dims_.size(), true);
  for (uint32_t i = sequences; i < sequences + weights; ++i)
    body.varies_[body.arguments_[i]] = false;
  body.width_ = body.sizes_[body.arguments_[sequences + weights]];
  for (uint32_t i = 0; i < graph->nodes()->size(); ++i) {
    Status status = body.addNode(NodeView(*graph, i));
    if (!status.isOk())
      return recurrence.from(std::move(status).while_("binding its body"));
  }
  return body;
}

Status CellBody::addNode(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectResults(1));
  Instruction instruction;
  instruction.result = node.result(0);
  instruction.element = node.resultElement(0);
  for (uint32_t i = 0; i < node.operandCount(); ++i)
    instruction.operands.push_back(node.operand(i));
  if (node.op() == "rnn.dot") {
    instruction.kind = Instruction::kDot;
    RUNG_RETURN_IF_ERROR(bindDot(node));
  } else if (node.op() == "tensor.extract_slice") {
    instruction.kind = Instruction::kSlice;
    RUNG_ASSIGN_OR_RETURN(instruction.slice, bindSlice(node));
  } else {
    instruction.kind = Instruction::kPointwise;
    RUNG_RETURN_IF_ERROR(bindPointwise(node, instruction));
  }
  schedule(std::move(instruction));
  return Status::ok();
}

// A value that no step can change is computed before the first.
void CellBody::schedule(Instruction instruction) {
  bool varies =
      std::any_of(instruction.operands.begin(), instruction.operands.end(),
                  [&](uint32_t value) { return varies_[value]; });
  varies_[instruction.result] = varies;
  auto index = static_cast<uint32_t>(instructions_.size());
  (varies ? each_ : once_).push_back(index);
  instructions_.push_back(std::move(instruction));
}

Status CellBody::bindPointwise(const NodeView &node,
                               Instruction &instruction) const {
  RUNG_ASSIGN_OR_RETURN(instruction.pointwise, Pointwise::make(node));
  if (!instruction.pointwise)
    return node.unsupported("the operation is not known to the reference");
  const Dims &result = dims_[node.result(0)];
  if (instruction.pointwise.isConstant() && sizes_[node.result(0)] != width_)
    return node.invalid(concat("constant has shape ", toString(result),
                               " in a body of width ", width_));
  for (uint32_t value : instruction.operands)
    if (dims_[value] != result)
      return node.invalid(concat("operand has shape ", toString(dims_[value]),
                                 " but the result has ", toString(result)));
  return Status::ok();
}

Status CellBody::bindDot(const NodeView &node) const {
  RUNG_RETURN_IF_ERROR(node.expectOperands(2, 2));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({}));
  const Dims &row = dims_[node.operand(0)], &weight = dims_[node.operand(1)],
             &result = dims_[node.result(0)];
  if (weight.size() != 3)
    return node.invalid(concat("weight has shape ", toString(weight),
                               " instead of [heads, outputs, inputs]"));
  if (row != Dims{weight[0] * weight[2]} ||
      result != Dims{weight[0] * weight[1]})
    return node.invalid(concat("weight of shape ", toString(weight),
                               " does not take ", toString(row), " to ",
                               toString(result)));
  return Status::ok();
}

Result<CellBody::Slice> CellBody::bindSlice(const NodeView &node) const {
  RUNG_RETURN_IF_ERROR(node.expectOperands(1, 1));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"offsets", "sizes", "strides"}));
  Slice slice;
  slice.source = dims_[node.operand(0)];
  RUNG_ASSIGN_OR_RETURN(slice.offsets, node.integers("offsets"));
  RUNG_ASSIGN_OR_RETURN(slice.sizes, node.integers("sizes"));
  RUNG_ASSIGN_OR_RETURN(slice.strides, node.integers("strides"));
  size_t rank = slice.source.size();
  if (slice.offsets.size() != rank || slice.sizes.size() != rank ||
      slice.strides.size() != rank)
    return node.invalid(concat("offsets, sizes and strides have lengths ",
                               slice.offsets.size(), ", ", slice.sizes.size(),
                               " and ", slice.strides.size(),
                               " for a source of rank ", rank));
  int64_t count = 1;
  for (size_t i = 0; i < rank; ++i) {
    int64_t offset = slice.offsets[i], size = slice.sizes[i],
            stride = slice.strides[i], extent = slice.source[i];
    if (offset < 0 || size < 1 || stride < 1 || offset >= extent ||
        size - 1 > (extent - 1 - offset) / stride)
      return node.invalid(concat("axis ", i, " takes ", size, " from ", offset,
                                 " in steps of ", stride, " out of ", extent));
    count *= size;
  }
  if (count != sizes_[node.result(0)])
    return node.invalid(concat("takes ", count, " elements for a result of ",
                               toString(dims_[node.result(0)])));
  return slice;
}

} // namespace rung::reference
