//===- CellFrame.cpp - the values of one step of a cell -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/CellBody.h"
#include "runtime/reference/Rounding.h"

namespace rung::reference {
namespace {

void dotHeads(const Dims &weight, const double *row, const double *w,
              ScalarType element, double *out) {
  int64_t heads = weight[0], outputs = weight[1], inputs = weight[2];
  for (int64_t head = 0; head < heads; ++head)
    for (int64_t o = 0; o < outputs; ++o) {
      const double *line = w + (head * outputs + o) * inputs;
      out[head * outputs + o] =
          roundResult(element, dot(line, row + head * inputs, inputs));
    }
}

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

CellBody::Frame::Frame(const CellBody &body)
    : body_(&body), storage_(body.dims_.size()),
      values_(body.dims_.size(), nullptr) {
  for (const Instruction &instruction : body.instructions_) {
    std::vector<double> &memory = storage_[instruction.result];
    memory.assign(static_cast<size_t>(body.sizes_[instruction.result]), 0.0);
    values_[instruction.result] = memory.data();
  }
}

void CellBody::Frame::run(const std::vector<uint32_t> &instructions) {
  for (uint32_t index : instructions) {
    const Instruction &instruction = body_->instructions_[index];
    double *out = storage_[instruction.result].data();
    const double *operands[Pointwise::kMaxOperands] = {};
    for (size_t i = 0; i < instruction.operands.size(); ++i)
      operands[i] = values_[instruction.operands[i]];
    switch (instruction.kind) {
    case Instruction::kPointwise:
      instruction.pointwise.apply(instruction.element, operands, out,
                                  body_->sizes_[instruction.result]);
      break;
    case Instruction::kDot:
      dotHeads(body_->dims_[instruction.operands[1]], operands[0], operands[1],
               instruction.element, out);
      break;
    case Instruction::kSlice: {
      const Slice &slice = instruction.slice;
      copySlice(slice.source, slice.offsets, slice.sizes, slice.strides, 0,
                operands[0], out);
      break;
    }
    }
  }
}

} // namespace rung::reference
