//===- ErrorTable.h - errors by rung, regime and steps ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_ERRORTABLE_H
#define RUNG_TOOLS_RUNG_BENCH_ERRORTABLE_H

#include "tools/drift/Drift.h"
#include "tools/drift/LogPlot.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rung::tools {

/// What one bundle gave.
struct ErrorRun {
  std::string rung, regime;
  uint64_t seed = 0;
  StateDrift drift; ///< Of all its states as one.
};

/// What several seeds come to.
struct Spread {
  double mean = 0, min = 0, max = 0;
  double deviation = 0; ///< Of the sample; 0 for one alone.
};
Spread spreadOf(const std::vector<double> &values);

/// The runs of one rung in one regime.
struct ErrorRow {
  std::string rung, regime;
  std::vector<ErrorRun> runs;            ///< By seed.
  std::vector<Spread> total, arithmetic; ///< By mark.
};

struct ErrorTable {
  std::string device, variant;
  uint64_t batch = 0;
  std::vector<uint64_t> marks;
  std::vector<ErrorRow> rows; ///< By regime, then in the order of the ladder.
};

/// Puts runs together. Each has as many errors as `marks`.
std::vector<ErrorRow> makeRows(std::vector<ErrorRun> runs,
                               const std::vector<uint64_t> &marks);

/// Two tables, arithmetic-only and total: a row a rung and regime, a column a
/// mark, in it the mean and, of several seeds, the standard deviation.
std::string formatText(const ErrorTable &table);
std::string formatJson(const ErrorTable &table);

/// A panel a regime, a curve a rung: means of the arithmetic-only error, or of
/// the total.
LogPlot plotOf(const ErrorTable &table, bool total);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_ERRORTABLE_H
