//===- Presets.h - named precisions --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_PRESETS_H
#define RUNG_PASSES_PRECISION_PRESETS_H

#include "dialects/rnn/RnnDialect.h"

#include "llvm/Support/Error.h"

namespace rung {

/// The precision that \p name stands for. The error of any other name says
/// which there are.
llvm::Expected<rnn::PrecisionAttr> getPrecisionPreset(mlir::MLIRContext *,
                                                      llvm::StringRef name);

/// The names of all presets, as "fp32, fp16-mixed, bf16-mixed".
std::string listPrecisionPresets();

} // namespace rung

#endif // RUNG_PASSES_PRECISION_PRESETS_H
