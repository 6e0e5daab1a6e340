//===- IntegerNorm.cpp - root-mean-square norm in integers ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/reference/FixedPoint.h"
#include "runtime/reference/Integer.h"
#include "runtime/reference/Kernel.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace rung::reference {
namespace {

struct IntegerNorm {
  NodeView node;
  int64_t epsilon = 0;
  int shift = 1;

  static Result<IntegerNorm> make(const NodeView &node);
  Result<std::vector<Tensor>> run(Operands operands) const;

private:
  void normalize(const double *x, const double *factor, double *out,
                 int64_t width) const;
};

Result<IntegerNorm> IntegerNorm::make(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(2, 2));
  RUNG_RETURN_IF_ERROR(node.expectResults(1));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"epsilon", "shift"}));
  IntegerNorm norm{node};
  RUNG_ASSIGN_OR_RETURN(norm.epsilon, node.integer("epsilon"));
  RUNG_ASSIGN_OR_RETURN(int64_t shift, node.integer("shift"));
  if (norm.epsilon < 0 || norm.epsilon > INT32_MAX || shift < 1 || shift > 62)
    return node.invalid(concat("epsilon ", norm.epsilon, " and shift ", shift,
                               " are not within 0 to ", INT32_MAX,
                               " and 1 to 62"));
  norm.shift = static_cast<int>(shift);
  if (node.resultElement(0) != ScalarType::I32)
    return node.invalid("the result is no i32");
  return norm;
}

/// The largest q with q * q <= v.
int64_t floorRoot(int64_t v) {
  int64_t q = 0;
  for (int64_t bit = int64_t(1) << 31; bit; bit >>= 1)
    if ((q + bit) * (q + bit) <= v)
      q += bit;
  return q;
}

void IntegerNorm::normalize(const double *x, const double *factor, double *out,
                            int64_t width) const {
  auto limited = [&](int64_t j) {
    return std::clamp<int64_t>(toInt32(x[j]), -32767, 32767);
  };
  // Squares lose so many bits that their sum fits 32.
  int log = std::bit_width(static_cast<uint64_t>(width) - 1); // ceil(log2 N)
  int k = std::max(0, log - 1);
  int64_t half = k ? int64_t(1) << (k - 1) : 0;
  int64_t v = epsilon;
  for (int64_t j = 0; j < width; ++j)
    v += (limited(j) * limited(j) + half) >> k;
  v = std::max<int64_t>(v, 1);
  int d = 0;
  for (; v < (int64_t(1) << 30); v <<= 2)
    ++d;
  int64_t q = floorRoot(v);
  int up = d + 14 - (k + 1) / 2;
  for (int64_t j = 0; j < width; ++j) {
    int64_t scaled =
        up >= 0 ? limited(j) * (int64_t(1) << up) : limited(j) >> -up;
    out[j] =
        requantize(static_cast<int32_t>(scaled / q), toInt32(factor[j]), shift);
  }
}

Result<std::vector<Tensor>> IntegerNorm::run(Operands operands) const {
  const Tensor &x = *operands[0], &factor = *operands[1];
  if (x.rank() < 1)
    return node.invalid("input has no axis");
  RUNG_RETURN_IF_ERROR(expectShape(node, "factor", factor, {x.lastDim()}));
  RUNG_RETURN_IF_ERROR(expectElement(node, "input", x, ScalarType::I32));
  RUNG_RETURN_IF_ERROR(expectElement(node, "factor", factor, ScalarType::I32));
  std::vector<Tensor> results;
  Tensor &out = results.emplace_back(Tensor::zeros(ScalarType::I32, x.dims));
  for (int64_t i = 0; x.lastDim() > 0 && i < x.rows(); ++i)
    normalize(x.row(i), factor.values.data(), out.row(i), x.lastDim());
  return results;
}

} // namespace

Result<Kernel> makeIntegerNormKernel(const NodeView &node,
                                     const Interpretation &) {
  if (node.op() != "rnn.integer_rms_norm")
    return Kernel();
  RUNG_ASSIGN_OR_RETURN(IntegerNorm norm, IntegerNorm::make(node));
  return Kernel([norm](Operands operands) { return norm.run(operands); });
}

} // namespace rung::reference
