//===- Pointwise.h - one op on each element ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_POINTWISE_H
#define RUNG_RUNTIME_REFERENCE_POINTWISE_H

#include "runtime/reference/NodeView.h"
#include "runtime/reference/Rounding.h"
#include "runtime/reference/Row.h"

#include <optional>
#include <utility>

namespace rung::reference {

/// A pointwise op with its attributes bound: arith, math, rnn.sigmoid, rnn.add,
/// rnn.activation, the integer and the random operations of bodies, and
/// arith.constant as the one without operands.
class Pointwise {
public:
  Pointwise() = default;
  explicit Pointwise(RowFunction function,
                     std::optional<uint32_t> table = std::nullopt)
      : function_(std::move(function)), table_(table) {}

  /// Checks operand count, result count, element types and attributes. Empty,
  /// without an error, where the op is not a pointwise one.
  static Result<Pointwise> make(const NodeView &node, F32 f32 = F32::Real);

  explicit operator bool() const { return bool(function_); }

  /// The operand that is a table instead of a row, if there is one.
  std::optional<uint32_t> table() const { return table_; }

  /// Computes elements, and rounds each as a result of the op's type.
  void apply(const RowArgs &row) const { function_(row); }

private:
  RowFunction function_;
  std::optional<uint32_t> table_;
};

/// The ops by family; empty without an error where the op is of another.
Result<Pointwise> makeFloatFunction(const NodeView &node, F32 f32);
Result<Pointwise> makeIntegerFunction(const NodeView &node);
Result<Pointwise> makeConversion(const NodeView &node);
Result<Pointwise> makeFixedPoint(const NodeView &node);
Result<Pointwise> makeRandom(const NodeView &node);

/// Fails unless operand `i` is of a float type, or of an integer one.
Status expectFloat(const NodeView &node, uint32_t i);
Status expectInteger(const NodeView &node, uint32_t i);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_POINTWISE_H
