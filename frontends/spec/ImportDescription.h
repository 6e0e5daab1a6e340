//===- ImportDescription.h - YAML descriptions to modules -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SPEC_IMPORTDESCRIPTION_H
#define RUNG_FRONTENDS_SPEC_IMPORTDESCRIPTION_H

#include "frontends/Frontend.h"

namespace rung::spec {

/// importModel for a description file. The dialects it builds must be loaded.
mlir::FailureOr<ImportedModel> importDescription(mlir::MLIRContext &context,
                                                 const std::string &path,
                                                 const std::string &weights,
                                                 DiagnosticsSink &sink);

} // namespace rung::spec

#endif // RUNG_FRONTENDS_SPEC_IMPORTDESCRIPTION_H
