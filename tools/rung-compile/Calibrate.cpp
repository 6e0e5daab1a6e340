//===- Calibrate.cpp - what --calibrate gives the compiler ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-compile/Calibrate.h"

#include "runtime/base/File.h"
#include "runtime/base/Npy.h"
#include "runtime/base/Text.h"
#include "runtime/bundle/Reader.h"
#include "tools/rung-compile/CalibrationRuns.h"

#include <utility>

namespace rung::tools {
namespace {

// Steps between two lines of progress.
constexpr uint64_t kProgressSteps = 64;

SeenRange seen(const reference::Range &range) {
  return range.empty() ? SeenRange() : SeenRange{range.low, range.high};
}

std::vector<SeenRange> seen(const std::vector<reference::Range> &ranges) {
  std::vector<SeenRange> result;
  for (const reference::Range &range : ranges)
    result.push_back(seen(range));
  return result;
}

FunctionCalibration seen(const reference::FunctionRanges &ranges) {
  FunctionCalibration function;
  function.linears = seen(ranges.linears);
  for (const reference::RecurrenceRanges &recurrence : ranges.recurrences)
    function.recurrences.push_back(
        {seen(recurrence.activations), seen(recurrence.states)});
  return function;
}

Status runSource(CalibrationRuns &runs, const std::string &source) {
  if (source == "free")
    return runs.runFree();
  if (source.ends_with(".txt")) {
    RUNG_ASSIGN_OR_RETURN(std::string text, readTextFile(source));
    return runs.runText(text);
  }
  RUNG_ASSIGN_OR_RETURN(NamedTensors arrays, readNpz(source));
  return runs.runArrays(arrays);
}

} // namespace

bool isCalibrationSource(const std::string &source) {
  return source == "free" || source.ends_with(".npz") ||
         source.ends_with(".txt") || source.ends_with(".json");
}

bool needsModel(const CalibrationRequest &request) {
  return !request.source.ends_with(".json");
}

Result<Calibration> readCalibration(const std::string &path) {
  RUNG_ASSIGN_OR_RETURN(std::string text, readTextFile(path));
  return parseCalibration(text).while_(
      concat("reading the calibration ", quotePath(path)));
}

Result<Calibration> calibrate(std::span<const std::byte> bundle,
                              const CalibrationRequest &request) {
  RUNG_ASSIGN_OR_RETURN(BundleReader reader, BundleReader::fromBytes(bundle));
  uint64_t told = 0;
  CalibrationRuns runs(reader, request.steps, [&](uint64_t done) {
    if (request.progress && done >= told + kProgressSteps)
      request.progress(concat("calibrating, step ", told = done));
  });
  RUNG_RETURN_IF_ERROR(
      runSource(runs, request.source)
          .while_(concat("calibrating with ", quotePath(request.source))));
  Calibration calibration;
  const auto &functions = *reader.root().functions();
  for (uint32_t i = 0; i < functions.size(); ++i)
    calibration.functions[functions[i]->name()->str()] =
        seen(runs.calibrator().ranges(i));
  return calibration;
}

} // namespace rung::tools
