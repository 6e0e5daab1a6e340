//===- Calibrate.h - what range each number of a model takes ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_CALIBRATE_H
#define RUNG_RUNTIME_REFERENCE_CALIBRATE_H

#include "runtime/reference/Observer.h"
#include "runtime/reference/Program.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace rung::reference {

/// The ranges of one recurrence.
struct RecurrenceRanges {
  /// The input of each rnn.sigmoid and math.tanh, in the order of the body.
  std::vector<Range> activations;
  std::vector<Range> states; ///< initial values included
};

/// The ranges of one function; each list is in the order of the graph's nodes.
struct FunctionRanges {
  std::vector<Range> linears; ///< the input of each rnn.linear
  std::vector<Range> norms;   ///< the input of each rnn.rms_norm
  std::vector<RecurrenceRanges> recurrences;
};

/// Runs functions of a bundle, compiled with precision fp32, on the
/// interpreter of its graphs and gathers the ranges that decide how integers
/// are scaled. Past the end of a row nothing is gathered.
///
///     RUNG_ASSIGN_OR_RETURN(auto reader, BundleReader::fromBytes(bytes));
///     Calibrator calibrator(reader);
///     RUNG_RETURN_IF_ERROR(calibrator.run(function, inputs, T, B).status());
///     use(calibrator.ranges(function));
class Calibrator {
public:
  /// \p bundle must outlive the calibrator.
  explicit Calibrator(const BundleReader &bundle);
  ~Calibrator();

  /// As Program::run; what the run meets widens the function's ranges. Every
  /// input port needs a tensor: `zeroInput` makes those of states.
  Result<std::vector<Tensor>> run(uint32_t function, std::vector<Tensor> inputs,
                                  int64_t steps, int64_t batch);

  /// What the runs of \p function have met so far. A list has an entry for
  /// each node of its kind; a node that no run reached has an empty range.
  FunctionRanges ranges(uint32_t function) const;

private:
  struct Function;

  const BundleReader &bundle_;
  Weights weights_;
  std::vector<std::unique_ptr<Function>> functions_;
};

/// Zeros for the input port \p index of \p function.
Tensor zeroInput(const fb::Function &function, uint32_t index, int64_t steps,
                 int64_t batch);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_CALIBRATE_H
