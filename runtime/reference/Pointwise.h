//===- Pointwise.h - one op on each element ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_POINTWISE_H
#define RUNG_RUNTIME_REFERENCE_POINTWISE_H

#include "runtime/reference/Activation.h"
#include "runtime/reference/NodeView.h"
#include "runtime/reference/ScalarFunctions.h"

#include <optional>

namespace rung::reference {

/// A pointwise op with its attributes bound: arith, math, rnn.sigmoid, rnn.add,
/// rnn.activation, and arith.constant as the one without operands.
class Pointwise {
public:
  static constexpr unsigned kMaxOperands = 3;

  Pointwise() = default;

  /// Checks operand count, result count and attributes. Empty, without an
  /// error, where the op is not a pointwise one.
  static Result<Pointwise> make(const NodeView &node);

  explicit operator bool() const { return kind_ != Kind::None; }
  /// A constant takes no operands.
  bool isConstant() const { return kind_ == Kind::Constant; }

  /// Computes `count` elements and rounds each as a result of type `element`.
  void apply(ScalarType element, const double *const *operands, double *out,
             int64_t count) const;

private:
  enum class Kind { None, Scalar, Compare, Constant, Activation };

  static Result<Pointwise> makeActivation(const NodeView &node);
  static Result<Pointwise> makeCompare(const NodeView &node);
  static Result<Pointwise> makeConstant(const NodeView &node);

  double element(const double *const *operands, int64_t i) const;

  Kind kind_ = Kind::None;
  bool converts_ = false; // a conversion rounds to f32, too
  const ScalarFunction *scalar_ = nullptr;
  Comparison comparison_ = nullptr;
  double constant_ = 0;
  std::optional<Activation> activation_;
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_POINTWISE_H
