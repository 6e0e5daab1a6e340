//===- GruEquations.cpp - the gated recurrent unit, as written ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/GruEquations.h"

#include "runtime/reference/Tensor.h"

#include <algorithm>

namespace rung::reference {

// W x + bW for one gate and unit.
double GruEquations::fromInput(Gate gate, int64_t unit, const double *x) const {
  int64_t row = gate * hiddenSize + unit;
  return dot(w + row * inputSize, x, inputSize) + (bw ? bw[row] : 0.0);
}

// U h + bU for one gate and unit; a unit sees the states of its own head only.
double GruEquations::fromState(Gate gate, int64_t unit, const double *h) const {
  int64_t perHead = hiddenSize / heads;
  int64_t head = unit / perHead, output = unit % perHead;
  const double *row =
      u + (head * 3 * perHead + gate * perHead + output) * perHead;
  double bias = bu ? bu[gate * hiddenSize + unit] : 0.0;
  return dot(row, h + head * perHead, perHead) + bias;
}

double GruEquations::limited(double a) const {
  return clip ? std::clamp(a, -*clip, *clip) : a;
}

void GruEquations::step(int64_t head, const double *x, double *h,
                        std::vector<double> &scratch) const {
  int64_t perHead = hiddenSize / heads;
  int64_t begin = head * perHead, end = begin + perHead;
  scratch.resize(3 * static_cast<size_t>(hiddenSize));
  double *z = scratch.data();
  double *r = z + hiddenSize;
  double *n = r + hiddenSize;

  for (int64_t i = begin; i < end; ++i) {
    z[i] = f(limited(fromInput(kUpdate, i, x) + fromState(kUpdate, i, h)));
    r[i] = f(limited(fromInput(kReset, i, x) + fromState(kReset, i, h)));
  }
  if (resetAfter) {
    for (int64_t i = begin; i < end; ++i)
      n[i] = g(limited(fromInput(kCandidate, i, x) +
                       r[i] * fromState(kCandidate, i, h)));
  } else {
    for (int64_t i = begin; i < end; ++i)
      r[i] *= h[i];
    for (int64_t i = begin; i < end; ++i)
      n[i] =
          g(limited(fromInput(kCandidate, i, x) + fromState(kCandidate, i, r)));
  }
  for (int64_t i = begin; i < end; ++i)
    h[i] = updateTakes ? (1 - z[i]) * h[i] + z[i] * n[i]
                       : z[i] * h[i] + (1 - z[i]) * n[i];
}

} // namespace rung::reference
