//===- MeasuredTiles.h - what a device was found to prefer ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_TARGET_MEASUREDTILES_H
#define RUNG_COMPILER_TARGET_MEASUREDTILES_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace rung {

/// The key "tiles" of a profile's JSON, which `rung-bench tune` writes; most
/// profiles have none.
struct MeasuredTiles {
  /// `rung.tiles` as text, by the name of the problem
  /// (compiler/tiling/Candidates.h).
  std::map<std::string, std::string> byProblem;
  /// The key "candidate" among them, for tuning: which of the candidates to
  /// take, counted through the operations of a module.
  std::optional<int64_t> candidate;
};

/// Of a profile as findProfile takes it.
Result<MeasuredTiles> findMeasuredTiles(const std::string &nameOrPath);

} // namespace rung

#endif // RUNG_COMPILER_TARGET_MEASUREDTILES_H
