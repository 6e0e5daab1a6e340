//===- TimeAxis.cpp - arrays in pieces of time ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/TimeAxis.h"

#include <utility>

namespace rung::tools {
namespace {

/// A tensor as [outer, T, inner] bytes.
struct TimeView {
  size_t outer = 1, steps, inner;

  TimeView(const Tensor &tensor, size_t axis) : steps(tensor.shape[axis]) {
    inner = byteSize(tensor.type);
    for (size_t i = 0; i < tensor.shape.size(); ++i)
      if (i != axis)
        (i < axis ? outer : inner) *= tensor.shape[i];
  }
};

} // namespace

std::optional<size_t> timeAxis(const Port &port) {
  for (size_t axis = 0; axis < port.dims.size(); ++axis)
    if (port.dims[axis] == RUNG_DIM_T)
      return axis;
  return std::nullopt;
}

bool holdsLengths(const Port &port) {
  return !port.isState() && port.dims == std::vector<int64_t>{RUNG_DIM_B};
}

Tensor sliceTime(const Tensor &tensor, size_t axis, uint64_t begin,
                 uint64_t end) {
  TimeView view(tensor, axis);
  Tensor slice;
  slice.type = tensor.type;
  slice.shape = tensor.shape;
  slice.shape[axis] = end - begin;
  for (size_t o = 0; o < view.outer; ++o) {
    auto from = tensor.data.begin() + o * view.steps * view.inner;
    slice.data.insert(slice.data.end(), from + begin * view.inner,
                      from + end * view.inner);
  }
  return slice;
}

void appendTime(Tensor &whole, const Tensor &piece, size_t axis) {
  TimeView before(whole, axis), more(piece, axis);
  Tensor result;
  result.type = whole.type;
  result.shape = whole.shape;
  result.shape[axis] += piece.shape[axis];
  for (size_t o = 0; o < before.outer; ++o) {
    auto copy = [&](const Tensor &from, const TimeView &view) {
      auto begin = from.data.begin() + o * view.steps * view.inner;
      result.data.insert(result.data.end(), begin,
                         begin + view.steps * view.inner);
    };
    copy(whole, before);
    copy(piece, more);
  }
  whole = std::move(result);
}

} // namespace rung::tools
