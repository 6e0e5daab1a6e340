//===- Activation.cpp - ONNX's recurrent activation functions -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Activation.h"

#include <cmath>
#include <iterator>
#include <string>

namespace rung::reference {

double sigmoid(double x) {
  if (x >= 0)
    return 1.0 / (1.0 + std::exp(-x));
  double e = std::exp(x);
  return e / (1.0 + e);
}

namespace {

double sigmoidFn(double x, double, double) { return sigmoid(x); }
double tanhFn(double x, double, double) { return std::tanh(x); }
double reluFn(double x, double, double) { return x < 0 ? 0 : x; }
double affineFn(double x, double a, double b) { return a * x + b; }
double leakyReluFn(double x, double a, double) { return x < 0 ? a * x : x; }
double thresholdedReluFn(double x, double a, double) { return x < a ? 0 : x; }
double scaledTanhFn(double x, double a, double b) {
  return a * std::tanh(b * x);
}
double hardSigmoidFn(double x, double a, double b) {
  double y = a * x + b;
  return y < 0 ? 0 : y > 1 ? 1 : y;
}
double eluFn(double x, double a, double) {
  return x < 0 ? a * std::expm1(x) : x;
}
double softsignFn(double x, double, double) { return x / (1 + std::abs(x)); }
double softplusFn(double x, double, double) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}
double identityFn(double x, double, double) { return x; }

} // namespace

const Activation::Entry Activation::kEntries[] = {
    {"sigmoid", sigmoidFn, 0, 0},
    {"tanh", tanhFn, 0, 0},
    {"relu", reluFn, 0, 0},
    {"affine", affineFn, 1, 0},
    {"leaky_relu", leakyReluFn, 0.01, 0},
    {"thresholded_relu", thresholdedReluFn, 1, 0},
    {"scaled_tanh", scaledTanhFn, 1, 1},
    {"hard_sigmoid", hardSigmoidFn, 0.2, 0.5},
    {"elu", eluFn, 1, 0},
    {"softsign", softsignFn, 0, 0},
    {"softplus", softplusFn, 0, 0},
    {"identity", identityFn, 0, 0},
};

Result<Activation> Activation::make(std::string_view name,
                                    std::optional<double> alpha,
                                    std::optional<double> beta) {
  for (const Entry &entry : kEntries)
    if (entry.name == name)
      return Activation(entry.function, alpha.value_or(entry.alpha),
                        beta.value_or(entry.beta));
  std::string known;
  for (const Entry &entry : kEntries)
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  return Status(StatusCode::Unsupported, "activation '" + std::string(name) +
                                             "' is not one of " + known);
}

} // namespace rung::reference
