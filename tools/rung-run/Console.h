//===- Console.h - speech, progress and exit codes --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_CONSOLE_H
#define RUNG_TOOLS_RUNG_RUN_CONSOLE_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <string_view>

namespace rung::tools {

/// What the tool's process returns.
enum ExitCode {
  kDone = 0,
  kRefused = 1,         ///< The input or the device said no.
  kUsage = 2,           ///< The command line is wrong.
  kComparisonFailed = 3 ///< An output is not what --expect says.
};

/// "error: <message>" to stderr.
ExitCode fail(const Status &status, ExitCode code = kRefused);

/// `code`, or kRefused with an error in place of kDone where stdout did not
/// take everything that was printed: a full disk, a closed descriptor.
ExitCode checkStdout(ExitCode code);

/// "note: <line>" to stderr for each line of `text`, unless quiet.
void note(std::string_view text);
void setQuiet(bool quiet);

/// "label 3/10", rewritten in place on stderr and gone at the end; only at a
/// terminal, and only when the work has taken a while.
class Progress {
public:
  Progress(std::string_view label, uint64_t total);
  ~Progress();
  Progress(const Progress &) = delete;

  void show(uint64_t done);

private:
  std::string_view label_;
  uint64_t total_;
  bool enabled_;
  bool shown_ = false;
  double lastShown_;
};

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_CONSOLE_H
