//===- RungRun.cpp - runs compiled models ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/drift/DriftCommand.h"
#include "tools/rung-run/CommandLine.h"
#include "tools/rung-run/Commands.h"

#include <cstring>
#include <string>

namespace rung::tools {
namespace {

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
      ->check(notNegative())
      ->capture_default_str();
  app.add_option("--rtol", arguments.tolerance.relative, "see --atol")
      ->check(notNegative())
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
  app.add_flag("--host", arguments.host,
               "--time's runs take no times on the device, so that 'host' is "
               "the shortest way from host to host");
  app.add_option("--warmup", arguments.warmup, "untimed runs before --time's")
      ->capture_default_str();
  app.add_option("--segments", arguments.segments,
                 "run the steps in that many pieces, passing the states on")
      ->capture_default_str();
  app.add_option("--segment-steps", arguments.segmentSteps,
                 "the device works on at most so many steps at a time, or on "
                 "the fewest that it can address, in one submission (default: "
                 "as many as memory allows)")
      ->check(positive());
  app.add_option("--memory-limit", arguments.memoryLimit,
                 "memory of the device that the run may take: bytes, or a "
                 "number with K, M or G (powers of 1000) or KiB, MiB, GiB")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/true))
      ->check(positive());
  app.add_option("--seed", arguments.seed,
                 "of stochastic rounding (default: the input 'random', or 0)");
  app.add_option("--timeout", arguments.timeoutSeconds,
                 "longest that a run may take, in seconds")
      ->check(notNegative());
}

ExitCode runMain(int argc, char **argv) {
  CLI::App app("Runs a function of a compiled model.\n"
               "Other commands: rung-run generate, chat, drift and inspect; "
               "each has its own --help.",
               "rung-run");
  RunArguments arguments;
  bool listDevices = false;
  app.add_option("bundle", arguments.bundle, "the compiled model (.rung)");
  addArrayOptions(app, arguments);
  addRunOptions(app, arguments);
  app.add_flag("--list-devices", listDevices,
               "list devices and do nothing else");
  app.add_flag("--json", arguments.json, "results as JSON");
  return parseAndRun(app, argc, argv, [&] {
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
  auto *sample = app.add_flag("--sample", arguments.drawing.draw,
                              "draw tokens instead of taking the likeliest");
  app.add_option("--seed", arguments.drawing.seed,
                 "of the drawing (std::mt19937_64) and of stochastic rounding "
                 "(default: 0)");
  app.add_option("--temperature", arguments.drawing.temperature,
                 "the logits are divided by it")
      ->needs(sample)
      ->check(positive())
      ->capture_default_str();
  app.add_option("--top-k", arguments.drawing.topK,
                 "draw among the k likeliest")
      ->needs(sample)
      ->check(positive());
  app.add_option("--separator", arguments.separator,
                 "what stands between two symbols (default: nothing between "
                 "characters, a space between words)");
  app.add_flag("--echo", arguments.echo, "print the prompt, too");
  app.add_option("--device,-d", arguments.device, kDeviceHelp);
  app.add_flag("--json", arguments.json, "results as JSON");
  return parseAndRun(app, argc, argv, [&] {
    if (arguments.prompts.empty() && arguments.promptFile.empty())
      return fail(Status(StatusCode::InvalidArgument,
                         "neither --prompt nor --prompt-file is given"),
                  kUsage);
    return generateCommand(arguments);
  });
}

ExitCode chatMain(int argc, char **argv) {
  CLI::App app("Holds a conversation with a character model: a line in, a line "
               "out. At a terminal it prompts; a line NAME: TEXT is said by "
               "NAME.",
               "rung-run chat");
  ChatArguments arguments;
  app.add_option("bundle", arguments.bundle, "the compiled model (.rung)")
      ->required();
  app.add_option("--name", arguments.name, "who says the lines")
      ->capture_default_str();
  app.add_option("--function,-f", arguments.function,
                 "which function; needed where several can generate");
  app.add_option("--max-steps,-n", arguments.maxSteps,
                 "a reply has at most so many tokens")
      ->capture_default_str();
  auto *temperature =
      app.add_option("--temperature", arguments.drawing.temperature,
                     "draw tokens, the logits divided by it (default: take the "
                     "likeliest)")
          ->check(positive());
  app.add_option("--top-k", arguments.drawing.topK,
                 "draw among the k likeliest")
      ->needs(temperature)
      ->check(positive());
  app.add_option("--seed", arguments.drawing.seed,
                 "of the drawing and of stochastic rounding (default: 0)");
  app.add_option("--device,-d", arguments.device, kDeviceHelp);
  return parseAndRun(app, argc, argv, [&] {
    arguments.drawing.draw = temperature->count() > 0;
    return chatCommand(arguments);
  });
}

ExitCode driftMain(int argc, char **argv) {
  CLI::App app("Measures how far the states of a function go from the exact "
               "ones: ||h - exact|| / ||exact|| in float64, with the float "
               "weights (total) and with the weights that the rung rounds "
               "them to (arithmetic).",
               "rung-run drift");
  DriftArguments arguments;
  app.add_option("bundle", arguments.bundle, "the compiled model (.rung)")
      ->required();
  app.add_option("--steps,-T", arguments.steps,
                 "measure after 1, 16, 256, 1024, 4096, 16384 steps as far as "
                 "that, and after so many")
      ->required()
      ->check(positive());
  app.add_option("--function,-f", arguments.function,
                 "which function; needed where there are several");
  app.add_option("--batch,-B", arguments.batch,
                 "rows (default: as many as the inputs have, or 4)")
      ->check(positive());
  app.add_option("--device,-d", arguments.device, kDeviceHelp);
  app.add_option("--input,-i", arguments.inputs,
                 "as for rung-run; inputs that are not given are drawn")
      ->allow_extra_args(false);
  app.add_option("--inputs", arguments.kind,
                 "what is drawn: 'white', standard normal numbers rounded to "
                 "f16, or 'slow', x_t = a x_(t-1) + sqrt(1 - a^2) n_t; token "
                 "inputs are uniform")
      ->check(CLI::IsMember({"white", "slow"}))
      ->capture_default_str();
  app.add_option("--memory", arguments.memory, "the a of slow inputs")
      ->check(belowOne())
      ->capture_default_str();
  app.add_option("--tokens", arguments.tokens,
                 "how many tokens there are (default: the vocabulary's)")
      ->check(positive());
  app.add_option("--seed", arguments.seed,
                 "of what is drawn, and of stochastic rounding")
      ->capture_default_str();
  app.add_flag("--json", arguments.json, "results as JSON");
  app.add_option("--svg", arguments.svg, "also a plot, into that file");
  return parseAndRun(app, argc, argv, [&] { return driftCommand(arguments); });
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
  return parseAndRun(app, argc, argv,
                     [&] { return inspectCommand(arguments); });
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
  if (is("chat"))
    return checkStdout(chatMain(argc - 1, argv + 1));
  if (is("drift"))
    return checkStdout(driftMain(argc - 1, argv + 1));
  if (is("inspect"))
    return checkStdout(inspectMain(argc - 1, argv + 1));
  return checkStdout(is("run") ? runMain(argc - 1, argv + 1)
                               : runMain(argc, argv));
}
