//===- RungBench.cpp - tables of speed and of error -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/Commands.h"
#include "tools/rung-run/CommandLine.h"

#include <cstring>
#include <string>

namespace rung::tools {
namespace {

ExitCode errorsMain(int argc, char **argv) {
  CLI::App app("Measures how far states drift in the bundles of a suite, rung "
               "by rung: bench/errors.sh prepares one.",
               "rung-bench errors");
  ErrorsArguments arguments;
  app.add_option("folders", arguments.folders,
                 "folders with suite.json and MODEL.RUNG.rung")
      ->required();
  app.add_option("--rung", arguments.rungs,
                 "measure this rung alone; may be given many times")
      ->allow_extra_args(false);
  app.add_option("--steps,-T", arguments.steps,
                 "measure after 1, 16, 256, 1024, 4096, 16384 steps as far as "
                 "that, and after so many")
      ->check(positive())
      ->capture_default_str();
  app.add_option("--batch,-B", arguments.batch, "rows")
      ->check(positive())
      ->capture_default_str();
  app.add_option("--device,-d", arguments.device, kDeviceHelp);
  app.add_option("--jobs,-j", arguments.jobs,
                 "exact interpreters at once; each uses all cores where it can")
      ->check(positive())
      ->capture_default_str();
  app.add_flag("--json", arguments.json, "results as JSON");
  app.add_option("--svg", arguments.svg,
                 "also a plot of the arithmetic-only error, into that file");
  app.add_option("--svg-total", arguments.svgTotal,
                 "also a plot of the total error");
  return parseAndRun(app, argc, argv, [&] { return errorsCommand(arguments); });
}

ExitCode chatModelMain(int argc, char **argv) {
  CLI::App app("Measures a character model on held-out chats, bundle by "
               "bundle: bits a character and the share of characters guessed, "
               "the right text being fed, and the share of determined answers "
               "that it writes to the letter.",
               "rung-bench chat-model");
  ChatModelArguments arguments;
  app.add_option("bundles", arguments.bundles, "compiled models (.rung)")
      ->required();
  app.add_option("--chats", arguments.chats,
                 "chats, as models/cat_chat/held_out.py writes them (.npz)")
      ->required();
  app.add_option("--device,-d", arguments.device, kDeviceHelp);
  app.add_option("--seed", arguments.seed, "of stochastic rounding")
      ->capture_default_str();
  app.add_flag("--json", arguments.json, "results as JSON");
  return parseAndRun(app, argc, argv,
                     [&] { return chatModelCommand(arguments); });
}

ExitCode kernelsMain(int argc, char **argv) {
  CLI::App app("Times single SPIR-V kernels by the device's clock and compares "
               "what they write: tools/rung-bench/KernelJob.h describes the "
               "files.",
               "rung-bench kernels");
  KernelsArguments arguments;
  app.add_option("files", arguments.files, "jobs (.json)")->required();
  app.add_option("--kernel", arguments.names,
                 "run this kernel alone; may be given many times")
      ->allow_extra_args(false);
  app.add_option("--device,-d", arguments.device, kDeviceHelp);
  app.add_option("--repeat", arguments.repeat,
                 "timed runs of each kernel, in place of what its job says")
      ->check(positive());
  app.add_option("--timeout", arguments.timeoutSeconds,
                 "seconds that one run may take")
      ->check(positive())
      ->capture_default_str();
  app.add_flag("--json", arguments.json, "results as JSON");
  return parseAndRun(app, argc, argv,
                     [&] { return kernelsCommand(arguments); });
}

ExitCode speedMain(int argc, char **argv) {
  CLI::App app("Times the bundles of a suite of speed and compares each with "
               "the reference: bench/speed.sh prepares one.",
               "rung-bench speed");
  SpeedArguments arguments;
  app.add_option("folder", arguments.folder, "folder with speed.json")
      ->required();
  app.add_option("--row", arguments.rows,
                 "only rows whose name or group holds this text; may be given "
                 "many times")
      ->allow_extra_args(false);
  app.add_option("--device,-d", arguments.device, kDeviceHelp);
  app.add_option("--peers", arguments.peers,
                 "peers' results, as bench/peers/torch_rows.py writes them");
  app.add_option("--hand", arguments.hand,
                 "those of the hand-written baselines, as bench/peers/glsl.py "
                 "--json prints them");
  app.add_option("--timeout", arguments.timeoutSeconds,
                 "seconds that one run may take")
      ->check(positive())
      ->capture_default_str();
  app.add_flag("--json", arguments.json, "results as JSON");
  app.add_option("--svg", arguments.svg,
                 "also a plot of the rows beside their peers, into that file");
  return parseAndRun(app, argc, argv, [&] { return speedCommand(arguments); });
}

ExitCode tuneMain(int argc, char **argv) {
  CLI::App app("Times the tilings that compiler/tiling offers and writes a "
               "profile with the best: bench/tune_candidates.py prepares them.",
               "rung-bench tune");
  TuneArguments arguments;
  app.add_option("folder", arguments.folder,
                 "folder with tune.json and speed.json")
      ->required();
  app.add_option("-o,--output", arguments.output, "the profile to write")
      ->required();
  app.add_option("--device,-d", arguments.device, kDeviceHelp);
  app.add_option("--timeout", arguments.timeoutSeconds,
                 "seconds that one run may take")
      ->check(positive())
      ->capture_default_str();
  return parseAndRun(app, argc, argv, [&] { return tuneCommand(arguments); });
}

ExitCode helpMain(int argc, char **argv) {
  CLI::App app("Tables of error and of speed. Commands: rung-bench errors, "
               "chat-model, kernels, speed, tune; each has its own --help.",
               "rung-bench");
  return parseAndRun(app, argc, argv, [] {
    return fail(Status(StatusCode::InvalidArgument,
                       "no command is given; there are errors, chat-model, "
                       "kernels, speed and tune"),
                kUsage);
  });
}

} // namespace
} // namespace rung::tools

int main(int argc, char **argv) {
  using namespace rung::tools;
  auto is = [&](const char *command) {
    return argc > 1 && std::strcmp(argv[1], command) == 0;
  };
  if (is("errors"))
    return checkStdout(errorsMain(argc - 1, argv + 1));
  if (is("chat-model"))
    return checkStdout(chatModelMain(argc - 1, argv + 1));
  if (is("kernels"))
    return checkStdout(kernelsMain(argc - 1, argv + 1));
  if (is("speed"))
    return checkStdout(speedMain(argc - 1, argv + 1));
  if (is("tune"))
    return checkStdout(tuneMain(argc - 1, argv + 1));
  return checkStdout(helpMain(argc, argv));
}
