//===- CellFrame.cpp - the values of one step of a cell -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/CellFrame.h"

#include <algorithm>

namespace rung::reference {
namespace {

// Copies axis `axis` and those behind it; returns where the next element goes.
double *copySlice(const Dims &source, const Dims &offsets, const Dims &sizes,
                  const Dims &strides, size_t axis, const double *from,
                  double *to) {
  if (axis == source.size()) {
    *to = *from;
    return to + 1;
  }
  int64_t pitch = 1;
  for (size_t i = axis + 1; i < source.size(); ++i)
    pitch *= source[i];
  for (int64_t i = 0; i < sizes[axis]; ++i)
    to = copySlice(source, offsets, sizes, strides, axis + 1,
                   from + (offsets[axis] + i * strides[axis]) * pitch, to);
  return to;
}

} // namespace

//===----------------------------------------------------------------------===//
// What no step changes
//===----------------------------------------------------------------------===//

CellWeights::CellWeights(const CellBody &body, const BodyArguments &arguments,
                         std::span<const Tensor *const> weights)
    : storage_(body.dims_.size()), values_(body.dims_.size(), nullptr),
      matrices_(body.instructions_.size()) {
  for (uint32_t i = 0; i < arguments.weights; ++i)
    values_[body.arguments_[arguments.rows + i]] = weights[i]->values.data();
  for (uint32_t index : body.once_)
    compute(body, body.instructions_[index]);
  for (uint32_t index : body.each_) {
    const CellBody::Instruction &instruction = body.instructions_[index];
    if (instruction.kind != CellBody::Instruction::kDot)
      continue;
    const Dims &dims = body.dims_[instruction.operands[1]];
    matrices_[index].emplace(
        instruction.accumulation, body.elements_[instruction.result], dims[0],
        dims[1], dims[2], values_[instruction.operands[1]]);
  }
}

void CellWeights::compute(const CellBody &body,
                          const CellBody::Instruction &instruction) {
  using Instruction = CellBody::Instruction;
  std::vector<double> &memory = storage_[instruction.result];
  memory.resize(static_cast<size_t>(body.sizes_[instruction.result]));
  values_[instruction.result] = memory.data();
  const double *first =
      instruction.operands.empty() ? nullptr : values_[instruction.operands[0]];
  switch (instruction.kind) {
  case Instruction::kPointwise: {
    RowArgs row{.out = memory.data(), .count = body.sizes_[instruction.result]};
    for (size_t i = 0; i < instruction.operands.size(); ++i)
      row.operands[i] = values_[instruction.operands[i]];
    instruction.pointwise.apply(row);
    break;
  }
  case Instruction::kDot: {
    const Dims &dims = body.dims_[instruction.operands[1]];
    HeadMatrices(instruction.accumulation, body.elements_[instruction.result],
                 dims[0], dims[1], dims[2], values_[instruction.operands[1]])
        .multiply(0, dims[0], first, memory.data());
    break;
  }
  case Instruction::kSlice: {
    const CellBody::Slice &slice = instruction.slice;
    copySlice(slice.source, slice.offsets, slice.sizes, slice.strides, 0, first,
              memory.data());
    break;
  }
  }
}

//===----------------------------------------------------------------------===//
// What a step computes
//===----------------------------------------------------------------------===//

CellFrame::CellFrame(const CellBody &body, const CellWeights &weights,
                     int64_t begin, int64_t count)
    : body_(body), weights_(weights), begin_(begin), count_(count),
      apart_(count != body.width()), values_(weights.values_) {
  for (int64_t size : body.slotSizes_)
    slots_.emplace_back(static_cast<size_t>(countOf(size)));
  for (size_t value = 0; value < values_.size(); ++value)
    if (values_[value] && body.dims_[value] == Dims{body.width()})
      values_[value] += begin;
  for (uint32_t index : body.each_) {
    uint32_t result = body.instructions_[index].result;
    values_[result] = slots_[body.slots_[result]].data();
  }
}

void CellFrame::setArgument(uint32_t i, const double *row) {
  uint32_t argument = body_.arguments_[i];
  values_[argument] = row + begin_;
  for (const CellBody::Alias &alias : body_.aliases_)
    if (alias.argument == argument)
      values_[alias.result] = row + alias.offset + begin_;
}

void CellFrame::execute(uint32_t index, const Place &place) {
  const CellBody::Instruction &instruction = body_.instructions_[index];
  double *out = slots_[body_.slots_[instruction.result]].data();
  switch (instruction.kind) {
  case CellBody::Instruction::kPointwise: {
    RowArgs row{.out = out,
                .count = countOf(body_.sizes_[instruction.result]),
                .place = place};
    for (size_t i = 0; i < instruction.operands.size(); ++i)
      row.operands[i] = values_[instruction.operands[i]];
    // A table is whole, also where the rows are as long as it is.
    if (auto table = instruction.pointwise.table())
      row.operands[*table] = weights_.values_[instruction.operands[*table]];
    instruction.pointwise.apply(row);
    break;
  }
  case CellBody::Instruction::kDot: {
    const HeadMatrices &matrices = *weights_.matrices_[index];
    int64_t first = apart_ ? begin_ / matrices.inputs() : 0;
    int64_t count = apart_ ? count_ / matrices.inputs() : matrices.heads();
    matrices.multiply(first, count, values_[instruction.operands[0]], out);
    break;
  }
  case CellBody::Instruction::kSlice: {
    const CellBody::Slice &slice = instruction.slice;
    copySlice(slice.source, slice.offsets, slice.sizes, slice.strides, 0,
              values_[instruction.operands[0]], out);
    break;
  }
  }
}

void CellFrame::run(Place place, std::vector<Range> *activations) {
  place.column = static_cast<uint32_t>(begin_);
  for (uint32_t index : body_.each_) {
    const CellBody::Instruction &instruction = body_.instructions_[index];
    if (instruction.activation && activations) {
      uint32_t operand = instruction.operands[0];
      int64_t count = countOf(body_.sizes_[operand]);
      (*activations)[*instruction.activation].include(
          {values_[operand], static_cast<size_t>(count)});
    }
    execute(index, place);
  }
}

int64_t columnsOfAFrame(const CellBody &body) {
  constexpr int64_t kEnough = 128;
  int64_t group = body.group();
  int64_t groups = std::max<int64_t>(1, kEnough / group);
  return std::min(body.width(), groups * group);
}

} // namespace rung::reference
