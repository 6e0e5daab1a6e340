//===- Pipelines.h - the compiler's pipelines -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_PIPELINES_H
#define RUNG_COMPILER_PIPELINES_H

#include "mlir/Pass/PassManager.h"

#include <string>

namespace rung {

/// Decides how wide every number is: stage `rnn` to stage `precision`.
void buildPrecisionPipeline(mlir::OpPassManager &pm,
                            const std::string &precision);

/// Chooses and builds kernels for a profile: stage `precision` to `tile`.
void buildKernelPipeline(mlir::OpPassManager &pm, const std::string &profile);

/// Kernels to proved SPIR-V: stage `tile` to stage `spirv`.
void buildSpirvPipeline(mlir::OpPassManager &pm);

/// The text of all three for provenance.
std::string describePipelines(const std::string &precision);

} // namespace rung

#endif // RUNG_COMPILER_PIPELINES_H
