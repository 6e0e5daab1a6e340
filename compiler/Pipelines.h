//===- Pipelines.h - the compiler's pipelines -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_PIPELINES_H
#define RUNG_COMPILER_PIPELINES_H

#include "passes/precision/Presets.h"

#include "mlir/Pass/PassManager.h"

#include <string>

namespace rung {

/// Says how wide every number shall be, as parsePrecision reads it, and opens
/// the cells: stage `rnn` to what a calibration is attached to.
void buildCellPipeline(mlir::OpPassManager &pm, const std::string &precision);

/// Makes every number that wide: from there to stage `precision`.
void buildPrecisionPipeline(mlir::OpPassManager &pm,
                            const PrecisionOptions &precision);

/// Chooses and builds kernels for a profile: stage `precision` to `tile`.
void buildKernelPipeline(mlir::OpPassManager &pm, const std::string &profile);

/// Kernels to proved SPIR-V for a profile: stage `tile` to stage `spirv`.
void buildSpirvPipeline(mlir::OpPassManager &pm, const std::string &profile);

/// The text of all three for provenance.
std::string describePipelines(const std::string &precision);

} // namespace rung

#endif // RUNG_COMPILER_PIPELINES_H
