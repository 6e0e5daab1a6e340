//===- Calibration.cpp - the ranges that a model's numbers take -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/Calibration.h"

#include "runtime/base/Json.h"

#include <cmath>

using nlohmann::json;
using nlohmann::ordered_json;

namespace rung {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads one document; `error` is that of the first thing that is wrong.
class Parser {
public:
  Status error = Status::ok();

  Calibration calibration(const json &document) {
    Calibration result;
    for (auto &[name, function] : member(document, "functions", "it").items())
      result.functions[name] =
          parseFunction(function, "function '" + name + "'");
    return result;
  }

private:
  void fail(const std::string &text) {
    if (error.isOk())
      error = Status(StatusCode::InvalidData, text);
  }

  const json &member(const json &object, const char *key,
                     const std::string &where) {
    static const json kNothing = json::object();
    if (object.is_object() && object.contains(key))
      return object[key];
    fail(where + " has no '" + key + "'");
    return kNothing;
  }

  const json &list(const json &object, const char *key,
                   const std::string &where) {
    static const json kNothing = json::array();
    const json &value = member(object, key, where);
    if (value.is_array())
      return value;
    fail("'" + std::string(key) + "' of " + where + " is no list");
    return kNothing;
  }

  std::vector<SeenRange> ranges(const json &object, const char *key,
                                const std::string &where) {
    std::vector<SeenRange> result;
    for (const json &entry : list(object, key, where)) {
      SeenRange range;
      if (!entry.is_null()) {
        if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number() ||
            !entry[1].is_number() || entry[0] > entry[1]) {
          fail("entry " + std::to_string(result.size()) + " of '" + key +
               "' of " + where + " is " + entry.dump() +
               "; it must be [low, high] or null");
          return {};
        }
        range = {entry[0].get<double>(), entry[1].get<double>()};
      }
      result.push_back(range);
    }
    return result;
  }

  FunctionCalibration parseFunction(const json &function,
                                    const std::string &where) {
    FunctionCalibration result;
    result.linears = ranges(function, "linears", where);
    for (const json &entry : list(function, "recurrences", where)) {
      std::string name = "recurrence " +
                         std::to_string(result.recurrences.size()) + " of " +
                         where;
      result.recurrences.push_back(
          {ranges(entry, "activations", name), ranges(entry, "states", name)});
    }
    return result;
  }
};
} // namespace

Result<Calibration> parseCalibration(std::string_view text) {
  Result<json> document = parseJson(text);
  if (!document.isOk())
    return document.status().while_("reading a calibration");
  Parser parser;
  Calibration result = parser.calibration(document.value());
  if (!parser.error.isOk())
    return parser.error.while_("reading a calibration");
  return result;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static ordered_json toJson(const std::vector<SeenRange> &ranges) {
  ordered_json result = ordered_json::array();
  for (const SeenRange &range : ranges)
    if (range.isEmpty() || !std::isfinite(range.low + range.high))
      result.push_back(nullptr);
    else
      result.push_back({range.low, range.high});
  return result;
}

std::string formatCalibration(const Calibration &calibration) {
  ordered_json functions = ordered_json::object();
  for (const auto &[name, function] : calibration.functions) {
    ordered_json recurrences = ordered_json::array();
    for (const RecurrenceCalibration &recurrence : function.recurrences)
      recurrences.push_back({{"activations", toJson(recurrence.activations)},
                             {"states", toJson(recurrence.states)}});
    functions[name] = {{"linears", toJson(function.linears)},
                       {"recurrences", recurrences}};
  }
  return formatJson({{"functions", functions}});
}

} // namespace rung
