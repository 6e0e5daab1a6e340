//===- RunCommand.cpp - rung-run BUNDLE -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "tools/rung-run/Binding.h"
#include "tools/rung-run/Commands.h"
#include "tools/rung-run/PortValue.h"
#include "tools/rung-run/RandomPort.h"
#include "tools/rung-run/RunReport.h"
#include "tools/rung-run/Segments.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace rung::tools {
namespace {

struct Bindings {
  std::vector<Binding> inputs, outputs, expected;
};

Result<Bindings> parseAll(const RunArguments &arguments) {
  if (arguments.toleranceGiven && arguments.expected.empty())
    return Status(StatusCode::InvalidArgument,
                  "--atol and --rtol need an --expect");
  if (arguments.segments == 0)
    return Status(StatusCode::InvalidArgument, "--segments is 0");
  if (arguments.onDevice && arguments.time == 0)
    return Status(StatusCode::InvalidArgument, "--on-device needs a --time");
  if (arguments.host && arguments.time == 0)
    return Status(StatusCode::InvalidArgument, "--host needs a --time");
  if (arguments.host && arguments.onDevice)
    return Status(StatusCode::InvalidArgument,
                  "--host times what --on-device leaves out");
  if (arguments.onDevice && arguments.segments > 1)
    return Status(StatusCode::InvalidArgument,
                  concat("--on-device runs all steps at once, and --segments "
                         "is ",
                         arguments.segments));
  Bindings bindings;
  RUNG_ASSIGN_OR_RETURN(
      bindings.inputs,
      parseBindings(arguments.inputs).while_("reading --input"));
  RUNG_ASSIGN_OR_RETURN(
      bindings.outputs,
      parseBindings(arguments.outputs).while_("reading --output"));
  RUNG_RETURN_IF_ERROR(checkPathsDiffer(bindings.outputs));
  RUNG_ASSIGN_OR_RETURN(
      bindings.expected,
      parseBindings(arguments.expected).while_("reading --expect"));
  return bindings;
}

// A device that copied for a while needs so long to raise its clock again.
constexpr double kWarmupMs = 150;

/// One whole run, then repetitions of its kernels.
Result<Outcome> timeOnDevice(const RunArguments &arguments, Session &session,
                             const Function &function,
                             const NamedTensors &inputs,
                             std::vector<rung_timing> &timings) {
  RUNG_ASSIGN_OR_RETURN(Outcome outcome, session.run(function, inputs));
  double spent = 0;
  for (uint64_t i = 0; i < arguments.warmup || spent < kWarmupMs; ++i) {
    RUNG_ASSIGN_OR_RETURN(rung_timing timing, session.runAgain());
    spent += timing.host_ms;
  }
  while (timings.size() < arguments.time) {
    RUNG_ASSIGN_OR_RETURN(rung_timing timing, session.runAgain());
    timings.push_back(timing);
  }
  return outcome;
}

Result<Outcome> runAndTime(const RunArguments &arguments, Session &session,
                           const Function &function, const NamedTensors &inputs,
                           std::vector<rung_timing> &timings) {
  if (arguments.time == 0)
    return runInSegments(session, function, inputs, arguments.segments);
  if (arguments.onDevice)
    return timeOnDevice(arguments, session, function, inputs, timings);
  Progress progress("run", uint64_t(arguments.warmup) + arguments.time);
  for (uint64_t i = 0;; ++i) {
    RUNG_ASSIGN_OR_RETURN(
        Outcome outcome,
        runInSegments(session, function, inputs, arguments.segments));
    if (i >= arguments.warmup)
      timings.push_back(outcome.timing);
    progress.show(i + 1);
    if (timings.size() == arguments.time)
      return outcome;
  }
}

void compareAll(const NamedTensors &expected, const Function &function,
                Tolerance tolerance, RunReport &report) {
  for (const auto &[name, tensor] : expected)
    report.comparisons.push_back(
        compare(name, report.outcome.outputs[*function.findOutput(name)],
                tensor, tolerance));
}

Result<RunReport> run(const RunArguments &arguments, const Bindings &bindings,
                      const Model &model) {
  RUNG_ASSIGN_OR_RETURN(const Function *function,
                        model.function(arguments.function));
  RUNG_RETURN_IF_ERROR(
      checkOutputBindings(bindings.outputs, function->outputs));
  RUNG_ASSIGN_OR_RETURN(
      NamedTensors inputs,
      loadBindings(bindings.inputs, function->inputs, "input"));
  RUNG_ASSIGN_OR_RETURN(inputs,
                        fitToPorts(std::move(inputs), function->inputs));
  if (arguments.seed)
    RUNG_RETURN_IF_ERROR(addSeed(*function, *arguments.seed, inputs));
  RUNG_ASSIGN_OR_RETURN(
      NamedTensors expected,
      loadBindings(bindings.expected, function->outputs, "output"));
  RUNG_ASSIGN_OR_RETURN(
      Session session,
      Session::create(model, arguments.device,
                      {.timeoutSeconds = arguments.timeoutSeconds,
                       .deviceClock = !arguments.host,
                       .segmentSteps = arguments.segmentSteps,
                       .memoryLimit = arguments.memoryLimit}));
  note(concat("running ", quote(function->name), " on ", session.device()));
  note(session.explanation());

  RunReport report;
  report.bundle = arguments.bundle;
  report.function = function->name;
  report.device = session.device();
  report.variant = session.variant();
  report.outputPorts = &function->outputs;
  RUNG_ASSIGN_OR_RETURN(
      report.outcome,
      runAndTime(arguments, session, *function, inputs, report.timings));
  RUNG_RETURN_IF_ERROR(saveBindings(bindings.outputs, function->outputs,
                                    report.outcome.outputs));
  for (const Port &port : function->outputs)
    report.written.push_back(
        std::any_of(bindings.outputs.begin(), bindings.outputs.end(),
                    [&](const Binding &binding) {
                      return binding.port.empty() || binding.port == port.name;
                    }));
  report.memory = session.memory();
  compareAll(expected, *function, arguments.tolerance, report);
  return report;
}

} // namespace

ExitCode runCommand(const RunArguments &arguments) {
  Result<Bindings> bindings = parseAll(arguments);
  if (!bindings.isOk())
    return fail(bindings.status(), kUsage);
  Result<Model> model = Model::open(arguments.bundle);
  if (!model.isOk())
    return fail(model.status());
  Result<RunReport> report = run(arguments, *bindings, *model);
  if (!report.isOk())
    return fail(report.status());
  std::string text = arguments.json ? formatJson(*report) : formatText(*report);
  std::fputs(text.c_str(), stdout);
  return report->passed() ? kDone : kComparisonFailed;
}

} // namespace rung::tools
