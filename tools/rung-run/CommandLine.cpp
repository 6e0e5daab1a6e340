//===- CommandLine.cpp - what the tools' options share --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/CommandLine.h"

#include "runtime/base/Text.h"

#include <cctype>
#include <cstdlib>
#include <new>

namespace rung::tools {
namespace {

/// Accepts numbers for which `test` holds.
template <typename Test> Check mustBe(const char *what, Test test) {
  return [=](const std::string &text) {
    char *end = nullptr;
    double value = std::strtod(text.c_str(), &end);
    bool good = !text.empty() && *end == 0 && test(value);
    return good ? std::string() : concat(quote(text), " is not ", what);
  };
}

/// CLI11's words as a clause of ours.
std::string describe(const CLI::ParseError &error) {
  std::string text = error.what();
  text[0] = static_cast<char>(std::tolower(text[0]));
  return text;
}

} // namespace

Check notNegative() {
  return mustBe("a number from 0", [](double value) { return value >= 0; });
}
Check positive() {
  return mustBe("a number above 0", [](double value) { return value > 0; });
}
Check belowOne() {
  return mustBe("a number from 0 to below 1",
                [](double value) { return value >= 0 && value < 1; });
}

ExitCode parseAndRun(CLI::App &app, int argc, char **argv,
                     const std::function<ExitCode()> &run) {
  bool quiet = false;
  app.add_flag("--quiet,-q", quiet, "no notes on stderr");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &help) {
    app.exit(help);
    return kDone;
  } catch (const CLI::ParseError &error) {
    return fail(Status(StatusCode::InvalidArgument,
                       describe(error) + "; --help lists the options"),
                kUsage);
  }
  setQuiet(quiet);
  // Arrays are as large as their files say, and the standard containers have
  // no other way to say that one is too large.
  try {
    return run();
  } catch (const std::bad_alloc &) {
    return fail(Status(StatusCode::ResourceExhausted,
                       "host memory does not hold the arrays"));
  }
}

} // namespace rung::tools
