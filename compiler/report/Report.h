//===- Report.h - what a compiled model errs, costs and takes ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/precision.md describes the report and the formulas behind it.

#ifndef RUNG_COMPILER_REPORT_REPORT_H
#define RUNG_COMPILER_REPORT_REPORT_H

#include "compiler/numerics/ErrorBudget.h"
#include "compiler/report/MeasuredDrift.h"
#include "passes/precision/Presets.h"
#include "runtime/base/Profile.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rung {

struct ReportOptions {
  PrecisionOptions precision;
  std::string precisionText;     ///< The same, as the user wrote it.
  std::vector<Profile> profiles; ///< Whose peaks the times are for.
  int64_t steps = 1024, batch = 1;
  /// Bytes that activations should stay below.
  uint64_t limit = uint64_t(1) << 30;
  /// Steps that an input keeps, in the predictions for slow inputs.
  double inputMemory = 1000;
  /// To be put beside the predictions.
  std::vector<MeasuredDrift> measured;
};

/// Operations of a step that round.
struct Rounding {
  std::string op;      ///< "arith.addf", "rnn.dot" …
  std::string format;  ///< "f16", "i32 grid 2^-24" …
  int64_t perUnit = 0; ///< Of them, for one unit of the state.
  double ulp = 0;      ///< Distance of numbers at 1.
};

/// Errors of one state, as measured.
struct Measurement {
  std::string device;
  double inputMemory = 0;
  std::vector<int64_t> steps;
  std::vector<double> errors;
};

/// What the error does as steps go by, for one kind of input.
struct Growth {
  std::string input;      ///< "new each step", "slow".
  double inputMemory = 0; ///< In steps; 0: new each step.
  std::string kind;       ///< "forgotten", "random", "coherent".
  std::string source;     ///< Of the largest part at the last mark.
  std::vector<numerics::Prediction> predictions;
  std::vector<Measurement> measured; ///< With inputs as these.
};

/// A direction of a recurrent layer.
struct LayerBudget {
  std::string name, function, precision;
  std::string state;            ///< Port of the state, if the function has one.
  int64_t heads = 0, width = 0; ///< Of all heads together.
  std::vector<Rounding> roundings;
  numerics::Memory memory;    ///< Steps; 0 where nothing is known.
  double inputRms = 0;        ///< Root of the mean square of the input.
  std::string inputKnownFrom; ///< "rms_norm", "embedding", "assumed" …
  std::vector<Growth> growth; ///< Empty where the cell is no GRU.
  std::string withoutGrowth;  ///< Why, if it is.
};

/// Work of one step of one row. Integer operations count like FLOPs.
struct LayerCost {
  std::string name, function, format; ///< Of the products' operands.
  bool recurrent = false;
  double operations = 0;  ///< A product of N terms is 2 N.
  double bytes = 0;       ///< Rows read and written.
  double weightBytes = 0; ///< Read once a run, or each step by `step`.
};

/// A function's run of all steps and rows at the peaks of a profile.
struct PeakTime {
  std::string profile, function;
  double operationSeconds = 0, byteSeconds = 0; ///< 0 = not stated.
};

struct MemoryUse {
  std::string function;
  uint64_t weights = 0, activations = 0, state = 0; ///< Bytes.
  uint64_t stepActivations = 0;                     ///< Of one step, all rows.
  /// Those of the activations that the caller gives or gets: they are kept
  /// whole, while the others need no more than the segments that are under way.
  uint64_t ports = 0;
  uint64_t segments = 0; ///< 0: segments of one step are over the limit.
  uint64_t total = 0;    ///< Bytes of a run in so many segments.
};

struct Report {
  std::string model, precision;
  int64_t steps = 0, batch = 0;
  uint64_t limit = 0;
  std::vector<LayerBudget> budget;
  std::vector<LayerCost> costs;
  std::vector<PeakTime> times;
  std::vector<MemoryUse> memory;
  bool isInteger = false; ///< Whether recurrences are of integers alone.
  /// Of an integer rung: operations outside recurrences that stayed float.
  std::vector<std::string> stayedFloat;
};

/// Reports on a model. \p source is its module as imported, at stage `rnn`,
/// \p rounded that at stage `precision`. Fails, with an error, where the two do
/// not have the same functions.
mlir::FailureOr<Report> makeReport(mlir::ModuleOp source,
                                   mlir::ModuleOp rounded,
                                   const ReportOptions &options);

/// Tables for people.
std::string reportText(const Report &report);
/// JSON, newline at the end; its keys are those of docs/precision.md.
std::string reportJson(const Report &report);

} // namespace rung

#endif // RUNG_COMPILER_REPORT_REPORT_H
