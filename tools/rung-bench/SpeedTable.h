//===- SpeedTable.h - a table of speed, in three forms ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_SPEEDTABLE_H
#define RUNG_TOOLS_RUNG_BENCH_SPEEDTABLE_H

#include "tools/rung-bench/SpeedRunner.h"

#include <string>
#include <vector>

namespace rung::tools {

/// The best of a row's peers by its unit; null where it has none.
const PeerValue *bestPeer(const SpeedRow &row);

/// For people: a line for each row, with the median, its spread (least and 90th
/// percentile), what is to be reached, the best peer, and what the comparison
/// with the reference said, or why the row failed. Names get \p width columns.
std::string formatSpeedLine(const SpeedResult &result, size_t width);
/// Prints a table line by line, so that nothing is lost when a later row takes
/// too long: a heading, each group's name, lines.
class SpeedPrinter {
public:
  explicit SpeedPrinter(const std::vector<SpeedRow> &rows);
  void print(const SpeedResult &result);

private:
  size_t width_ = 3;
  bool begun_ = false;
  std::string group_;
};

/// For machines: the same, with all peers.
std::string formatSpeedJson(const std::vector<SpeedResult> &results);
/// A bar for each row: how many times as fast as its best peer, on a
/// logarithmic axis, with a mark where its limit is. Rows without a peer are
/// left out. Equal results give equal bytes.
std::string formatSpeedSvg(const std::vector<SpeedResult> &results);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_SPEEDTABLE_H
