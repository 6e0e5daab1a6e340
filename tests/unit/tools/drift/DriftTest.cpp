//===- DriftTest.cpp - how far states go from the exact ones --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/drift/Drift.h"
#include "tools/drift/DriftReport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace rung;
using namespace rung::tools;

namespace {

Tensor row(std::vector<double> values) {
  Tensor tensor = Tensor::zeros(ScalarType::F64, {values.size()});
  std::copy(values.begin(), values.end(), tensor.values<double>().begin());
  return tensor;
}

TEST(DriftMarks, AreThoseBelowTheLastStepAndThat) {
  EXPECT_EQ(driftMarks(1), (std::vector<uint64_t>{1}));
  EXPECT_EQ(driftMarks(16), (std::vector<uint64_t>{1, 16}));
  EXPECT_EQ(driftMarks(300), (std::vector<uint64_t>{1, 16, 256, 300}));
  EXPECT_EQ(driftMarks(16384),
            (std::vector<uint64_t>{1, 16, 256, 1024, 4096, 16384}));
  EXPECT_EQ(driftMarks(20000).back(), 20000u);
}

TEST(RelativeError, IsTheNormOfTheDifferenceOverTheNorm) {
  EXPECT_DOUBLE_EQ(relativeError({row({3, 4})}, {row({3, 9})}),
                   5 / std::sqrt(90.0));
  // All tensors together.
  EXPECT_DOUBLE_EQ(
      relativeError({row({1}), row({2, 2})}, {row({2}), row({2, 0})}),
      std::sqrt(5.0 / 8.0));
  EXPECT_EQ(relativeError({row({0, 0})}, {row({0, 0})}), 0);
  EXPECT_EQ(relativeError({row({1})}, {row({0})}),
            std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(relativeError({row({std::nan("")})}, {row({1})})));
}

/// Two states at two marks.
Trajectory path(double scale) {
  Trajectory path;
  path.names = {"h", "n"};
  path.states = {{row({scale}), row({1})}, {row({1}), row({scale})}};
  return path;
}

TEST(CompareTrajectories, TellsTotalFromArithmetic) {
  auto drifts = compareTrajectories(path(1.5), path(1), path(2));
  ASSERT_EQ(drifts.size(), 2u);
  EXPECT_EQ(drifts[0].state, "h");
  EXPECT_EQ(drifts[0].total, (std::vector<double>{0.5, 0}));
  EXPECT_EQ(drifts[0].arithmetic, (std::vector<double>{0.25, 0}));
  EXPECT_EQ(drifts[1].total, (std::vector<double>{0, 0.5}));
  StateDrift whole = compareWhole(path(1.5), path(1), path(2));
  EXPECT_EQ(whole.state, "h, n");
  EXPECT_DOUBLE_EQ(whole.total[0], 0.5 / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(whole.arithmetic[1], 0.5 / std::sqrt(5.0));
}

DriftReport report() {
  DriftReport report;
  report.bundle = "m.rung";
  report.function = "f";
  report.device = "gpu";
  report.recipe.kind = InputKind::Slow;
  report.marks = {1, 16};
  report.states = {{"h", {0.5, std::nan("")}, {0.25, 0}}};
  return report;
}

TEST(DriftReport, IsATable) {
  EXPECT_EQ(formatText(report()), "state error              1       16\n"
                                  "h     total        5.0e-01      nan\n"
                                  "      arithmetic   2.5e-01        0\n");
}

TEST(DriftReport, HasNullForWhatJsonCannotSay) {
  auto json = nlohmann::json::parse(formatJson(report()));
  EXPECT_EQ(json["inputs"], "slow");
  EXPECT_EQ(json["memory"], 0.999);
  EXPECT_EQ(json["steps"], (std::vector<int>{1, 16}));
  EXPECT_EQ(json["states"][0]["total"][0], 0.5);
  EXPECT_TRUE(json["states"][0]["total"][1].is_null());
  EXPECT_EQ(json["states"][0]["arithmetic"][1], 0);
}

} // namespace
