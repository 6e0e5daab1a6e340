//===- SpeedRunner.h - runs the rows of a table of speed --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_SPEEDRUNNER_H
#define RUNG_TOOLS_RUNG_BENCH_SPEEDRUNNER_H

#include "tools/rung-bench/SpeedSuite.h"
#include "tools/rung-run/Model.h"

#include <optional>
#include <string>
#include <vector>

namespace rung::tools {

/// What came of a row.
struct SpeedResult {
  SpeedRow row;
  std::string device, variant;
  std::vector<double> ms; ///< Of each timed run; empty where it failed.
  std::vector<Comparison> comparisons;
  std::string error; ///< Why it failed.

  bool passed() const;
};

/// Runs rows one after another; rows of one bundle that follow each other share
/// a session.
class SpeedRunner {
public:
  SpeedRunner(std::string device, double timeoutSeconds)
      : device_(std::move(device)), timeoutSeconds_(timeoutSeconds) {}

  /// Times \p row and compares the beginning of what the timed kernels gave
  /// with the reference.
  SpeedResult run(const SpeedRow &row);

private:
  Status open(const SpeedRow &row);
  Status time(const SpeedRow &row, SpeedResult &result);
  Status timeOnDevice(const Function &function, const SpeedRow &row,
                      SpeedResult &result);
  Status timeOnHost(const Function &function, const SpeedRow &row,
                    SpeedResult &result);
  Status check(const Function &function, const SpeedRow &row,
               const NamedTensors &inputs, const std::vector<Tensor> &outputs,
               SpeedResult &result);

  std::string device_;
  double timeoutSeconds_; ///< Of one run.
  std::string bundle_;    ///< What is open.
  SpeedMode mode_ = SpeedMode::Device;
  std::optional<Model> model_;
  std::optional<Session> session_;
};

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_SPEEDRUNNER_H
