//===- Console.cpp - speech, progress and exit codes ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Console.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace rung::tools {
namespace {

bool isQuiet = false;

// Seconds between two lines of progress, and before the first.
constexpr double kInterval = 0.2;

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

} // namespace

ExitCode fail(const Status &status, ExitCode code) {
  std::fprintf(stderr, "error: %s\n", status.message().c_str());
  return code;
}

ExitCode checkStdout(ExitCode code) {
  int error = std::fflush(stdout) == 0 ? 0 : errno;
  if (error == 0 && std::ferror(stdout) == 0)
    return code;
  fail(Status(StatusCode::Io,
              concat("cannot write to stdout", error == 0 ? "" : ": ",
                     error == 0 ? "" : std::strerror(error))));
  return code == kDone ? kRefused : code;
}

void setQuiet(bool quiet) { isQuiet = quiet; }

void note(std::string_view text) {
  while (!isQuiet && !text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::fprintf(stderr, "note: %.*s\n", static_cast<int>(end), text.data());
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

Progress::Progress(std::string_view label, uint64_t total)
    : label_(label), total_(total), enabled_(!isQuiet && isatty(2)),
      lastShown_(now()) {}

Progress::~Progress() {
  if (shown_)
    std::fprintf(stderr, "\r\033[K");
}

void Progress::show(uint64_t done) {
  if (!enabled_ || now() - lastShown_ < kInterval)
    return;
  std::fprintf(stderr, "\r%.*s %llu/%llu\033[K",
               static_cast<int>(label_.size()), label_.data(),
               static_cast<unsigned long long>(done),
               static_cast<unsigned long long>(total_));
  shown_ = true;
  lastShown_ = now();
}

} // namespace rung::tools
