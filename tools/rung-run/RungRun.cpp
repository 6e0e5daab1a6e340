//===- RungRun.cpp - runs compiled models ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "tools/rung-run/Commands.h"

#include <CLI/CLI.hpp>

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <string>

namespace rung::tools {
namespace {

constexpr const char *kDeviceHelp =
    "a device's index, a part of its name, or 'reference'";

using Check = std::function<std::string(const std::string &)>;

/// Accepts numbers for which `test` holds.
template <typename Test> Check mustBe(const char *what, Test test) {
  return [=](const std::string &text) {
    char *end = nullptr;
    double value = std::strtod(text.c_str(), &end);
    bool good = !text.empty() && *end == 0 && test(value);
    return good ? std::string() : concat(quote(text), " is not ", what);
  };
}
const Check kNotNegative =
    mustBe("a number from 0", [](double value) { return value >= 0; });
const Check kPositive =
    mustBe("a number above 0", [](double value) { return value > 0; });

/// CLI11's words as a clause of ours.
std::string describe(const CLI::ParseError &error) {
  std::string text = error.what();
  text[0] = static_cast<char>(std::tolower(text[0]));
  return text;
}

/// Declares options, parses, and hands over to `run`.
ExitCode parse(CLI::App &app, int argc, char **argv,
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

/// What goes in and out.
void addArrayOptions(CLI::App &app, RunArguments &arguments) {
  app.add_option("--input,-i", arguments.inputs,
                 "NAME=@FILE.npy, NAME=@FILE.npz[:KEY], @FILE.npz, or "
                 "NAME=[[1, 2], [3, 4]]; a state left out is zeros")
      ->allow_extra_args(false);
  app.add_option("--output,-o", arguments.outputs,
                 "NAME=@FILE.npy, or @FILE.npz for all outputs")
      ->allow_extra_args(false);
  app.add_option("--expect,-e", arguments.expected,
                 "what an output should be, written as for --input; exit code "
                 "3 where it is not")
      ->allow_extra_args(false);
  app.add_option("--atol", arguments.tolerance.absolute,
                 "|got - expected| <= atol + rtol * |expected|")
      ->check(kNotNegative)
      ->capture_default_str();
  app.add_option("--rtol", arguments.tolerance.relative, "see --atol")
      ->check(kNotNegative)
      ->capture_default_str();
}

/// Where and how often.
void addRunOptions(CLI::App &app, RunArguments &arguments) {
  app.add_option("--function,-f", arguments.function,
                 "which function; needed where there are several");
  app.add_option("--device,-d", arguments.device, kDeviceHelp);
  app.add_option("--time", arguments.time,
                 "run that many times more and report the times");
  app.add_flag("--on-device", arguments.onDevice,
               "--time's runs leave inputs and outputs on the device");
  app.add_option("--warmup", arguments.warmup, "untimed runs before --time's")
      ->capture_default_str();
  app.add_option("--segments", arguments.segments,
                 "run the steps in that many pieces, passing the states on")
      ->capture_default_str();
  app.add_option("--timeout", arguments.timeoutSeconds,
                 "longest that a run may take, in seconds")
      ->check(kNotNegative);
}

ExitCode runMain(int argc, char **argv) {
  CLI::App app("Runs a function of a compiled model.\n"
               "Other commands: rung-run generate, rung-run inspect; each has "
               "its own --help.",
               "rung-run");
  RunArguments arguments;
  bool listDevices = false;
  app.add_option("bundle", arguments.bundle, "the compiled model (.rung)");
  addArrayOptions(app, arguments);
  addRunOptions(app, arguments);
  app.add_flag("--list-devices", listDevices,
               "list devices and do nothing else");
  app.add_flag("--json", arguments.json, "results as JSON");
  return parse(app, argc, argv, [&] {
    if (listDevices)
      return listDevicesCommand(arguments.json);
    if (arguments.bundle.empty())
      return fail(Status(StatusCode::InvalidArgument,
                         "no bundle is given; --help lists the options"),
                  kUsage);
    arguments.toleranceGiven = app.count("--atol") + app.count("--rtol") > 0;
    return runCommand(arguments);
  });
}

ExitCode generateMain(int argc, char **argv) {
  CLI::App app("Generates text with a compiled model, one token a step.",
               "rung-run generate");
  GenerateArguments arguments;
  app.add_option("bundle", arguments.bundle, "the compiled model (.rung)")
      ->required();
  app.add_option("--prompt,-p", arguments.prompts,
                 "text to begin with, \\n \\t \\s \\\\ being newline, tab, "
                 "space and backslash; may be given many times")
      ->allow_extra_args(false);
  app.add_option("--prompt-file", arguments.promptFile,
                 "a file with one prompt a line, written as for --prompt");
  app.add_option("--function,-f", arguments.function,
                 "which function; needed where several can generate");
  app.add_option("--max-steps,-n", arguments.maxSteps,
                 "at most so many tokens (default: the bundle's limit)");
  auto *sample = app.add_flag("--sample", arguments.sample,
                              "draw tokens instead of taking the likeliest");
  app.add_option("--seed", arguments.seed, "of the drawing (std::mt19937_64)")
      ->needs(sample)
      ->capture_default_str();
  app.add_option("--temperature", arguments.temperature,
                 "the logits are divided by it")
      ->needs(sample)
      ->check(kPositive)
      ->capture_default_str();
  app.add_option("--top-k", arguments.topK, "draw among the k likeliest")
      ->needs(sample)
      ->check(kPositive);
  app.add_option("--separator", arguments.separator,
                 "what stands between two symbols (default: nothing between "
                 "characters, a space between words)");
  app.add_flag("--echo", arguments.echo, "print the prompt, too");
  app.add_option("--device,-d", arguments.device, kDeviceHelp);
  app.add_flag("--json", arguments.json, "results as JSON");
  return parse(app, argc, argv, [&] {
    if (arguments.prompts.empty() && arguments.promptFile.empty())
      return fail(Status(StatusCode::InvalidArgument,
                         "neither --prompt nor --prompt-file is given"),
                  kUsage);
    return generateCommand(arguments);
  });
}

ExitCode inspectMain(int argc, char **argv) {
  CLI::App app("Shows what a compiled model holds.", "rung-run inspect");
  InspectArguments arguments;
  app.add_option("bundle", arguments.bundle, "the compiled model (.rung)")
      ->required();
  app.add_option("--stage", arguments.stage,
                 "print the model's text at that stage of the compiler, where "
                 "the bundle keeps it");
  app.add_flag("--json", arguments.json, "results as JSON");
  return parse(app, argc, argv, [&] { return inspectCommand(arguments); });
}

} // namespace
} // namespace rung::tools

int main(int argc, char **argv) {
  using namespace rung::tools;
  auto is = [&](const char *command) {
    return argc > 1 && std::strcmp(argv[1], command) == 0;
  };
  if (is("generate"))
    return checkStdout(generateMain(argc - 1, argv + 1));
  if (is("inspect"))
    return checkStdout(inspectMain(argc - 1, argv + 1));
  return checkStdout(is("run") ? runMain(argc - 1, argv + 1)
                               : runMain(argc, argv));
}
