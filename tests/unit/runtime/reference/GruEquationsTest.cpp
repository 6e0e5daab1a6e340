//===- GruEquationsTest.cpp - numbers worked out by hand ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/GruEquations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace rung;
using namespace rung::reference;

namespace {

Activation activation(const char *name) {
  auto result = Activation::make(name);
  EXPECT_TRUE(result.isOk()) << result.status().message();
  return result.isOk() ? *result : Activation();
}

/// ONNX's own cases: every element of W and R is `weight`, of the input bias
/// `bias`; reset before, update keep, one step from a state of zeros.
std::vector<double> onnxCase(std::vector<double> x, int64_t hidden,
                             double weight, double bias) {
  auto inputs = static_cast<int64_t>(x.size());
  std::vector<double> w(static_cast<size_t>(3 * hidden * inputs), weight);
  std::vector<double> u(static_cast<size_t>(3 * hidden * hidden), weight);
  std::vector<double> bw(static_cast<size_t>(3 * hidden), bias);
  GruEquations gru;
  gru.inputSize = inputs;
  gru.hiddenSize = hidden;
  gru.f = activation("sigmoid");
  gru.g = activation("tanh");
  gru.w = w.data();
  gru.u = u.data();
  gru.bw = bw.data();
  std::vector<double> h(static_cast<size_t>(hidden), 0.0), scratch;
  gru.step(0, x.data(), h.data(), scratch);
  return h;
}

// The values are those of onnx/backend/test/case/node/gru.py, made in f32.
TEST(GruEquations, GivesOnnxDefaults) {
  for (double h : onnxCase({1, 2}, 5, 0.1, 0))
    EXPECT_NEAR(h, 0.12397026, 5e-9);
}
TEST(GruEquations, GivesOnnxInitialBias) {
  for (double h : onnxCase({1, 2, 3}, 3, 0.1, 0.1))
    EXPECT_NEAR(h, 0.20053662, 5e-9);
}
TEST(GruEquations, GivesOnnxBatchwise) {
  for (double h : onnxCase({1, 2}, 6, 0.2, 0))
    EXPECT_NEAR(h, 0.19030014, 2e-8);
}

/// One unit, one input: x = 1 and h = 0.5 give the pre-activations 0.8 of z,
/// 0.3 of r, and n's 1 - 0.3 r (before) or 0.9 - 0.2 r (after).
struct OneUnit {
  std::vector<double> w = {0.5, -0.25, 1.0}, u = {0.3, 0.8, -0.6},
                      bw = {0.1, 0.2, -0.1}, bu = {0.05, -0.05, 0.1};
  GruEquations gru;

  OneUnit(bool resetAfter, bool updateTakes) {
    gru.inputSize = gru.hiddenSize = 1;
    gru.resetAfter = resetAfter;
    gru.updateTakes = updateTakes;
    gru.f = activation("sigmoid");
    gru.g = activation("tanh");
    gru.w = w.data();
    gru.u = u.data();
    gru.bw = bw.data();
    gru.bu = bu.data();
  }
  double step() const {
    double x = 1, h = 0.5;
    std::vector<double> scratch;
    gru.step(0, &x, &h, scratch);
    return h;
  }
};

TEST(GruEquations, ResetsBeforeAndKeeps) {
  EXPECT_NEAR(OneUnit(false, false).step(), 0.5555632194568344, 1e-15);
}
TEST(GruEquations, ResetsBeforeAndTakes) {
  EXPECT_NEAR(OneUnit(false, true).step(), 0.6236582190199941, 1e-15);
}
TEST(GruEquations, ResetsAfterAndKeeps) {
  EXPECT_NEAR(OneUnit(true, false).step(), 0.548249516668414, 1e-15);
}
TEST(GruEquations, ResetsAfterAndTakes) {
  EXPECT_NEAR(OneUnit(true, true).step(), 0.607381274125535, 1e-15);
}
TEST(GruEquations, ClipsTheInputsOfActivations) {
  OneUnit unit(true, false);
  unit.gru.clip = 0.25; // each of the three pre-activations exceeds it
  EXPECT_NEAR(unit.step(), 0.3883193962148609, 1e-15);
}
TEST(GruEquations, TakesOtherActivations) {
  OneUnit unit(true, false);
  unit.gru.f = activation("hard_sigmoid"); // z = 0.66, r = 0.56
  unit.gru.g = activation("relu");         // n = 0.788
  EXPECT_NEAR(unit.step(), 0.59792, 1e-15);
}
TEST(GruEquations, DoesWithoutBiases) {
  OneUnit unit(false, false);
  unit.gru.bw = unit.gru.bu = nullptr;
  double z = 1 / (1 + std::exp(-0.65)), r = 1 / (1 + std::exp(-0.15));
  double n = std::tanh(1.0 - 0.6 * (r * 0.5));
  EXPECT_NEAR(unit.step(), z * 0.5 + (1 - z) * n, 1e-15);
}

// With two heads, the first head's units see nothing of the second's state.
TEST(GruEquations, KeepsHeadsApart) {
  std::vector<double> w(12, 0.0), u(6), x = {0.0};
  for (size_t i = 0; i < u.size(); ++i)
    u[i] = 0.1 * static_cast<double>(i + 1);
  GruEquations gru;
  gru.inputSize = 1;
  gru.hiddenSize = 2;
  gru.heads = 2; // u is [2, 3, 1]
  gru.resetAfter = true;
  gru.f = activation("sigmoid");
  gru.g = activation("tanh");
  gru.w = w.data();
  gru.u = u.data();
  std::vector<double> scratch, a = {0.5, 0.25}, b = {0.5, -0.75};
  for (int64_t head : {1, 0}) {
    gru.step(head, x.data(), a.data(), scratch);
    gru.step(head, x.data(), b.data(), scratch);
  }
  EXPECT_EQ(a[0], b[0]);
  EXPECT_NE(a[1], b[1]);
  // Head 0 has z, r, n rows 0.1, 0.2, 0.3.
  double z = 1 / (1 + std::exp(-0.05)), r = 1 / (1 + std::exp(-0.1));
  double n = std::tanh(r * 0.15);
  EXPECT_NEAR(a[0], z * 0.5 + (1 - z) * n, 1e-15);
}

} // namespace
