//===- LogPlot.h - curves on two logarithmic axes, as SVG -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_DRIFT_LOGPLOT_H
#define RUNG_TOOLS_DRIFT_LOGPLOT_H

#include <string>
#include <utility>
#include <vector>

namespace rung::tools {

/// A curve. Points that have no place on logarithmic axes (zero, negative, not
/// finite) are left out, and the line is broken there.
struct Curve {
  std::string label; ///< Curves of one label have one colour and one entry in
                     ///< the legend, in all panels.
  bool dashed = false;
  std::vector<std::pair<double, double>> points;
};

/// A pair of axes with its curves.
struct Panel {
  std::string title;
  std::vector<Curve> curves;
};

struct LogPlot {
  std::string title, xLabel, yLabel;
  /// What dashed curves are, and solid ones; empty: the legend does not say.
  std::string solidMeans, dashedMeans;
  std::vector<Panel> panels; ///< Two a row. All have the same axes.
};

/// The plot as an SVG document, on a white ground, readable without fonts of
/// its own. Axes reach from power of ten to power of ten, on x to the first and
/// last point. Equal plots give equal bytes.
std::string formatSvg(const LogPlot &plot);

} // namespace rung::tools

#endif // RUNG_TOOLS_DRIFT_LOGPLOT_H
