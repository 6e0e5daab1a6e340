//===- SpeedPlot.cpp - a table of speed as SVG ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/SpeedTable.h"

#include "tools/rung-run/Statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace rung::tools {
namespace {

// Pixels: names, bars, what stands behind them, and each row's height.
constexpr double kNames = 300, kBars = 420, kBehind = 190, kRow = 22, kTop = 56;

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
    result += c == '&'   ? "&amp;"
              : c == '<' ? "&lt;"
              : c == '>' ? "&gt;"
                         : std::string(1, c);
  return result;
}

/// How many times as fast `value` is as `other`.
double timesAsFast(const SpeedRow &row, double value, double other) {
  return row.moreIsBetter() ? value / other : other / value;
}

struct Bar {
  const SpeedRow *row;
  double value, times, limit; ///< `limit` as times, too; 0: none.
  const PeerValue *peer;
};

std::vector<Bar> makeBars(const std::vector<SpeedResult> &results) {
  std::vector<Bar> bars;
  for (const SpeedResult &result : results) {
    const PeerValue *peer = bestPeer(result.row);
    if (!peer || result.ms.empty() || !(peer->value > 0))
      continue;
    const SpeedRow &row = result.row;
    const double value = row.value(summarize(result.ms).median);
    bars.push_back(
        {&row, value, timesAsFast(row, value, peer->value),
         row.limit > 0 ? timesAsFast(row, row.limit, peer->value) : 0, peer});
  }
  return bars;
}

/// The decades that all bars and marks lie in.
class Axis {
public:
  explicit Axis(const std::vector<Bar> &bars) {
    for (const Bar &bar : bars)
      for (double times : {bar.times, bar.limit})
        if (times > 0) {
          low_ = std::min(low_, std::floor(std::log10(times)));
          high_ = std::max(high_, std::ceil(std::log10(times)));
        }
  }
  double place(double times) const {
    return kNames + kBars * (std::log10(times) - low_) / (high_ - low_);
  }
  double low() const { return low_; }
  double high() const { return high_; }

private:
  double low_ = -1, high_ = 1;
};

std::string drawBar(const Bar &bar, const Axis &axis, double top) {
  const double from = axis.place(std::min(1.0, bar.times));
  const double to = axis.place(std::max(1.0, bar.times));
  std::string text =
      print("<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">", kNames - 8,
            top + 14) +
      escape(bar.row->name) + "</text>\n" +
      print("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"14\" "
            "fill=\"%s\"/>\n",
            from, top + 3, to - from, bar.times >= 1 ? "#4477aa" : "#ee6677");
  if (bar.limit > 0)
    text += print("<path d=\"M%.1f,%.1fv18\" stroke=\"#222222\" "
                  "stroke-width=\"2\"/>\n",
                  axis.place(bar.limit), top + 1);
  return text +
         print("<text x=\"%.0f\" y=\"%.1f\">%.3g; ", kNames + kBars + 8,
               top + 14, bar.value) +
         escape(bar.peer->name) + print(" %.3g ", bar.peer->value) +
         escape(bar.row->unit) + "</text>\n";
}

} // namespace

std::string formatSpeedSvg(const std::vector<SpeedResult> &results) {
  const std::vector<Bar> bars = makeBars(results);
  const Axis axis(bars);
  const double width = kNames + kBars + kBehind;
  const double height = kTop + kRow * bars.size() + 12;
  std::string text = print(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
      "width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
      "font-size=\"12\" fill=\"#222222\">\n"
      "<rect width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>\n"
      "<text x=\"%.0f\" y=\"20\" text-anchor=\"middle\" font-size=\"15\">"
      "Times as fast as the best peer (a line: what is to be reached)"
      "</text>\n",
      width, height, width, height, width, height, width / 2);
  for (double decade = axis.low(); decade <= axis.high(); ++decade) {
    const double x = axis.place(std::pow(10, decade));
    text += print("<path d=\"M%.1f,%.0fv%.0f\" stroke=\"%s\"/>\n"
                  "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%g"
                  "</text>\n",
                  x, kTop - 4, kRow * bars.size() + 8,
                  decade == 0 ? "#555555" : "#dddddd", x, kTop - 10,
                  std::pow(10, decade));
  }
  for (size_t i = 0; i < bars.size(); ++i)
    text += drawBar(bars[i], axis, kTop + kRow * i);
  return text + "</svg>\n";
}

} // namespace rung::tools
