//===- Calibration.h - the ranges that a model's numbers take ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_CALIBRATION_H
#define RUNG_COMPILER_CALIBRATION_H

#include "runtime/base/Status.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rung {

/// The least and the largest of the numbers seen; empty if there were none.
struct SeenRange {
  double low = 1, high = 0;

  bool isEmpty() const { return !(low <= high); }
};

struct RecurrenceCalibration {
  /// The argument of each rnn.sigmoid and math.tanh, in the order of the body.
  std::vector<SeenRange> activations;
  std::vector<SeenRange> states;
};

/// Lists are in the order of the function after `rnn-expand-cells`.
struct FunctionCalibration {
  std::vector<SeenRange> linears; ///< The input of each rnn.linear.
  std::vector<RecurrenceCalibration> recurrences;
};

/// What a run of a model has shown, for the rungs that put numbers on grids.
struct Calibration {
  std::map<std::string, FunctionCalibration> functions;
};

/// Reads what formatCalibration writes; an error names the place.
///
/// ```json
/// {"functions": {"run": {
///     "linears": [[-4.2, 4.1]],
///     "recurrences": [{"activations": [[-11, -3], [-4, 4], null],
///                      "states": [[-0.9, 0.8]]}]}}}
/// ```
Result<Calibration> parseCalibration(std::string_view text);

std::string formatCalibration(const Calibration &calibration);

} // namespace rung

#endif // RUNG_COMPILER_CALIBRATION_H
