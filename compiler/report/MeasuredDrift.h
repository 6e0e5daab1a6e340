//===- MeasuredDrift.h - errors that rung-run found -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_REPORT_MEASUREDDRIFT_H
#define RUNG_COMPILER_REPORT_MEASUREDDRIFT_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace rung {

/// What `rung-run drift --json` says of a bundle of the same model and rung.
struct MeasuredDrift {
  std::string function, device;
  double inputMemory = 0; ///< In steps; 0: white inputs.
  std::vector<int64_t> steps;
  /// By state: the arithmetic's error after each of `steps`; NaN where the file
  /// has none.
  std::map<std::string, std::vector<double>> errors;
};

/// Reads \p path; an error says what is missing in it.
Result<MeasuredDrift> readMeasuredDrift(const std::string &path);

} // namespace rung

#endif // RUNG_COMPILER_REPORT_MEASUREDDRIFT_H
