//===- CellBody.cpp - one step of one row, given as a graph ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/CellBody.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <utility>

namespace rung::reference {

Status CellBody::readValues(const NodeView &owner) {
  const fb::Graph &graph = *owner.body();
  for (const fb::TensorType *type : *graph.values()) {
    Dims dims(type->dims()->begin(), type->dims()->end());
    Result<int64_t> size = elementCount(dims);
    if (!size.isOk())
      return owner.from(size.status().while_(
          concat("reading value ", dims_.size(), " of its body")));
    dims_.push_back(std::move(dims));
    elements_.push_back(toScalarType(type->element()));
    sizes_.push_back(*size);
  }
  arguments_.assign(graph.inputs()->begin(), graph.inputs()->end());
  yields_.assign(graph.outputs()->begin(), graph.outputs()->end());
  return Status::ok();
}

Result<CellBody> CellBody::make(const NodeView &owner, BodyArguments arguments,
                                F32 f32) {
  const fb::Graph *graph = owner.body();
  if (!graph)
    return owner.invalid("has no body");
  CellBody body;
  body.f32_ = f32;
  RUNG_RETURN_IF_ERROR(body.readValues(owner));
  if (body.arguments_.size() != arguments.count() ||
      arguments.rows + arguments.states == 0)
    return owner.invalid(concat("has a body of ", body.arguments_.size(),
                                " arguments for ", arguments.rows,
                                " sequences, ", arguments.weights,
                                " weights and ", arguments.states, " states"));
  body.varies_.assign(body.dims_.size(), true);
  for (uint32_t i = 0; i < arguments.count(); ++i)
    body.varies_[body.arguments_[i]] = !arguments.isWeight(i);
  uint32_t first = arguments.states ? arguments.rows + arguments.weights : 0;
  body.width_ = body.sizes_[body.arguments_[first]];
  for (uint32_t i = 0; i < graph->nodes()->size(); ++i) {
    Status status = body.addNode(NodeView(*graph, i));
    if (!status.isOk())
      return owner.from(std::move(status).while_("binding its body"));
  }
  body.group_ = body.findGroup();
  body.planSlots();
  return body;
}

Status CellBody::addNode(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectResults(1));
  Instruction instruction;
  instruction.result = node.result(0);
  for (uint32_t i = 0; i < node.operandCount(); ++i)
    instruction.operands.push_back(node.operand(i));
  if (node.op() == "rnn.dot") {
    instruction.kind = Instruction::kDot;
    RUNG_RETURN_IF_ERROR(bindDot(node, instruction));
  } else if (node.op() == "tensor.extract_slice") {
    instruction.kind = Instruction::kSlice;
    RUNG_ASSIGN_OR_RETURN(instruction.slice, bindSlice(node));
  } else {
    instruction.kind = Instruction::kPointwise;
    RUNG_RETURN_IF_ERROR(bindPointwise(node, instruction));
  }
  if (node.op() == "rnn.sigmoid" || node.op() == "math.tanh")
    instruction.activation = activationCount_++;
  takesRandom_ |= node.op() == "rnn.random";
  varies_[instruction.result] =
      node.op() == "rnn.random" ||
      std::any_of(instruction.operands.begin(), instruction.operands.end(),
                  [&](uint32_t value) { return varies_[value]; });
  schedule(std::move(instruction));
  return Status::ok();
}

bool CellBody::isArgument(uint32_t value) const {
  return std::find(arguments_.begin(), arguments_.end(), value) !=
         arguments_.end();
}

// A value that no step can change is computed before the first, and a part of
// an argument's row lies where the row is.
void CellBody::schedule(Instruction instruction) {
  auto index = static_cast<uint32_t>(instructions_.size());
  if (!varies_[instruction.result])
    once_.push_back(index);
  else if (instruction.kind == Instruction::kSlice &&
           instruction.slice.isRow() && isArgument(instruction.operands[0]))
    aliases_.push_back({instruction.operands[0], instruction.result,
                        instruction.slice.offsets[0]});
  else
    each_.push_back(index);
  instructions_.push_back(std::move(instruction));
}

Status CellBody::bindPointwise(const NodeView &node,
                               Instruction &instruction) const {
  RUNG_ASSIGN_OR_RETURN(instruction.pointwise, Pointwise::make(node, f32_));
  if (!instruction.pointwise)
    return node.unsupported("the operation is not known to the reference");
  const Dims &result = dims_[node.result(0)];
  if (instruction.operands.empty() && sizes_[node.result(0)] != width_)
    return node.invalid(concat("result has shape ", toString(result),
                               " in a body of width ", width_));
  for (uint32_t i = 0; i < node.operandCount(); ++i) {
    uint32_t value = node.operand(i);
    if (instruction.pointwise.table() == i) {
      if (varies_[value])
        return node.invalid("table depends on a row or a state");
    } else if (dims_[value] != result) {
      return node.invalid(concat("operand has shape ", toString(dims_[value]),
                                 " but the result has ", toString(result)));
    }
  }
  return Status::ok();
}

Status CellBody::bindDot(const NodeView &node, Instruction &instruction) const {
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
  if (varies_[node.operand(1)])
    return node.invalid("weight depends on a row or a state");
  Result<Accumulation> accumulation = accumulationOf(
      node.operandElement(0), node.operandElement(1), node.resultElement(0));
  if (!accumulation.isOk())
    return node.from(accumulation.status());
  instruction.accumulation = *accumulation;
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
