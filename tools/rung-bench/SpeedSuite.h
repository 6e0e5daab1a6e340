//===- SpeedSuite.h - the rows of a table of speed --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_SPEEDSUITE_H
#define RUNG_TOOLS_RUNG_BENCH_SPEEDSUITE_H

#include "runtime/base/Status.h"
#include "tools/rung-run/Comparison.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rung::tools {

/// How a row is timed.
enum class SpeedMode {
  Device, ///< By the device's clock, with the data on the device.
  Host,   ///< Call by call from host to host, states fed back.
};

/// A peer's result for a row, in the row's unit.
struct PeerValue {
  std::string name;
  double value = 0;
};

/// One function of a bundle, run with so many steps and rows.
struct SpeedRow {
  std::string name, group;
  std::string bundle, function; ///< A complete path; empty: the only one.
  uint64_t steps = 1, batch = 1;
  SpeedMode mode = SpeedMode::Device;
  std::string feedFrom, feedTo; ///< An output of tokens, the next call's input.
  /// "us a step", "us a token", "us", "ms", "TFLOP/s" or "TOP/s".
  std::string unit = "us a step";
  double operations = 0; ///< Of one run, for rates.
  double limit = 0;      ///< What is to be reached; 0: not told.
  double goal = 0;       ///< What is hoped for; 0: not told.
  uint32_t tokens = 0;   ///< Token inputs are below it.
  uint32_t repeat = 20;
  /// What is compared with the reference: the first steps of the first rows.
  uint64_t checkedSteps = 1, checkedRows = 1;
  Tolerance tolerance;
  std::string hand; ///< The hand-written baseline of the same work.
  std::vector<PeerValue> peers;

  bool moreIsBetter() const;
  /// The row's value where a run takes \p ms.
  double value(double ms) const;
};

/// Reads FOLDER/speed.json, which bench/speed_models.py writes.
Result<std::vector<SpeedRow>> readSpeedSuite(const std::string &folder);

/// Adds to \p rows what a file of peers' results says: a list of {"row",
/// "peer", "value"}, as bench/peers/torch_rows.py writes it.
Status readPeers(const std::string &path, std::vector<SpeedRow> &rows);

/// Adds the hand-written baselines' results, as bench/peers/glsl.py --json
/// prints them.
Status readHandWritten(const std::string &path, std::vector<SpeedRow> &rows);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_SPEEDSUITE_H
