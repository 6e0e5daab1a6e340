//===- Compiler.h - model in, bundle out ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_COMPILER_H
#define RUNG_COMPILER_COMPILER_H

#include "compiler/Calibration.h"
#include "compiler/Stages.h"
#include "compiler/report/Report.h"
#include "runtime/base/Profile.h"

#include "mlir/IR/MLIRContext.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace rung {

/// A device profile, and what passes find it by: its name, if it ships, or the
/// path of its file.
struct Target {
  std::string source;
  Profile profile;
};

/// What to compile, for which devices, and how far.
struct CompileOptions {
  std::string model;   ///< A description, or rnn-dialect text (.mlir).
  std::string weights; ///< Goes before the one that the description names.
  /// Passes on the model as imported, as text: what the model is from then on.
  std::string transform;
  std::string precision = "fp32"; ///< As parsePrecision reads it.
  /// What a run has shown, for `int8`.
  Calibration calibration;
  /// `generic` first; no two profiles of one name.
  std::vector<Target> targets;
  Stage stage = Stage::Bundle;
  bool keepStages = false; ///< Put the IR at every stage into the bundle.
  /// What to report; its precision and profiles are those of the compilation.
  std::optional<ReportOptions> report;
  /// Told what the front end warns of, one line each.
  std::function<void(const std::string &)> warn;
  /// Told what is being done, for people who wait.
  std::function<void(const std::string &)> progress;
};

/// What a compilation leaves: text for all stages but the last.
struct CompileResult {
  std::string text;
  std::vector<std::byte> bundle;
  std::optional<Report> report; ///< If one was asked for, past stage `rnn`.
};

/// Compiles a model. Errors in files of the model are in the status; errors
/// found in IR go to the context's diagnostic handler, and the status says
/// which stage they stopped. For textual stages past `precision` the last
/// target is shown.
Result<CompileResult> compile(mlir::MLIRContext &context,
                              const CompileOptions &options);

/// Registers what the compiler needs in \p context.
void registerCompilerDialects(mlir::MLIRContext &context);

} // namespace rung

#endif // RUNG_COMPILER_COMPILER_H
