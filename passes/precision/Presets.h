//===- Presets.h - named precisions --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PRECISION_PRESETS_H
#define RUNG_PASSES_PRECISION_PRESETS_H

#include "dialects/rnn/RnnDialect.h"

#include "llvm/Support/Error.h"

namespace rung {

/// A precision as a user asks for it: a preset, and for `int8` its options.
struct PrecisionOptions {
  std::string preset = "fp32";
  /// Format of the carried state, "s16" or "s32".
  std::string state = "s32";
  /// Pieces of each piecewise linear activation.
  int pieces = 32;
  /// Bytes of the state that products take: the high one, or both.
  int operandBytes = 2;
  /// "piecewise", "table" (of 256 entries) or "table-linear" (interpolated).
  std::string activation = "piecewise";
  /// Also integers for embedding, norms and layers outside recurrences.
  bool all = false;
};

/// Reads \p text, a preset and, behind commas, options of it:
/// "int8,state=s16,pieces=16,operand=1,activation=table,all". The error of
/// anything else says what there is.
llvm::Expected<PrecisionOptions> parsePrecision(llvm::StringRef text);

/// The attribute that \p options, as parsePrecision gives them, stand for.
rnn::PrecisionAttr getPrecisionAttr(mlir::MLIRContext *context,
                                    const PrecisionOptions &options);

/// The precision that \p text, as in parsePrecision, stands for.
llvm::Expected<rnn::PrecisionAttr> getPrecisionPreset(mlir::MLIRContext *,
                                                      llvm::StringRef text);

/// The names of all presets, as "fp32, fp16-mixed, ...".
std::string listPrecisionPresets();

} // namespace rung

#endif // RUNG_PASSES_PRECISION_PRESETS_H
