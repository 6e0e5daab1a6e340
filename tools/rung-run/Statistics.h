//===- Statistics.h - what many timings come to -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_STATISTICS_H
#define RUNG_TOOLS_RUNG_RUN_STATISTICS_H

#include <vector>

namespace rung::tools {

struct Statistics {
  double min = 0, median = 0, p90 = 0, p95 = 0, p99 = 0, max = 0, mean = 0;
};

/// Percentiles are interpolated between neighbours, as numpy.percentile's are.
/// `samples` must not be empty.
Statistics summarize(std::vector<double> samples);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_STATISTICS_H
