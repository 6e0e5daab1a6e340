//===- FixedPoint.cpp - the integer operations of a body ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/FixedPoint.h"

#include "runtime/base/Text.h"
#include "runtime/reference/Integer.h"
#include "runtime/reference/Pointwise.h"

#include <algorithm>
#include <limits>

namespace rung::reference {

int32_t Pieces::operator()(int32_t x) const {
  size_t piece = 0; // Counting all knots is faster than a search that branches.
  for (int32_t knot : knots)
    piece += knot <= x;
  return static_cast<int32_t>(
      static_cast<uint32_t>(offsets[piece]) +
      static_cast<uint32_t>(requantize(x, slopes[piece], shift)));
}

int32_t Lookup::operator()(int32_t x, const double *table) const {
  int64_t last = ((interpolate ? size - 1 : size) << shift) - 1;
  int64_t u = std::clamp<int64_t>(x - low, 0, last);
  int64_t i = u >> shift;
  int64_t value = toInt32(table[i]);
  if (interpolate)
    value += roundedProduct(toInt32(table[i + 1]) - value,
                            u & ((int64_t(1) << shift) - 1), shift);
  return static_cast<int32_t>(static_cast<uint32_t>(value));
}

namespace {

/// Operands and the result are i32.
Status expectI32(const NodeView &node, uint32_t operands) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(operands, operands));
  for (uint32_t i = 0; i < operands; ++i)
    if (node.operandElement(i) != ScalarType::I32)
      return node.invalid(concat("operand ", i, " is of ",
                                 toString(node.operandElement(i)),
                                 "; i32 is needed"));
  if (node.resultElement(0) != ScalarType::I32)
    return node.invalid(concat("the result is of ",
                               toString(node.resultElement(0)),
                               "; i32 is needed"));
  return Status::ok();
}

Result<int> shiftOf(const NodeView &node, int64_t least, int64_t most) {
  RUNG_ASSIGN_OR_RETURN(int64_t shift, node.integer("shift"));
  if (shift < least || shift > most)
    return node.invalid(
        concat("shift is ", shift, ", not within ", least, " to ", most));
  return static_cast<int>(shift);
}

Result<std::vector<int32_t>> int32s(const NodeView &node,
                                    std::string_view name) {
  RUNG_ASSIGN_OR_RETURN(std::vector<int64_t> values, node.integers(name));
  for (int64_t value : values)
    if (value != static_cast<int32_t>(value))
      return node.invalid(
          concat("attribute '", name, "' has ", value, ", which is no i32"));
  return std::vector<int32_t>(values.begin(), values.end());
}

Result<Pointwise> makeRequantize(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(expectI32(node, 2));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"shift"}));
  RUNG_ASSIGN_OR_RETURN(int shift, shiftOf(node, 1, 62));
  return Pointwise([shift](const RowArgs &row) {
    for (int64_t i = 0; i < row.count; ++i)
      row.out[i] = requantize(toInt32(row.operands[0][i]),
                              toInt32(row.operands[1][i]), shift);
  });
}

Result<Pointwise> makePiecewise(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(expectI32(node, 1));
  RUNG_RETURN_IF_ERROR(
      node.expectAttributes({"knots", "slopes", "offsets", "shift"}));
  Pieces pieces;
  RUNG_ASSIGN_OR_RETURN(pieces.knots, int32s(node, "knots"));
  RUNG_ASSIGN_OR_RETURN(pieces.slopes, int32s(node, "slopes"));
  RUNG_ASSIGN_OR_RETURN(pieces.offsets, int32s(node, "offsets"));
  RUNG_ASSIGN_OR_RETURN(pieces.shift, shiftOf(node, 1, 62));
  if (pieces.slopes.size() != pieces.offsets.size() ||
      pieces.slopes.size() != pieces.knots.size() + 1)
    return node.invalid(concat("has ", pieces.slopes.size(), " slopes, ",
                               pieces.offsets.size(), " offsets and ",
                               pieces.knots.size(),
                               " knots; a slope and an offset a piece and a "
                               "knot between two are needed"));
  if (!std::is_sorted(pieces.knots.begin(), pieces.knots.end()))
    return node.invalid("its knots are not in ascending order");
  return Pointwise([pieces](const RowArgs &row) {
    for (int64_t i = 0; i < row.count; ++i)
      row.out[i] = pieces(toInt32(row.operands[0][i]));
  });
}

Result<Pointwise> makeLookup(const NodeView &node) {
  RUNG_RETURN_IF_ERROR(expectI32(node, 2));
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"low", "shift", "interpolate"}));
  Lookup lookup;
  RUNG_ASSIGN_OR_RETURN(lookup.low, node.integer("low"));
  RUNG_ASSIGN_OR_RETURN(int64_t interpolate, node.integer("interpolate"));
  lookup.interpolate = interpolate != 0;
  RUNG_ASSIGN_OR_RETURN(lookup.shift, shiftOf(node, lookup.interpolate, 30));
  if (lookup.low != static_cast<int32_t>(lookup.low))
    return node.invalid(concat("low is ", lookup.low, ", which is no i32"));
  const auto &dims = *node.operandType(1).dims();
  if (dims.size() != 1 || dims[0] < 1 + int(lookup.interpolate))
    return node.invalid(concat("table has type ",
                               rung::toString(node.operandType(1)),
                               "; one axis with an entry is needed, and with "
                               "one more to interpolate"));
  lookup.size = dims[0];
  return Pointwise(
      [lookup](const RowArgs &row) {
        for (int64_t i = 0; i < row.count; ++i)
          row.out[i] = lookup(toInt32(row.operands[0][i]), row.operands[1]);
      },
      /*table=*/1);
}

} // namespace

Result<Pointwise> makeFixedPoint(const NodeView &node) {
  if (node.op() == "rnn.requantize")
    return makeRequantize(node);
  if (node.op() == "rnn.piecewise")
    return makePiecewise(node);
  if (node.op() == "rnn.lookup")
    return makeLookup(node);
  return Pointwise();
}

} // namespace rung::reference
