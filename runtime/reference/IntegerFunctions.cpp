//===- IntegerFunctions.cpp - arith ops on integers -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/reference/Integer.h"
#include "runtime/reference/Pointwise.h"

#include <algorithm>
#include <bit>

namespace rung::reference {
namespace {

/// How the operands of one op are read. Both are of one type.
struct View {
  double sign;
  uint32_t mask;
};

/// f of operands as signed numbers; `mask` makes them unsigned ones. The low
/// bits of what f returns are the result.
using Function1 = uint32_t (*)(int32_t a, uint32_t mask);
using Function2 = uint32_t (*)(int32_t a, int32_t b, uint32_t mask);
using Loop = void (*)(const RowArgs &row, const View &view);

template <Function1 f> void loop1(const RowArgs &row, const View &view) {
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = static_cast<int32_t>(
        f(toInt32(row.operands[0][i] * view.sign), view.mask));
}
template <Function2 f> void loop2(const RowArgs &row, const View &view) {
  for (int64_t i = 0; i < row.count; ++i)
    row.out[i] = static_cast<int32_t>(f(toInt32(row.operands[0][i] * view.sign),
                                        toInt32(row.operands[1][i] * view.sign),
                                        view.mask));
}

struct IntegerFunction {
  std::string_view op;
  uint32_t arity;
  Loop loop;
};

// A shift by the width or more, and a division by 0, have no meaning in arith;
// here such a shift moves every bit out and such a quotient is 0.
constexpr bool within(int32_t amount, uint32_t mask) {
  return amount >= 0 && amount < std::popcount(mask);
}

#define RUNG_UNARY(op, expression)                                             \
  IntegerFunction {                                                            \
    op, 1, loop1<[](int32_t a, [[maybe_unused]] uint32_t mask) -> uint32_t {   \
      return (expression);                                                     \
    }>                                                                         \
  }
#define RUNG_BINARY(op, expression)                                            \
  IntegerFunction {                                                            \
    op, 2,                                                                     \
        loop2<[](int32_t a, int32_t b, [[maybe_unused]] uint32_t mask)         \
                  -> uint32_t { return (expression); }>                        \
  }

const IntegerFunction kFunctions[] = {
    RUNG_BINARY("arith.addi", uint32_t(a) + uint32_t(b)),
    RUNG_BINARY("arith.subi", uint32_t(a) - uint32_t(b)),
    RUNG_BINARY("arith.muli", uint32_t(a) * uint32_t(b)),
    RUNG_BINARY("arith.divsi", b == 0 ? 0u : uint32_t(int64_t(a) / b)),
    RUNG_BINARY("arith.remsi", b == 0 ? 0u : uint32_t(int64_t(a) % b)),
    RUNG_BINARY("arith.divui", (b & mask) == 0 ? 0u : (a & mask) / (b & mask)),
    RUNG_BINARY("arith.remui", (b & mask) == 0 ? 0u : (a & mask) % (b & mask)),
    RUNG_BINARY("arith.shli", within(b, mask) ? uint32_t(a) << b : 0u),
    RUNG_BINARY("arith.shrui", within(b, mask) ? (a &mask) >> b : 0u),
    RUNG_BINARY("arith.shrsi", uint32_t(within(b, mask) ? a >> b : a >> 31)),
    RUNG_BINARY("arith.andi", uint32_t(a &b)),
    RUNG_BINARY("arith.ori", uint32_t(a | b)),
    RUNG_BINARY("arith.xori", uint32_t(a ^ b)),
    RUNG_BINARY("arith.maxsi", uint32_t(std::max(a, b))),
    RUNG_BINARY("arith.minsi", uint32_t(std::min(a, b))),
    RUNG_BINARY("arith.maxui", std::max(a &mask, b &mask)),
    RUNG_BINARY("arith.minui", std::min(a &mask, b &mask)),
    RUNG_BINARY("rnn.add", uint32_t(a) + uint32_t(b)),
    RUNG_UNARY("math.absi", a < 0 ? 0u - uint32_t(a) : uint32_t(a)),
    RUNG_UNARY("math.ctpop", uint32_t(std::popcount(a &mask))),
    RUNG_UNARY("math.ctlz",
               uint32_t(std::countl_zero(a &mask) - std::countl_zero(mask))),
    RUNG_UNARY("math.cttz", uint32_t(std::min(std::countr_zero(a &mask),
                                              std::popcount(mask)))),
};

const IntegerFunction kComparisons[] = {
    RUNG_BINARY("eq", a == b),
    RUNG_BINARY("ne", a != b),
    RUNG_BINARY("slt", a < b),
    RUNG_BINARY("sle", a <= b),
    RUNG_BINARY("sgt", a > b),
    RUNG_BINARY("sge", a >= b),
    RUNG_BINARY("ult", (a & mask) < (b & mask)),
    RUNG_BINARY("ule", (a & mask) <= (b & mask)),
    RUNG_BINARY("ugt", (a & mask) > (b & mask)),
    RUNG_BINARY("uge", (a & mask) >= (b & mask)),
};

#undef RUNG_UNARY
#undef RUNG_BINARY

template <size_t kSize>
const IntegerFunction *find(const IntegerFunction (&table)[kSize],
                            std::string_view name) {
  for (const IntegerFunction &function : table)
    if (function.op == name)
      return &function;
  return nullptr;
}

Result<Pointwise> bind(const NodeView &node, const IntegerFunction &function) {
  RUNG_RETURN_IF_ERROR(node.expectOperands(function.arity, function.arity));
  for (uint32_t i = 0; i < function.arity; ++i) {
    RUNG_RETURN_IF_ERROR(expectInteger(node, i));
    if (node.operandElement(i) != node.operandElement(0))
      return node.invalid(
          concat("operand ", i, " is of ", toString(node.operandElement(i)),
                 ", and operand 0 of ", toString(node.operandElement(0))));
  }
  ScalarType type = node.resultElement(0);
  if (isFloat(type))
    return node.invalid(
        concat("the result is of ", toString(type), "; an integer is needed"));
  View view{signOf(node.operandElement(0)), maskOf(node.operandElement(0))};
  return Pointwise([loop = function.loop, view, type](const RowArgs &row) {
    loop(row, view);
    if (type != ScalarType::I32)
      wrapAll(type, row.out, row.count);
  });
}

} // namespace

Result<Pointwise> makeIntegerFunction(const NodeView &node) {
  if (node.op() == "arith.cmpi") {
    RUNG_RETURN_IF_ERROR(node.expectAttributes({"predicate"}));
    RUNG_ASSIGN_OR_RETURN(std::string_view predicate, node.string("predicate"));
    const IntegerFunction *compare = find(kComparisons, predicate);
    if (!compare)
      return node.unsupported(concat("predicate ", quote(predicate),
                                     " is not one of arith.cmpi's"));
    return bind(node, *compare);
  }
  const IntegerFunction *function = find(kFunctions, node.op());
  if (!function)
    return Pointwise();
  RUNG_RETURN_IF_ERROR(node.expectAttributes({"overflowFlags", "isExact"}));
  return bind(node, *function);
}

} // namespace rung::reference
