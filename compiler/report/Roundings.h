//===- Roundings.h - what a step rounds -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_REPORT_ROUNDINGS_H
#define RUNG_COMPILER_REPORT_ROUNDINGS_H

#include "compiler/report/Report.h"
#include "dialects/rnn/RnnOps.h"

namespace rung {

/// The operations in the body of \p recurrence that may round, by operation
/// and format, in the order of their first.
std::vector<Rounding> roundingsOf(rnn::RecurrenceOp recurrence);

/// The model's view of the same: which grids a step of \p recurrence rounds
/// to, and its input too unless that is \p isRepresentable. \p units are the
/// layer's, at whose arguments fitted activations err.
numerics::Arithmetic arithmeticOf(rnn::RecurrenceOp recurrence,
                                  const PrecisionOptions &options,
                                  const std::vector<numerics::UnitClass> &units,
                                  bool isRepresentable);

/// Where the state of \p recurrence lies, as a grid.
numerics::Grid stateGridOf(rnn::PrecisionAttr precision);

} // namespace rung

#endif // RUNG_COMPILER_REPORT_ROUNDINGS_H
