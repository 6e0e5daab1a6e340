//===- ErrorTableTest.cpp - errors by rung, regime and steps --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/ErrorTable.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <cmath>

using namespace rung::tools;

namespace {

ErrorRun run(const char *rung, const char *regime, uint64_t seed,
             double error) {
  return {rung, regime, seed, {"h", {2 * error, 2 * error}, {error, error}}};
}

ErrorTable table(std::vector<ErrorRun> runs) {
  ErrorTable table;
  table.device = "gpu";
  table.batch = 4;
  table.marks = {1, 16};
  table.rows = makeRows(std::move(runs), table.marks);
  return table;
}

TEST(Spread, IsMeanExtremesAndDeviationOfTheSample) {
  Spread spread = spreadOf({1, 2, 6});
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.max, 6);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(7.0));
  EXPECT_EQ(spreadOf({5}).deviation, 0);
  EXPECT_TRUE(std::isnan(spreadOf({1, std::nan("")}).max));
}

TEST(ErrorTable, HasRegimesThenRungsThenSeeds) {
  ErrorTable all =
      table({run("int8", "B", 1, 1), run("zz", "A", 1, 1),
             run("int8,state=s16", "A", 1, 1), run("fp16", "A", 2, 3e-3),
             run("int8", "A", 1, 1), run("fp16", "A", 1, 1e-3)});
  std::string order;
  for (const ErrorRow &row : all.rows)
    order += row.regime + ":" + row.rung + " ";
  EXPECT_EQ(order, "A:fp16 A:int8 A:int8,state=s16 A:zz B:int8 ");
  ASSERT_EQ(all.rows[0].runs.size(), 2u);
  EXPECT_EQ(all.rows[0].runs[0].seed, 1u);
  EXPECT_DOUBLE_EQ(all.rows[0].arithmetic[1].mean, 2e-3);
  EXPECT_DOUBLE_EQ(all.rows[0].total[0].max, 6e-3);
}

TEST(ErrorTable, PrintsMeanAndDeviationOfSeveralSeeds) {
  EXPECT_EQ(
      formatText(table({run("fp16", "A", 1, 1e-3), run("fp16", "A", 2, 3e-3)})),
      "arithmetic-only error, mean of 2 seeds and standard deviation\n"
      "rung regime                1               16\n"
      "fp16 A       2.0e-03 +-1e-03  2.0e-03 +-1e-03\n"
      "\n"
      "total error, with that of the weights, mean of 2 seeds and standard "
      "deviation\n"
      "rung regime                1               16\n"
      "fp16 A       4.0e-03 +-3e-03  4.0e-03 +-3e-03\n");
}

TEST(ErrorTable, PrintsOneSeedAlone) {
  EXPECT_TRUE(formatText(table({run("fp16", "A", 1, 0)}))
                  .starts_with("arithmetic-only error\n"
                               "rung regime        1       16\n"
                               "fp16 A             0        0\n"));
}

TEST(ErrorTable, HasEveryRunInJson) {
  auto json = nlohmann::json::parse(
      formatJson(table({run("fp16", "A", 1, 1), run("fp16", "A", 2, 3)})));
  EXPECT_EQ(json["steps"], (std::vector<int>{1, 16}));
  EXPECT_EQ(json["batch"], 4);
  const auto &row = json["results"][0];
  EXPECT_EQ(row["rung"], "fp16");
  EXPECT_EQ(row["arithmetic"]["mean"], (std::vector<double>{2, 2}));
  EXPECT_EQ(row["total"]["min"], (std::vector<double>{2, 2}));
  EXPECT_EQ(row["runs"][1]["seed"], 2);
  EXPECT_EQ(row["runs"][1]["arithmetic"], (std::vector<double>{3, 3}));
}

TEST(ErrorTable, PlotsAPanelARegime) {
  ErrorTable both = table(
      {run("fp16", "A", 1, 1), run("int8", "A", 1, 2), run("fp16", "B", 1, 3)});
  LogPlot plot = plotOf(both, /*total=*/true);
  ASSERT_EQ(plot.panels.size(), 2u);
  EXPECT_EQ(plot.panels[0].title, "regime A");
  ASSERT_EQ(plot.panels[0].curves.size(), 2u);
  EXPECT_EQ(plot.panels[1].curves[0].label, "fp16");
  EXPECT_EQ(plot.panels[1].curves[0].points[1], std::pair(16.0, 6.0));
  EXPECT_EQ(plotOf(both, false).panels[1].curves[0].points[1],
            std::pair(16.0, 3.0));
}

} // namespace
