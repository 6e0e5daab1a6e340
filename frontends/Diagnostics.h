//===- Diagnostics.h - what a front end says about its files ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_DIAGNOSTICS_H
#define RUNG_FRONTENDS_DIAGNOSTICS_H

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace rung {

/// A place in a text file; lines and columns count from 1, 0 is unknown.
struct SourceLocation {
  unsigned line = 0;
  unsigned column = 0;
};

/// A value and where it was written.
template <typename T> struct Located {
  T value{};
  SourceLocation location;
};

enum class Severity { Error, Warning, Note };

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string file;
  SourceLocation location;
  std::string message;

  /// `file:line:column: error: message`, without what is unknown.
  std::string text() const;
};

/// Collects diagnostics; prints nothing. After `kMaxErrors` errors only the
/// count goes on, so that a broken file does not bury its first error.
class DiagnosticsSink {
public:
  static constexpr size_t kMaxErrors = 50;

  void add(Diagnostic diagnostic);
  bool hasErrors() const { return errorCount_ != 0; }
  const std::vector<Diagnostic> &diagnostics() const { return diagnostics_; }

  /// Every diagnostic on a line of its own.
  std::string text() const;

private:
  std::vector<Diagnostic> diagnostics_;
  size_t errorCount_ = 0;
};

/// A sink together with the file that is being read.
class FileDiagnostics {
public:
  FileDiagnostics(DiagnosticsSink &sink, std::string file)
      : sink_(sink), file_(std::move(file)) {}

  /// Returns false, so that a failing check can end in one line.
  bool error(SourceLocation location, std::string message) const {
    sink_.add({Severity::Error, file_, location, std::move(message)});
    return false;
  }
  void warning(SourceLocation location, std::string message) const {
    sink_.add({Severity::Warning, file_, location, std::move(message)});
  }
  void note(SourceLocation location, std::string message) const {
    sink_.add({Severity::Note, file_, location, std::move(message)});
  }
  const std::string &file() const { return file_; }
  DiagnosticsSink &sink() const { return sink_; }

private:
  DiagnosticsSink &sink_;
  std::string file_;
};

} // namespace rung

#endif // RUNG_FRONTENDS_DIAGNOSTICS_H
