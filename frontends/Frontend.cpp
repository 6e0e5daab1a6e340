//===- Frontend.cpp - model files to the rnn dialect ----------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/Frontend.h"
#include "dialects/rnn/RnnOps.h"
#include "frontends/spec/ImportDescription.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Path.h"

#include <format>

using namespace mlir;

namespace rung {

/// Sends what MLIR says to the sink, at the place in the model file.
static LogicalResult forward(mlir::Diagnostic &diagnostic,
                             DiagnosticsSink &sink) {
  rung::Diagnostic entry;
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    entry.severity = Severity::Error;
    break;
  case DiagnosticSeverity::Warning:
    entry.severity = Severity::Warning;
    break;
  default:
    entry.severity = Severity::Note;
    break;
  }
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>()) {
    entry.file = place.getFilename().str();
    entry.location = {place.getLine(), place.getColumn()};
  }
  entry.message = diagnostic.str();
  sink.add(std::move(entry));
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    (void)forward(note, sink);
  return success();
}

FailureOr<ImportedModel> importModel(MLIRContext &context,
                                     const std::string &path,
                                     const std::string &weights,
                                     DiagnosticsSink &sink) {
  llvm::StringRef extension = llvm::sys::path::extension(path);
  if (extension != ".yaml" && extension != ".yml") {
    FileDiagnostics(sink, path)
        .error({}, std::format("file ending '{}' is unknown; a model is a "
                               "'.yaml' description",
                               extension.str()));
    return failure();
  }
  context.loadDialect<func::FuncDialect, rnn::RnnDialect>();
  ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    return forward(diagnostic, sink);
  });
  auto model = spec::importDescription(context, path, weights, sink);
  if (failed(model) || failed(verify(*model->module)))
    return failure();
  return model;
}

} // namespace rung
