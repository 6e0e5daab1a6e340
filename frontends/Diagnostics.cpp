//===- Diagnostics.cpp - what a front end says about its files ------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/Diagnostics.h"

namespace rung {

static const char *word(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  return "error";
}

std::string Diagnostic::text() const {
  std::string result = file;
  if (location.line) {
    result += ':' + std::to_string(location.line);
    if (location.column)
      result += ':' + std::to_string(location.column);
  }
  if (!result.empty())
    result += ": ";
  return result + word(severity) + ": " + message;
}

void DiagnosticsSink::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error)
    ++errorCount_;
  if (errorCount_ <= kMaxErrors)
    diagnostics_.push_back(std::move(diagnostic));
}

std::string DiagnosticsSink::text() const {
  std::string result;
  for (const Diagnostic &diagnostic : diagnostics_)
    result += diagnostic.text() + '\n';
  if (errorCount_ > kMaxErrors)
    result += std::to_string(errorCount_ - kMaxErrors) +
              " further errors are not shown\n";
  return result;
}

} // namespace rung
