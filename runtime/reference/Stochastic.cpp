//===- Stochastic.cpp - sums rounded at random ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Stochastic.h"

#include "runtime/base/Text.h"
#include "runtime/reference/Integer.h"
#include "runtime/reference/Philox.h"
#include "runtime/reference/Pointwise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rung::reference {

double addStochastic(double a, double b, uint32_t bits) {
  // Exact: both are multiples of 2^-24 below 2^16.
  double v = a + b;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!(std::abs(v) < 65536))
    return std::isnan(v) ? v : std::copysign(kInfinity, v);
  if (v == 0)
    return v;
  // The gap between neighbours, as wide for all numbers of one exponent and
  // for all below the least normal one; scaled by it, neighbours are integers.
  int gap = std::max(std::ilogb(v), -14) - 10;
  double scaled = std::ldexp(v, -gap);
  double lo = std::floor(scaled);
  double threshold = (scaled - lo) * 0x1p32; // An integer: v has 40 bits.
  double chosen = static_cast<double>(bits) < threshold ? lo + 1 : lo;
  double result = std::ldexp(chosen, gap);
  return std::abs(result) < 65536 ? result : std::copysign(kInfinity, v);
}

namespace {

Result<Pointwise> makeAddStochastic(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(3, 3));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({}));
  constexpr ScalarType kTypes[] = {ScalarType::F16, ScalarType::F16,
                                   ScalarType::I32};
  for (uint32_t i = 0; i < 3; ++i)
    if (node.operandElement(i) != kTypes[i])
      return node.invalid(concat("operand ", i, " is of ",
                                 toString(node.operandElement(i)), "; ",
                                 toString(kTypes[i]), " is needed"));
  if (node.resultElement(0) != ScalarType::F16)
    return node.invalid(concat("the result is of ",
                               toString(node.resultElement(0)),
                               "; f16 is needed"));
  return Pointwise([](const RowArgs &row) {
    for (int64_t i = 0; i < row.count; ++i)
      row.out[i] =
          addStochastic(row.operands[0][i], row.operands[1][i],
                        static_cast<uint32_t>(toInt32(row.operands[2][i])));
  });
}

Result<Pointwise> makeRandomBits(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(0, 0));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"layer", "word"}));
  RUNG_ASSIGN_OR_RETURN(int64_t layer, node.integer("layer"));
  RUNG_ASSIGN_OR_RETURN(int64_t word, node.integer("word"));
  if (layer != static_cast<uint32_t>(layer))
    return node.invalid(concat("layer ", layer, " is not within 32 bits"));
  if (word < 0 || word > 3)
    return node.invalid(concat("word ", word, " is not among 4"));
  if (node.resultElement(0) != ScalarType::I32)
    return node.invalid(concat("the result is of ",
                               toString(node.resultElement(0)),
                               "; i32 is needed"));
  return Pointwise([layer = static_cast<uint32_t>(layer),
                    word](const RowArgs &row) {
    const Place &place = row.place;
    for (int64_t i = 0; i < row.count; ++i)
      row.out[i] = static_cast<int32_t>(
          philox({place.step, layer, place.row,
                  place.column + static_cast<uint32_t>(i)},
                 {place.seedLow, place.seedHigh})[static_cast<size_t>(word)]);
  });
}

} // namespace

Result<Pointwise> makeRandom(const NodeView &node) {
  if (node.op() == "rnn.random")
    return makeRandomBits(node);
  if (node.op() == "rnn.add_stochastic")
    return makeAddStochastic(node);
  return Pointwise();
}

} // namespace rung::reference
