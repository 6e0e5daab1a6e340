//===- LogPlot.cpp - curves on two logarithmic axes, as SVG ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/drift/LogPlot.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>

namespace rung::tools {
namespace {

// Sizes in pixels: a panel's plotting area, and what stands around it.
constexpr double kWidth = 400, kHeight = 260;
constexpr double kLeft = 62, kRight = 24, kTop = 30, kBottom = 44;
constexpr double kTitle = 30, kLegendRow = 20, kLegendEntry = 200;

// Colours that differ in lightness, too, in the order of the labels.
constexpr const char *kColours[] = {"#4477aa", "#ee6677", "#228833", "#aa3377",
                                    "#cc9900", "#00a3bf", "#222222", "#dd7711",
                                    "#8866cc", "#777777"};
// So that curves that lie over each other can be told apart.
constexpr const char *kMarkers[] = {"M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0",
                                    "M-3,-3h6v6h-6z", "M0,-4L4,3L-4,3z",
                                    "M0,-4L4,0L0,4L-4,0z", "M0,4L4,-3L-4,-3z"};

__attribute__((format(printf, 1, 2))) std::string print(const char *format,
                                                        ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

std::string escape(const std::string &text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    default:
      result += c;
    }
  return result;
}

std::string textAt(double x, double y, const char *attributes,
                   const std::string &text) {
  return print("<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes) +
         escape(text) + "</text>\n";
}

bool hasPlace(const std::pair<double, double> &point) {
  return point.first > 0 && point.second > 0 && std::isfinite(point.first) &&
         std::isfinite(point.second);
}

/// Decimal logarithms.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    low = std::min(low, std::log10(value));
    high = std::max(high, std::log10(value));
  }
  /// 0 at the low end, 1 at the high one.
  double place(double value) const {
    return (std::log10(value) - low) / (high - low);
  }
};

/// Draws the panels of one plot.
class Drawing {
public:
  explicit Drawing(const LogPlot &plot) : plot_(plot) {
    for (const Panel &panel : plot.panels)
      for (const Curve &curve : panel.curves) {
        if (std::find(labels_.begin(), labels_.end(), curve.label) ==
            labels_.end())
          labels_.push_back(curve.label);
        anyDashed_ |= curve.dashed;
        for (const auto &point : curve.points)
          if (hasPlace(point)) {
            x_.take(point.first);
            y_.take(point.second);
          }
      }
    if (!(x_.low <= x_.high)) // no point at all
      x_ = y_ = Range{0, 1};
    y_ = {std::floor(y_.low), std::ceil(y_.high)};
    if (y_.low == y_.high)
      y_.high += 1;
    if (x_.low == x_.high)
      x_ = {x_.low - 0.5, x_.high + 0.5};
  }

  std::string draw() {
    const size_t columns = std::min<size_t>(2, plot_.panels.size());
    const size_t rows = (plot_.panels.size() + 1) / 2;
    const double width =
        std::max<size_t>(1, columns) * (kLeft + kWidth + kRight);
    const double panels = rows * (kTop + kHeight + kBottom);
    std::string body;
    for (size_t i = 0; i < plot_.panels.size(); ++i)
      body += drawPanel(plot_.panels[i],
                        (i % 2) * (kLeft + kWidth + kRight) + kLeft,
                        kTitle + (i / 2) * (kTop + kHeight + kBottom) + kTop);
    std::string legend = drawLegend(kTitle + panels + 8, width);
    const double height = kTitle + panels + legendHeight_ + 14;
    return print("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                 "viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
                 "font-family=\"sans-serif\" font-size=\"12\" "
                 "fill=\"#222222\">\n",
                 width, height, width, height) +
           print("<rect width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>\n",
                 width, height) +
           textAt(width / 2, 20, "text-anchor=\"middle\" font-size=\"15\"",
                  plot_.title) +
           body + legend + "</svg>\n";
  }

private:
  size_t indexOf(const std::string &label) const {
    return std::find(labels_.begin(), labels_.end(), label) - labels_.begin();
  }
  const char *colour(const std::string &label) const {
    return kColours[indexOf(label) % std::size(kColours)];
  }
  std::string marker(const std::string &label, double x, double y) const {
    return print("<path d=\"%s\" transform=\"translate(%.1f,%.1f)\" "
                 "fill=\"%s\"/>\n",
                 kMarkers[indexOf(label) % std::size(kMarkers)], x, y,
                 colour(label));
  }

  std::string drawPanel(const Panel &panel, double left, double top) {
    std::string text =
        textAt(left + kWidth / 2, top - 8,
               "text-anchor=\"middle\" font-weight=\"bold\"", panel.title) +
        drawAxes(panel, left, top);
    for (const Curve &curve : panel.curves)
      text += drawCurve(curve, left, top);
    return text;
  }

  std::string drawAxes(const Panel &panel, double left, double top) {
    std::string text;
    for (double decade = y_.low; decade <= y_.high; ++decade) {
      double y = top + kHeight * (1 - y_.place(std::pow(10, decade)));
      text += print("<path d=\"M%.1f,%.1fh%.1f\" stroke=\"#dddddd\"/>\n", left,
                    y, kWidth) +
              textAt(left - 6, y + 4, "text-anchor=\"end\"",
                     print("1e%d", static_cast<int>(decade)));
    }
    double before = -kWidth;
    for (double value : ticks(panel)) {
      double x = left + kWidth * x_.place(value);
      text += print("<path d=\"M%.1f,%.1fv%.1f\" stroke=\"#eeeeee\"/>\n", x,
                    top, kHeight);
      if (x - before < 40) // its number would run into the last one's
        continue;
      before = x;
      text += textAt(x, top + kHeight + 16, "text-anchor=\"middle\"",
                     print("%.0f", value));
    }
    return text +
           print("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                 "fill=\"none\" stroke=\"#555555\"/>\n",
                 left, top, kWidth, kHeight) +
           textAt(left + kWidth / 2, top + kHeight + 34,
                  "text-anchor=\"middle\"", plot_.xLabel) +
           print("<g transform=\"translate(%.1f,%.1f) rotate(-90)\">",
                 left - 46, top + kHeight / 2) +
           textAt(0, 0, "text-anchor=\"middle\"", plot_.yLabel) + "</g>\n";
  }

  /// The steps that have points.
  std::vector<double> ticks(const Panel &panel) const {
    std::vector<double> values;
    for (const Curve &curve : panel.curves)
      for (const auto &point : curve.points)
        if (hasPlace(point))
          values.push_back(point.first);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  std::string drawCurve(const Curve &curve, double left, double top) {
    std::string path, markers;
    const char *command = "M";
    for (const auto &point : curve.points) {
      if (!hasPlace(point)) {
        command = "M";
        continue;
      }
      double x = left + kWidth * x_.place(point.first);
      double y = top + kHeight * (1 - y_.place(point.second));
      path += print("%s%.1f,%.1f", command, x, y);
      markers += marker(curve.label, x, y);
      command = "L";
    }
    if (path.empty())
      return "";
    return "<path d=\"" + path +
           print("\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"%s/>\n",
                 colour(curve.label),
                 curve.dashed ? " stroke-dasharray=\"6 4\"" : "") +
           markers;
  }

  std::string drawLegend(double top, double width) {
    const size_t inRow =
        std::max<size_t>(1, static_cast<size_t>((width - 20) / kLegendEntry));
    std::string text;
    size_t place = 0;
    auto entry = [&](const std::string &label, const char *stroke,
                     const char *dashes, bool marked) {
      double x = 20 + (place % inRow) * kLegendEntry;
      double y = top + (place / inRow) * kLegendRow + 10;
      ++place;
      text += print("<path d=\"M%.1f,%.1fh28\" stroke=\"%s\" "
                    "stroke-width=\"1.8\"%s/>\n",
                    x, y, stroke, dashes) +
              (marked ? marker(label, x + 14, y) : std::string()) +
              textAt(x + 34, y + 4, "", label);
    };
    for (const std::string &label : labels_)
      entry(label, colour(label), "", true);
    if (anyDashed_ && !plot_.dashedMeans.empty()) {
      entry(plot_.solidMeans, "#222222", "", false);
      entry(plot_.dashedMeans, "#222222", " stroke-dasharray=\"6 4\"", false);
    }
    legendHeight_ = ((place + inRow - 1) / inRow) * kLegendRow;
    return text;
  }

  const LogPlot &plot_;
  std::vector<std::string> labels_;
  bool anyDashed_ = false;
  Range x_, y_;
  double legendHeight_ = 0;
};

} // namespace

std::string formatSvg(const LogPlot &plot) { return Drawing(plot).draw(); }

} // namespace rung::tools
