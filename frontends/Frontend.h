//===- Frontend.h - model files to the rnn dialect --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_FRONTEND_H
#define RUNG_FRONTENDS_FRONTEND_H

#include "frontends/Diagnostics.h"
#include "frontends/ModelExtras.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace rung {

/// A model in the rnn dialect, and what it has beside its graph.
struct ImportedModel {
  /// Verified; its locations are those of the description.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ModelExtras extras;
};

/// Imports the model at `path` (a `.yaml` or `.yml` description, see
/// docs/model-format.md). `weights`, when not empty, is the weights file and
/// goes before the one that the description names. On failure `sink` holds at
/// least one error; it may hold warnings in either case.
mlir::FailureOr<ImportedModel> importModel(mlir::MLIRContext &context,
                                           const std::string &path,
                                           const std::string &weights,
                                           DiagnosticsSink &sink);

} // namespace rung

#endif // RUNG_FRONTENDS_FRONTEND_H
