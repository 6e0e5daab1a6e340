//===- LogPlotTest.cpp - curves on two logarithmic axes, as SVG -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/drift/LogPlot.h"

#include <gtest/gtest.h>

#include <limits>

using namespace rung::tools;

namespace {

size_t count(const std::string &text, const std::string &part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size()))
    ++found;
  return found;
}

LogPlot plot(std::vector<Curve> curves) {
  LogPlot plot;
  plot.title = "a < b & c";
  plot.xLabel = "steps";
  plot.yLabel = "error";
  plot.solidMeans = "arithmetic";
  plot.dashedMeans = "total";
  plot.panels = {{"one", curves}, {"two", curves}};
  return plot;
}

TEST(LogPlot, HasAxesInPowersOfTenAndALegend) {
  std::string svg =
      formatSvg(plot({{"fp16", false, {{1, 2e-4}, {16, 3e-3}}},
                      {"fp16", true, {{1, 2e-4}, {16, 3e-3}}},
                      {"int8", false, {{1, 5e-4}, {4096, 5e-4}}}}));
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(count(svg, "a &lt; b &amp; c"), 1u);
  for (const char *decade : {">1e-4<", ">1e-3<", ">1e-2<", ">4096<", ">one<"})
    EXPECT_GE(count(svg, decade), 1u) << decade;
  EXPECT_EQ(count(svg, ">1e-5<") + count(svg, ">1e-1<"), 0u);
  // One entry a label, and the two kinds of line.
  EXPECT_EQ(count(svg, ">fp16<"), 1u);
  EXPECT_EQ(count(svg, ">int8<"), 1u);
  EXPECT_EQ(count(svg, ">total<"), 1u);
  // Dashed: a curve in each panel, and its entry.
  EXPECT_EQ(count(svg, "stroke-dasharray"), 3u);
}

TEST(LogPlot, PutsPointsWhereTheirLogarithmsAre) {
  // 1e-3 is in the middle between 1e-4 and 1e-2, 10 between 1 and 100.
  LogPlot one = plot({{"a", false, {{1, 1e-4}, {10, 1e-3}, {100, 1e-2}}}});
  one.panels.pop_back();
  EXPECT_EQ(count(formatSvg(one), "M62.0,320.0L262.0,190.0L462.0,60.0"), 1u);
}

TEST(LogPlot, BreaksTheLineWhereAPointHasNoPlace) {
  double infinity = std::numeric_limits<double>::infinity();
  LogPlot one =
      plot({{"a", false, {{1, 1e-4}, {10, 0}, {10, infinity}, {100, 1e-2}}}});
  one.panels.pop_back();
  EXPECT_EQ(count(formatSvg(one), "M62.0,320.0M462.0,60.0"), 1u);
}

TEST(LogPlot, DrawsAxesWithoutPoints) {
  std::string svg = formatSvg(plot({{"a", false, {{1, 0}}}}));
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_EQ(count(svg, "inf"), 0u);
  EXPECT_EQ(count(svg, ">a<"), 1u);
}

} // namespace
