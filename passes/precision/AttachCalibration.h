//===- AttachCalibration.h - seen ranges as attributes -----------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_ATTACHCALIBRATION_H
#define RUNG_PASSES_PRECISION_ATTACHCALIBRATION_H

#include "compiler/Calibration.h"

#include "mlir/IR/BuiltinOps.h"

namespace rung {

/// Writes what was seen on the layers of \p module, whose cells are expanded,
/// where `rnn-lower-int8-pwl` reads it: `rung.input_range` on an rnn.linear,
/// `rung.activation_ranges` and `rung.state_range` on an rnn.recurrence.
/// Attributes that are there already stay. Fails, with an error on the
/// function, if it does not have as many layers as its calibration.
mlir::LogicalResult attachCalibration(mlir::ModuleOp module,
                                      const Calibration &calibration);

} // namespace rung

#endif // RUNG_PASSES_PRECISION_ATTACHCALIBRATION_H
