//===- TuneCommand.cpp - rung-bench tune FOLDER -o PROFILE ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"
#include "runtime/base/Json.h"
#include "runtime/base/Profile.h"
#include "runtime/base/Text.h"
#include "tools/rung-bench/Commands.h"
#include "tools/rung-bench/JsonMembers.h"
#include "tools/rung-bench/SpeedTable.h"
#include "tools/rung-run/Statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

namespace rung::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// What a row of the suite stands for.
struct Choice {
  std::string problem, tiles;
};

struct TuneSuite {
  OrderedJson profile;
  std::map<std::string, Choice> choices; ///< By the row's name.
};

Result<TuneSuite> readTuneSuite(const std::string &folder) {
  const std::string path = folder + "/tune.json";
  const std::string context = concat("reading ", quotePath(path));
  RUNG_ASSIGN_OR_RETURN(std::string text, readTextFile(path));
  RUNG_ASSIGN_OR_RETURN(nlohmann::json json, parseJson(text).while_(context));
  if (!json.is_object() || !json.contains("profile") ||
      !json.contains("choices") || !json["choices"].is_array())
    return Status(StatusCode::InvalidData,
                  "what to tune is a profile and a list of choices")
        .while_(context);
  RUNG_RETURN_IF_ERROR(
      parseProfile(json["profile"].dump()).status().while_(context));
  TuneSuite suite;
  // Parsed once more for the order of its keys, which people read.
  suite.profile = OrderedJson::parse(text, nullptr,
                                     /*allow_exceptions=*/false)["profile"];
  for (const nlohmann::json &one : json["choices"]) {
    std::string row;
    Choice choice;
    JsonMembers in(one, "a choice");
    in.text("row", row, /*needed=*/true);
    in.text("problem", choice.problem, /*needed=*/true);
    in.text("tiles", choice.tiles, /*needed=*/true);
    RUNG_RETURN_IF_ERROR(in.finish().while_(context));
    suite.choices[row] = std::move(choice);
  }
  return suite;
}

/// How the tilings of the problems did. Where several models have a problem,
/// its tiling is the one with the least geometric mean of times, each relative
/// to the model's best.
class Standings {
public:
  void add(const Choice &choice, const std::string &model, double ms) {
    times_[choice.problem][choice.tiles][model] = ms;
  }

  bool empty() const { return times_.empty(); }

  /// The best tiling of each problem.
  std::map<std::string, std::string> best() const {
    std::map<std::string, std::string> result;
    for (const auto &[problem, tilings] : times_) {
      const std::map<std::string, double> least = leastOf(tilings);
      double bestMean = INFINITY;
      for (const auto &[tiles, models] : tilings) {
        if (models.size() < least.size())
          continue; // It failed in one of them.
        double mean = 0;
        for (const auto &[model, ms] : models)
          mean += std::log(ms / least.at(model));
        if (mean < bestMean) {
          bestMean = mean;
          result[problem] = tiles;
        }
      }
    }
    return result;
  }

private:
  using Tilings = std::map<std::string, std::map<std::string, double>>;

  static std::map<std::string, double> leastOf(const Tilings &tilings) {
    std::map<std::string, double> least;
    for (const auto &[tiles, models] : tilings)
      for (const auto &[model, ms] : models) {
        auto [place, isNew] = least.try_emplace(model, ms);
        place->second = std::min(place->second, ms);
      }
    return least;
  }

  std::map<std::string, Tilings> times_; ///< Problem, tiling, model: ms.
};

Status writeTuned(const TuneSuite &suite, const Standings &standings,
                  const std::string &output) {
  OrderedJson profile = suite.profile;
  for (const auto &[problem, tiles] : standings.best()) {
    profile["tiles"][problem] = tiles;
    std::printf("%s: %s\n", problem.c_str(), tiles.c_str());
  }
  return writeFile(output, formatJson(profile));
}

} // namespace

ExitCode tuneCommand(const TuneArguments &arguments) {
  Result<TuneSuite> suite = readTuneSuite(arguments.folder);
  if (!suite.isOk())
    return fail(suite.status());
  Result<std::vector<SpeedRow>> rows = readSpeedSuite(arguments.folder);
  if (!rows.isOk())
    return fail(rows.status());
  SpeedRunner runner(arguments.device, arguments.timeoutSeconds);
  SpeedPrinter table(*rows);
  Standings standings;
  for (const SpeedRow &row : *rows) {
    auto choice = suite->choices.find(row.name);
    if (choice == suite->choices.end())
      return fail(Status(StatusCode::InvalidData,
                         concat("row ", quote(row.name),
                                " of speed.json has no choice in tune.json")));
    const SpeedResult result = runner.run(row);
    table.print(result);
    // What is wrong or does not run is no candidate, however fast.
    if (result.passed())
      standings.add(choice->second, row.group, summarize(result.ms).median);
  }
  if (standings.empty())
    return fail(Status(StatusCode::Device, "no candidate ran and was right"));
  if (Status status = writeTuned(*suite, standings, arguments.output);
      !status.isOk())
    return fail(status);
  return kDone;
}

} // namespace rung::tools
