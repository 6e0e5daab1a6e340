//===- Suite.h - a folder of bundles to measure -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_SUITE_H
#define RUNG_TOOLS_RUNG_BENCH_SUITE_H

#include "runtime/base/Status.h"
#include "tools/drift/InputSource.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rung::tools {

/// One model of a suite, and its bundles, which differ in nothing but their
/// precision.
struct SuiteModel {
  std::string folder, name, regime;
  uint64_t seed = 0; ///< Of its inputs, too, and of stochastic rounding.
  InputKind inputs = InputKind::White;
  double memory = 0;

  struct Bundle {
    std::string rung, path;
  };
  std::vector<Bundle> bundles; ///< In the order of the ladder.
};

/// Reads FOLDER/suite.json, which bench/drift_models.py writes, and looks for
/// the bundles FOLDER/MODEL.RUNG.rung. Fails where a model has none.
Result<std::vector<SuiteModel>> readSuite(const std::string &folder);

/// Whether the rung `a` stands before `b`: fp32, the mixed ones, fp16, fp16-sr,
/// fp16x2, fp16x2-sr, int8 in all its options, then others by their names.
bool standsBefore(const std::string &a, const std::string &b);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_SUITE_H
