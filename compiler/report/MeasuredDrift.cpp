//===- MeasuredDrift.cpp - errors that rung-run found ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/report/MeasuredDrift.h"

#include "runtime/base/File.h"
#include "runtime/base/Json.h"

#include <limits>

namespace rung {

using Json = nlohmann::json;

static Status malformed(const std::string &what) {
  return Status(StatusCode::InvalidData,
                what + "; is this from rung-run drift --json?");
}

/// The member \p key of \p object, null if there is none of that kind.
static const Json *find(const Json &object, const char *key,
                        bool (Json::*isKind)() const noexcept) {
  auto member = object.is_object() ? object.find(key) : object.end();
  return member != object.end() && ((*member).*isKind)() ? &*member : nullptr;
}

static Status readStates(const Json &states, MeasuredDrift &drift) {
  for (const Json &state : states) {
    const Json *name = find(state, "state", &Json::is_string);
    const Json *errors = find(state, "arithmetic", &Json::is_array);
    if (!name || !errors)
      return malformed("an entry of \"states\" lacks \"state\" or "
                       "\"arithmetic\"");
    if (errors->size() != drift.steps.size())
      return malformed("state '" + name->get<std::string>() + "' has " +
                       std::to_string(errors->size()) + " errors for " +
                       std::to_string(drift.steps.size()) + " steps");
    std::vector<double> &values = drift.errors[name->get<std::string>()];
    for (const Json &error : *errors)
      values.push_back(error.is_number()
                           ? error.get<double>()
                           : std::numeric_limits<double>::quiet_NaN());
  }
  return Status::ok();
}

static Result<MeasuredDrift> parse(const Json &json) {
  MeasuredDrift drift;
  const Json *function = find(json, "function", &Json::is_string);
  const Json *device = find(json, "device", &Json::is_string);
  const Json *inputs = find(json, "inputs", &Json::is_string);
  const Json *steps = find(json, "steps", &Json::is_array);
  const Json *states = find(json, "states", &Json::is_array);
  if (!function || !device || !inputs || !steps || !states)
    return malformed("\"function\", \"device\", \"inputs\", \"steps\" or "
                     "\"states\" is missing");
  drift.function = function->get<std::string>();
  drift.device = device->get<std::string>();
  if (inputs->get<std::string>() == "slow") {
    const Json *memory = find(json, "memory", &Json::is_number);
    double kept = memory ? memory->get<double>() : 0;
    if (!(kept > 0 && kept < 1))
      return malformed("inputs are slow, and \"memory\" is none between 0 "
                       "and 1");
    drift.inputMemory = 1 / (1 - kept);
  }
  for (const Json &step : *steps) {
    if (!step.is_number_integer())
      return malformed("\"steps\" holds what is no whole number");
    drift.steps.push_back(step.get<int64_t>());
  }
  if (Status status = readStates(*states, drift); !status.isOk())
    return status;
  return drift;
}

Result<MeasuredDrift> readMeasuredDrift(const std::string &path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.isOk())
    return file.status();
  auto bytes = file.value().bytes();
  Result<Json> json = parseJson(std::string_view(
      reinterpret_cast<const char *>(bytes.data()), bytes.size()));
  Result<MeasuredDrift> drift =
      json.isOk() ? parse(json.value()) : Result<MeasuredDrift>(json.status());
  return drift.isOk() ? drift
                      : drift.status().while_("reading drift '" + path + "'");
}

} // namespace rung
