//===- Suite.cpp - a folder of bundles to measure -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/Suite.h"

#include "runtime/base/File.h"
#include "runtime/base/Json.h"
#include "runtime/base/Text.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

namespace rung::tools {
namespace {

constexpr const char *kLadder[] = {"fp32",      "fp16-mixed", "bf16-mixed",
                                   "fp16",      "fp16-sr",    "fp16x2",
                                   "fp16x2-sr", "int8"};

/// The place of a rung's preset: what stands before its options.
size_t placeOf(const std::string &rung) {
  std::string preset = rung.substr(0, rung.find(','));
  return std::find(std::begin(kLadder), std::end(kLadder), preset) -
         std::begin(kLadder);
}

Status wrong(const std::string &what) {
  return Status(StatusCode::InvalidData, what);
}

Result<SuiteModel> parseModel(const nlohmann::json &json) {
  auto isText = [&](const char *key) {
    return json.contains(key) && json[key].is_string();
  };
  if (!json.is_object() || !isText("name") || !isText("regime") ||
      !isText("inputs") || !json.contains("seed") ||
      !json["seed"].is_number_unsigned() || !json.contains("memory") ||
      !json["memory"].is_number())
    return wrong("a model has name, regime and inputs as text, and seed and "
                 "memory as numbers");
  SuiteModel model;
  model.name = json["name"];
  model.regime = json["regime"];
  model.seed = json["seed"];
  model.memory = json["memory"];
  std::string inputs = json["inputs"];
  std::optional<InputKind> kind = parseInputKind(inputs);
  if (!kind)
    return wrong(concat("inputs ", quote(inputs), " of model ",
                        quote(model.name), " are neither white nor slow"));
  model.inputs = *kind;
  if (!(model.memory >= 0 && model.memory < 1))
    return wrong(concat("memory ", model.memory, " of model ",
                        quote(model.name), " is not from 0 to below 1"));
  return model;
}

/// The files FOLDER/NAME.RUNG.rung.
Status findBundles(SuiteModel &model) {
  const std::string begin = model.name + ".", end = ".rung";
  std::error_code error;
  for (const auto &entry :
       std::filesystem::directory_iterator(model.folder, error)) {
    std::string file = entry.path().filename().string();
    if (file.starts_with(begin) && file.ends_with(end) &&
        file.size() > begin.size() + end.size())
      model.bundles.push_back(
          {file.substr(begin.size(), file.size() - begin.size() - end.size()),
           entry.path().string()});
  }
  if (model.bundles.empty())
    return Status(StatusCode::NotFound,
                  concat("folder ", quotePath(model.folder), " has no ",
                         model.name, ".RUNG.rung"));
  std::sort(model.bundles.begin(), model.bundles.end(),
            [](const auto &a, const auto &b) {
              return standsBefore(a.rung, b.rung);
            });
  return Status::ok();
}

Result<std::vector<SuiteModel>> parseSuite(const std::string &text) {
  RUNG_ASSIGN_OR_RETURN(nlohmann::json json, parseJson(text));
  if (!json.is_object() || !json.contains("models") ||
      !json["models"].is_array())
    return wrong("a suite has a list of models");
  std::vector<SuiteModel> models;
  for (const nlohmann::json &one : json["models"]) {
    RUNG_ASSIGN_OR_RETURN(SuiteModel model, parseModel(one));
    models.push_back(std::move(model));
  }
  return models;
}

} // namespace

bool standsBefore(const std::string &a, const std::string &b) {
  return std::pair(placeOf(a), a) < std::pair(placeOf(b), b);
}

Result<std::vector<SuiteModel>> readSuite(const std::string &folder) {
  const std::string path = folder + "/suite.json";
  RUNG_ASSIGN_OR_RETURN(std::string text, readTextFile(path));
  RUNG_ASSIGN_OR_RETURN(
      std::vector<SuiteModel> models,
      parseSuite(text).while_(concat("reading ", quotePath(path))));
  for (SuiteModel &model : models) {
    model.folder = folder;
    RUNG_RETURN_IF_ERROR(findBundles(model));
  }
  return models;
}

} // namespace rung::tools
