//===- ErrorsCommand.cpp - rung-bench errors FOLDER... --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"
#include "runtime/base/Text.h"
#include "tools/rung-bench/Commands.h"
#include "tools/rung-bench/ErrorTable.h"
#include "tools/rung-bench/OwnWeights.h"
#include "tools/rung-bench/Suite.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <optional>
#include <thread>
#include <utility>

namespace rung::tools {
namespace {

/// A run on an exact interpreter that one bundle or several are compared with.
struct ExactRun {
  std::string path, device;
  InputRecipe recipe;
  std::optional<Result<Trajectory>> result;
};

/// A bundle, and where its comparisons come from.
struct Task {
  const SuiteModel *model;
  const SuiteModel::Bundle *bundle;
  size_t exact, exactOwn; ///< Indices of exact runs.
};

Result<Trajectory> followBundle(const std::string &path,
                                const std::string &device,
                                const InputRecipe &recipe,
                                const std::vector<uint64_t> &marks) {
  RUNG_ASSIGN_OR_RETURN(Model model, Model::open(path));
  RUNG_ASSIGN_OR_RETURN(const Function *function, model.function(""));
  return follow(model, *function, device, recipe, marks);
}

class Errors {
public:
  Errors(const ErrorsArguments &arguments,
         const std::vector<SuiteModel> &models)
      : arguments_(arguments), marks_(driftMarks(arguments.steps)) {
    table_.marks = marks_;
    table_.batch = arguments.batch;
    for (const SuiteModel &model : models)
      for (const SuiteModel::Bundle &bundle : model.bundles)
        if (wanted(bundle.rung))
          wanted_.push_back({&model, &bundle});
  }

  /// Fails where nothing is to be measured or a bundle cannot be read.
  Status plan() {
    if (wanted_.empty())
      return Status(StatusCode::NotFound, concat("no bundle is of the rungs ",
                                                 joined(arguments_.rungs)));
    for (const auto &[model, bundle] : wanted_) {
      // The bundles of a model have the same float weights, and those of some
      // rungs the same rounded ones.
      RUNG_ASSIGN_OR_RETURN(uint64_t own, hashOfOwnWeights(bundle->path));
      size_t exact = exactRun(*model, *bundle, kExact, 0);
      size_t exactOwn = exactRun(*model, *bundle, kExactOwn, own);
      tasks_.push_back({model, bundle, exact, exactOwn});
    }
    return Status::ok();
  }

  /// Runs everything: the exact interpreters on threads of their own, the
  /// device on this one. False where a bundle did not run, after saying why.
  bool run() {
    Progress progress("run", exact_.size() + tasks_.size());
    std::atomic<size_t> next = 0, done = 0;
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < arguments_.jobs; ++i)
      threads.emplace_back([&] {
        for (size_t i; (i = next++) < exact_.size(); ++done)
          exact_[i].result = followBundle(exact_[i].path, exact_[i].device,
                                          exact_[i].recipe, marks_);
      });
    std::vector<Result<Trajectory>> got;
    for (const Task &task : tasks_) {
      got.push_back(followBundle(task.bundle->path, arguments_.device,
                                 recipeFor(*task.model), marks_));
      progress.show(++done);
    }
    for (std::thread &thread : threads) {
      thread.join();
      progress.show(done);
    }
    return collect(got);
  }

  const ErrorTable &table() const { return table_; }

private:
  bool wanted(const std::string &rung) const {
    return arguments_.rungs.empty() ||
           std::find(arguments_.rungs.begin(), arguments_.rungs.end(), rung) !=
               arguments_.rungs.end();
  }

  InputRecipe recipeFor(const SuiteModel &model) const {
    InputRecipe recipe;
    recipe.kind = model.inputs;
    recipe.memory = model.memory;
    recipe.seed = model.seed;
    recipe.batch = arguments_.batch;
    return recipe;
  }

  size_t exactRun(const SuiteModel &model, const SuiteModel::Bundle &bundle,
                  const char *device, uint64_t weights) {
    auto [place, isNew] = exactIndex_.try_emplace(
        {model.folder + "/" + model.name, device, weights}, exact_.size());
    if (isNew)
      exact_.push_back({bundle.path, device, recipeFor(model), {}});
    return place->second;
  }

  bool collect(std::vector<Result<Trajectory>> &got) {
    std::vector<ErrorRun> runs;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      const Task &task = tasks_[i];
      Result<Trajectory> &exact = *exact_[task.exact].result;
      Result<Trajectory> &exactOwn = *exact_[task.exactOwn].result;
      bool complete = true;
      for (Result<Trajectory> *one : {&got[i], &exact, &exactOwn})
        if (complete && !one->isOk()) {
          fail(one->status().while_(concat("measuring ", task.bundle->rung,
                                           " of ", task.model->name)));
          complete = false;
        }
      if (!complete)
        continue;
      table_.device = got[i]->device;
      table_.variant = got[i]->variant;
      runs.push_back({task.bundle->rung, task.model->regime, task.model->seed,
                      compareWhole(*got[i], *exact, *exactOwn)});
    }
    bool all = runs.size() == tasks_.size();
    table_.rows = makeRows(std::move(runs), marks_);
    return all;
  }

  const ErrorsArguments &arguments_;
  std::vector<uint64_t> marks_;
  std::vector<std::pair<const SuiteModel *, const SuiteModel::Bundle *>>
      wanted_;
  std::vector<Task> tasks_;
  std::vector<ExactRun> exact_;
  std::map<std::tuple<std::string, std::string, uint64_t>, size_t> exactIndex_;
  ErrorTable table_;
};

Status writePlots(const ErrorsArguments &arguments, const ErrorTable &table) {
  if (!arguments.svg.empty())
    RUNG_RETURN_IF_ERROR(
        writeFile(arguments.svg, formatSvg(plotOf(table, false))));
  if (!arguments.svgTotal.empty())
    RUNG_RETURN_IF_ERROR(
        writeFile(arguments.svgTotal, formatSvg(plotOf(table, true))));
  return Status::ok();
}

} // namespace

ExitCode errorsCommand(const ErrorsArguments &arguments) {
  std::vector<SuiteModel> models;
  for (const std::string &folder : arguments.folders) {
    Result<std::vector<SuiteModel>> suite = readSuite(folder);
    if (!suite.isOk())
      return fail(suite.status());
    std::move(suite->begin(), suite->end(), std::back_inserter(models));
  }
  Errors errors(arguments, models);
  if (Status status = errors.plan(); !status.isOk())
    return fail(status);
  const bool complete = errors.run();
  if (Status status = writePlots(arguments, errors.table()); !status.isOk())
    return fail(status);
  std::string text =
      arguments.json ? formatJson(errors.table()) : formatText(errors.table());
  std::fputs(text.c_str(), stdout);
  return complete ? kDone : kRefused;
}

} // namespace rung::tools
