//===- rung-compile.cpp - model in, bundle out ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/Compiler.h"
#include "compiler/Version.h"
#include "compiler/target/Target.h"
#include "passes/precision/Presets.h"
#include "runtime/base/File.h"
#include "tools/rung-compile/Calibrate.h"
#include "tools/rung-compile/ReportArguments.h"

#include <CLI/CLI.hpp>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <unistd.h>

using namespace rung;

namespace {

constexpr int kDone = 0, kRefused = 1, kUsage = 2;

struct Arguments {
  std::string model, weights, output, transform, precision = "fp32",
                                                 emit = "bundle";
  std::vector<std::string> targets;
  std::string calibrate, calibrationOut;
  uint64_t calibrateSteps = 0;
  bool keepStages = false, listTargets = false;
  ReportArguments report;

  /// Whether a report is all that is asked for.
  bool onlyReports() const {
    return report.wanted() && output.empty() && emit == "bundle";
  }
};

std::string stageHelp() {
  std::string text = "what to write:";
  for (const StageInfo &info : allStages())
    text +=
        "\n  " + std::string(info.name) + ": " + std::string(info.description);
  return text;
}

void describe(CLI::App &app, Arguments &a) {
  app.set_version_flag("--version", kVersion);
  app.add_option("model", a.model,
                 "a model description (.yaml), or the rnn "
                 "dialect as text (.mlir)");
  app.add_option("--weights", a.weights,
                 "safetensors file; goes before the one the description names");
  app.add_option("-o,--output", a.output,
                 "file to write; stages before 'bundle' go to stdout without");
  app.add_option("--transform", a.transform,
                 "passes that change the model first, as in "
                 "\"rnn-split-block-diagonal{heads=6},rnn-insert-rms-norm\"");
  app.add_option("--precision", a.precision,
                 listPrecisionPresets() +
                     " (default fp32); int8 has options behind commas: "
                     "state=s16|s32, pieces=2..64, operand=1|2, "
                     "activation=piecewise|table|table-linear, all");
  auto *calibrate = app.add_option(
      "--calibrate", a.calibrate,
      "how large numbers get, for int8: by running the model on FILE.npz (its "
      "inputs) or FILE.txt (of a model that makes text), or 'free' (what it "
      "makes itself, or zeros); or FILE.json, an earlier calibration");
  app.add_option("--calibrate-steps", a.calibrateSteps,
                 "run at most so many steps (default: all that FILE has; free: "
                 "1024)")
      ->needs(calibrate)
      ->check(CLI::PositiveNumber);
  app.add_option("--calibration-out", a.calibrationOut,
                 "also write the calibration, as .json")
      ->needs(calibrate);
  app.add_option("--target", a.targets,
                 "device profile by name, or a .json file of one, such as a "
                 "device's \"profile\" in rung-run --list-devices --json; may "
                 "be repeated; 'generic' is always among them (default: "
                 "lavapipe, nvidia-hopper)")
      ->allow_extra_args(false);
  app.add_option("--emit", a.emit, stageHelp());
  app.add_flag("--keep-stages", a.keepStages,
               "put the IR at every stage into the bundle");
  app.add_flag("--list-targets", a.listTargets,
               "print the names of the profiles that ship");
  describe(app, a.report);
}

int refuse(int code, const std::string &message) {
  std::string text = message;
  if (!text.starts_with("error:") && text.find(": error:") == text.npos)
    text = "error: " + text;
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  std::cerr << text << "\n";
  return code;
}

/// `code`, or an error in place of kDone where stdout did not take everything
/// that was printed.
int checkStdout(int code) {
  if (std::cout.flush())
    return code;
  int error = errno;
  int refused = refuse(kRefused, std::string("cannot write to stdout: ") +
                                     std::strerror(error));
  return code == kDone ? refused : code;
}

/// CLI11's words as a clause of ours.
std::string describe(const CLI::ParseError &error) {
  std::string text = error.what();
  text[0] = static_cast<char>(std::tolower(text[0]));
  return text + "; --help lists the options";
}

/// `generic` first, each profile once.
Result<std::vector<Target>> resolveTargets(const Arguments &a) {
  std::vector<std::string> names = {"generic"};
  if (a.targets.empty())
    names.insert(names.end(), {"lavapipe", "nvidia-hopper"});
  names.insert(names.end(), a.targets.begin(), a.targets.end());
  std::vector<Target> targets;
  for (const std::string &source : names) {
    Result<Profile> profile = findProfile(source);
    if (!profile.isOk())
      return profile.status();
    auto same = std::find_if(targets.begin(), targets.end(), [&](Target &t) {
      return t.profile.name == profile.value().name;
    });
    if (same == targets.end())
      targets.push_back({source, std::move(profile.value())});
    else if (same->source != source)
      return Status(StatusCode::InvalidArgument,
                    "targets '" + same->source + "' and '" + source +
                        "' are both named '" + same->profile.name + "'");
  }
  return targets;
}

/// A line that is overwritten, where a person looks on.
void showProgress(const std::string &what) {
  if (isatty(STDERR_FILENO))
    std::fprintf(stderr, "\r\033[K%s%s", what.c_str(),
                 what.empty() ? "" : " …");
}

std::string toText(mlir::Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (auto file =
          diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
    out << file.getFilename().getValue() << ":" << file.getLine() << ":"
        << file.getColumn() << ": ";
  switch (diagnostic.getSeverity()) {
  case mlir::DiagnosticSeverity::Error:
    out << "error: ";
    break;
  case mlir::DiagnosticSeverity::Warning:
    out << "warning: ";
    break;
  default:
    out << "note: ";
  }
  out << diagnostic.str();
  return text;
}

/// What is wrong with the options together, whatever the model; empty if
/// nothing.
std::string findMisuse(const Arguments &a, mlir::MLIRContext &context) {
  auto stage = parseStage(a.emit);
  if (!stage)
    return "stage '" + a.emit +
           "' is none of rnn, precision, tile, spirv, spirv-asm, bundle";
  if (*stage == Stage::Rnn && a.report.wanted())
    return "--report is of stage 'precision', and --emit=rnn stops before it";
  if (*stage != Stage::Bundle && a.report.wanted() && a.output.empty())
    return "--report and --emit=" + a.emit +
           " both print to stdout; -o FILE takes the stage";
  if (*stage == Stage::Bundle && a.output.empty() && !a.onlyReports())
    return "a bundle needs a file to go to: -o FILE";
  if (*stage != Stage::Bundle && a.keepStages)
    return "--keep-stages needs a bundle, and --emit=" + a.emit + " makes none";
  if (!a.weights.empty() && a.model.ends_with(".mlir"))
    return "--weights is given, and a model in the rnn dialect holds its own";
  if (!a.calibrate.empty() && !tools::isCalibrationSource(a.calibrate))
    return "--calibrate '" + a.calibrate +
           "' is neither a .npz, .txt or .json file nor 'free'";
  auto precision = getPrecisionPreset(&context, a.precision);
  return precision ? "" : llvm::toString(precision.takeError());
}

Status writeResult(const Arguments &a, const CompileResult &result) {
  if (result.report)
    std::cout << a.report.print(*result.report) << std::flush;
  if (a.onlyReports())
    return Status::ok();
  if (a.output.empty()) {
    std::cout << result.text << std::flush;
    return Status::ok();
  }
  if (!result.bundle.empty())
    return writeFile(a.output, std::span<const std::byte>(result.bundle));
  return writeFile(a.output, std::string_view(result.text));
}

/// Compiles in a context whose diagnostics go to stderr.
Result<CompileResult> compileIn(mlir::MLIRContext &context,
                                const CompileOptions &options) {
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
    showProgress("");
    std::cerr << toText(d) << "\n";
    for (mlir::Diagnostic &note : d.getNotes())
      std::cerr << toText(note) << "\n";
    return mlir::success();
  });
  Result<CompileResult> result = compile(context, options);
  showProgress("");
  return result;
}

void prepare(mlir::MLIRContext &context) {
  context.printOpOnDiagnostic(false);
  registerCompilerDialects(context);
}

/// Compiles the model with precision fp32 and runs it, in memory that is free
/// again before the model itself is compiled.
Result<Calibration> runModel(const CompileOptions &options,
                             const tools::CalibrationRequest &request) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  prepare(context);
  CompileOptions exact = options;
  exact.precision = "fp32";
  exact.targets.resize(1); // generic; no kernel of it runs
  exact.stage = Stage::Bundle;
  exact.keepStages = false;
  exact.report.reset();
  exact.warn = {}; // said when the model itself is compiled
  Result<CompileResult> result = compileIn(context, exact);
  if (!result.isOk())
    return result.takeStatus().while_("compiling for --calibrate");
  return tools::calibrate(result->bundle, request);
}

/// What --calibrate says, also into the file of --calibration-out.
Status addCalibration(const Arguments &a, CompileOptions &options) {
  if (a.calibrate.empty())
    return Status::ok();
  tools::CalibrationRequest request{a.calibrate, a.calibrateSteps,
                                    showProgress};
  Result<Calibration> calibration = tools::needsModel(request)
                                        ? runModel(options, request)
                                        : tools::readCalibration(a.calibrate);
  showProgress("");
  if (!calibration.isOk())
    return calibration.takeStatus();
  options.calibration = std::move(*calibration);
  if (a.calibrationOut.empty())
    return Status::ok();
  return writeFile(a.calibrationOut,
                   std::string_view(formatCalibration(options.calibration)));
}

int compileModel(const Arguments &a) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  prepare(context);
  if (std::string misuse = findMisuse(a, context); !misuse.empty())
    return refuse(kUsage, misuse);
  Result<std::vector<Target>> targets = resolveTargets(a);
  if (!targets.isOk())
    return refuse(kUsage, targets.status().message());

  CompileOptions options;
  options.model = a.model;
  options.weights = a.weights;
  options.transform = a.transform;
  options.precision = a.precision;
  options.targets = std::move(targets.value());
  options.stage = a.onlyReports() ? Stage::Precision : *parseStage(a.emit);
  if (a.report.wanted())
    options.report = a.report.options;
  options.keepStages = a.keepStages;
  options.progress = showProgress;
  options.warn = [](const std::string &text) {
    showProgress("");
    std::cerr << text << (text.ends_with('\n') ? "" : "\n");
  };
  if (Status status = addCalibration(a, options); !status.isOk())
    return refuse(kRefused, status.message());
  Result<CompileResult> result = compileIn(context, options);
  if (!result.isOk())
    return refuse(kRefused, result.status().message());
  Status written = writeResult(a, result.value());
  return written.isOk() ? kDone : refuse(kRefused, written.message());
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("rung-compile: compiles a recurrent model into a kernel bundle");
  Arguments arguments;
  describe(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &help) {
    app.exit(help);
    return checkStdout(kDone);
  } catch (const CLI::ParseError &error) {
    return refuse(kUsage, describe(error));
  }
  if (arguments.listTargets) {
    for (const std::string &name : builtinProfileNames())
      std::cout << name << "\n";
    return checkStdout(kDone);
  }
  if (std::string misuse = findMisuse(app, arguments.report); !misuse.empty())
    return refuse(kUsage, misuse);
  if (Status read = readFiles(arguments.report); !read.isOk())
    return refuse(kRefused, read.message());
  if (arguments.model.empty())
    return refuse(kUsage, "no model is given; --help lists the options");
  return checkStdout(compileModel(arguments));
}
