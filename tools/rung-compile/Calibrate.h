//===- Calibrate.h - what --calibrate gives the compiler --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_COMPILE_CALIBRATE_H
#define RUNG_TOOLS_RUNG_COMPILE_CALIBRATE_H

#include "compiler/Calibration.h"
#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace rung::tools {

/// --calibrate and what belongs to it.
struct CalibrationRequest {
  /// FILE.npz: inputs; FILE.txt: text; FILE.json: an earlier calibration;
  /// "free": the model's own run.
  std::string source;
  uint64_t steps = 0; ///< At most so many; 0: the source's, or 1024.
  /// Told what is being done, for people who wait.
  std::function<void(const std::string &)> progress;
};

/// Whether `source` is one of the forms above.
bool isCalibrationSource(const std::string &source);

/// Whether the request needs a model to run, and not a file alone.
bool needsModel(const CalibrationRequest &request);

/// Reads an earlier calibration.
Result<Calibration> readCalibration(const std::string &path);

/// Runs the functions of `bundle`, which is compiled with precision fp32.
Result<Calibration> calibrate(std::span<const std::byte> bundle,
                              const CalibrationRequest &request);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_COMPILE_CALIBRATE_H
