//===- Activation.h - ONNX's recurrent activation functions -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_ACTIVATION_H
#define RUNG_RUNTIME_REFERENCE_ACTIVATION_H

#include "runtime/base/Status.h"

#include <optional>
#include <string_view>

namespace rung::reference {

/// A pointwise function out of the list that ONNX gives its recurrent ops,
/// with its parameters bound.
class Activation {
public:
  /// The identity.
  Activation() = default;

  /// `alpha` and `beta` left out take ONNX's defaults. Fails on a name that is
  /// not in the list; the message lists the names there are.
  static Result<Activation> make(std::string_view name,
                                 std::optional<double> alpha = std::nullopt,
                                 std::optional<double> beta = std::nullopt);

  double operator()(double x) const { return function_(x, alpha_, beta_); }

private:
  using Function = double (*)(double x, double alpha, double beta);
  struct Entry {
    std::string_view name;
    Function function;
    double alpha, beta;
  };
  static const Entry kEntries[];

  Activation(Function function, double alpha, double beta)
      : function_(function), alpha_(alpha), beta_(beta) {}

  Function function_ = [](double x, double, double) { return x; };
  double alpha_ = 0, beta_ = 0;
};

/// 1 / (1 + exp(-x)), without overflow and with a relatively accurate tail.
double sigmoid(double x);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_ACTIVATION_H
