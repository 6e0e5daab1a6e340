//===- LayerUnits.h - the units of a GRU, by their weights ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_REPORT_LAYERUNITS_H
#define RUNG_COMPILER_REPORT_LAYERUNITS_H

#include "compiler/numerics/ErrorBudget.h"
#include "dialects/rnn/RnnOps.h"

#include "mlir/Support/LLVM.h"

namespace rung {

/// Classes of units that are alike, of direction \p direction of \p gru: their
/// arguments are normal, with means from the biases and deviations from the
/// rows of the weights, for an input and a state of uncorrelated elements of
/// root mean square \p inputRms and \p stateRms. Fails where weights are not
/// loaded constants with numbers at hand.
mlir::FailureOr<std::vector<numerics::UnitClass>>
unitClasses(rnn::GruOp gru, unsigned direction, double inputRms,
            double stateRms);

/// The root of the mean square of what \p value is, and how it is known.
struct KnownSize {
  double rms = 1;
  const char *from = "assumed";
};
KnownSize sizeOf(mlir::Value value);

} // namespace rung

#endif // RUNG_COMPILER_REPORT_LAYERUNITS_H
