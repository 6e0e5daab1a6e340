//===- KernelsCommand.cpp - rung-bench kernels FILE... --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Json.h"
#include "runtime/base/Text.h"
#include "tools/rung-bench/Commands.h"
#include "tools/rung-bench/KernelRunner.h"
#include "tools/rung-run/Statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace rung::tools {
namespace {

using Json = nlohmann::ordered_json;

/// A job and what came of it; without times where it failed.
struct Row {
  KernelJob job;
  KernelOutcome outcome;
  std::string error;

  bool passed() const {
    return std::ranges::all_of(outcome.comparisons,
                               [](const Comparison &c) { return c.passed(); });
  }
};

/// JSON has no NaN and no infinity; null stands for them.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json toJson(const Row &row) {
  Json json = {{"name", row.job.name}};
  if (!row.error.empty()) {
    json["error"] = row.error;
    return json;
  }
  const Statistics s = summarize(row.outcome.ms);
  json["runs"] = row.outcome.ms.size();
  json["ms"] = {{"median", s.median}, {"min", s.min}, {"p90", s.p90}};
  if (row.job.steps > 0)
    json["us_a_step"] = 1000 * s.median / row.job.steps;
  if (row.job.operations > 0)
    json["operations_a_second"] = row.job.operations / s.median * 1000;
  if (row.job.bytes > 0)
    json["bytes_a_second"] = row.job.bytes / s.median * 1000;
  json["checks"] = Json::array();
  for (const Comparison &c : row.outcome.comparisons)
    json["checks"].push_back({{"buffer", c.output},
                              {"passed", c.passed()},
                              {"elements", c.elements},
                              {"bad", c.bad},
                              {"max_absolute", number(c.maxAbsolute)}});
  return json;
}

std::string toLine(const Row &row, size_t width) {
  std::string text =
      row.job.name + std::string(width - row.job.name.size(), ' ');
  if (!row.error.empty())
    return text + "  " + row.error.substr(0, row.error.find('\n')) + "\n";
  const Statistics s = summarize(row.outcome.ms);
  auto cell = [&](bool told, double value) {
    char buffer[40] = "          -";
    if (told)
      std::snprintf(buffer, sizeof buffer, "%11.4g", value);
    text += buffer;
  };
  cell(true, s.median);
  cell(true, s.min);
  cell(true, s.p90);
  cell(row.job.steps > 0, 1000 * s.median / row.job.steps);
  cell(row.job.operations > 0, row.job.operations / s.median * 1e-9);
  cell(row.job.bytes > 0, row.job.bytes / s.median * 1e-6);
  for (const Comparison &c : row.outcome.comparisons)
    text += "  " + toString(c);
  return text + "\n";
}

size_t widthOf(const std::vector<KernelJob> &jobs) {
  size_t width = 6;
  for (const KernelJob &job : jobs)
    width = std::max(width, job.name.size());
  return width;
}

std::string heading(const std::string &device, size_t width) {
  std::string text = concat("on ", device, "\nkernel");
  text += std::string(width - 6, ' ');
  for (const char *head :
       {"median ms", "min ms", "p90 ms", "us a step", "Tops/s", "GB/s"}) {
    char cell[16];
    std::snprintf(cell, sizeof cell, "%11s", head);
    text += cell;
  }
  return text + "  checks\n";
}

/// At once, so that nothing is lost when a later kernel takes too long.
void print(const std::string &text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

Result<std::vector<KernelJob>> gatherJobs(const KernelsArguments &arguments) {
  std::vector<KernelJob> jobs;
  for (const std::string &file : arguments.files) {
    RUNG_ASSIGN_OR_RETURN(std::vector<KernelJob> some, readKernelJobs(file));
    for (KernelJob &job : some)
      if (arguments.names.empty() ||
          std::ranges::find(arguments.names, job.name) != arguments.names.end())
        jobs.push_back(std::move(job));
  }
  if (jobs.empty())
    return Status(StatusCode::NotFound,
                  concat("no kernel is named ", joined(arguments.names)));
  for (KernelJob &job : jobs)
    if (arguments.repeat > 0)
      job.repeat = arguments.repeat;
  return jobs;
}

/// Runs the jobs one after another; after an error of the device, which a
/// kernel of one's own brings easily, the next has a new one.
class Runs {
public:
  explicit Runs(const KernelsArguments &arguments) : arguments_(arguments) {}

  Status open() {
    const std::chrono::duration<double> timeout(arguments_.timeoutSeconds);
    RUNG_ASSIGN_OR_RETURN(
        runner_,
        KernelRunner::open(
            arguments_.device,
            std::chrono::duration_cast<std::chrono::nanoseconds>(timeout)));
    return Status::ok();
  }

  Row run(KernelJob job) {
    Row row = {.job = std::move(job), .outcome = {}, .error = {}};
    if (!runner_)
      if (Status status = open(); !status.isOk()) {
        row.error = status.message();
        return row;
      }
    Result<KernelOutcome> outcome = runner_->run(row.job);
    if (outcome.isOk()) {
      row.outcome = *std::move(outcome);
      return row;
    }
    row.error = outcome.status().message();
    if (outcome.status().code() == StatusCode::Device)
      runner_.reset();
    return row;
  }

  /// After open().
  const std::string &device() const { return runner_->device(); }

private:
  const KernelsArguments &arguments_;
  std::unique_ptr<KernelRunner> runner_;
};

} // namespace

ExitCode kernelsCommand(const KernelsArguments &arguments) {
  Result<std::vector<KernelJob>> jobs = gatherJobs(arguments);
  if (!jobs.isOk())
    return fail(jobs.status());
  Runs runs(arguments);
  if (Status status = runs.open(); !status.isOk())
    return fail(status);
  const size_t width = widthOf(*jobs);
  Json json = {{"device", runs.device()}, {"kernels", Json::array()}};
  if (!arguments.json)
    print(heading(runs.device(), width));
  ExitCode code = kDone;
  for (KernelJob &job : *jobs) {
    const Row row = runs.run(std::move(job));
    if (!row.error.empty())
      code = fail(Status(StatusCode::Device, row.error)
                      .while_(concat("running kernel ", quote(row.job.name))));
    else if (!row.passed() && code == kDone)
      code = kComparisonFailed;
    if (arguments.json)
      json["kernels"].push_back(toJson(row));
    else
      print(toLine(row, width));
  }
  if (arguments.json)
    print(formatJson(json));
  return code;
}

} // namespace rung::tools
