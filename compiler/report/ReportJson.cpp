//===- ReportJson.cpp - a report for machines -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/report/Report.h"

#include "runtime/base/Json.h"

namespace rung {

using Json = nlohmann::ordered_json;

static Json toJson(const Rounding &rounding) {
  return {{"op", rounding.op},
          {"format", rounding.format},
          {"per_unit", rounding.perUnit},
          {"ulp", rounding.ulp}};
}

static Json toJson(const numerics::Prediction &at) {
  constexpr const char *kNames[] = {"state",     "gate_argument", "gate",
                                    "candidate", "increment",     "input"};
  Json parts;
  for (int i = 0; i < numerics::kSources; ++i)
    parts[kNames[i]] = {{"error", at.part[i]},
                        {"coherent_steps", at.coherence[i]}};
  return {{"steps", at.steps},
          {"error", at.relative},
          {"state_rms", at.state},
          {"parts", std::move(parts)}};
}

static Json toJson(const Measurement &measured) {
  return {{"device", measured.device},
          {"steps", measured.steps},
          {"errors", measured.errors}};
}

static Json toJson(const Growth &growth) {
  Json predictions = Json::array();
  for (const numerics::Prediction &at : growth.predictions)
    predictions.push_back(toJson(at));
  Json measured = Json::array();
  for (const Measurement &measurement : growth.measured)
    measured.push_back(toJson(measurement));
  return {{"input", growth.inputMemory == 0 ? "new" : "slow"},
          {"input_memory_steps", growth.inputMemory},
          {"growth", growth.kind},
          {"largest_source", growth.source},
          {"predictions", std::move(predictions)},
          {"measured", std::move(measured)}};
}

static Json toJson(const LayerBudget &layer) {
  Json json = {{"function", layer.function},   {"layer", layer.name},
               {"precision", layer.precision}, {"state", layer.state},
               {"heads", layer.heads},         {"width", layer.width},
               {"roundings", Json::array()}};
  for (const Rounding &rounding : layer.roundings)
    json["roundings"].push_back(toJson(rounding));
  json["growth"] = Json::array();
  for (const Growth &growth : layer.growth)
    json["growth"].push_back(toJson(growth));
  if (layer.growth.empty()) {
    json["no_prediction"] = layer.withoutGrowth;
    return json;
  }
  json["memory_steps"] = {{"typical", layer.memory.typical},
                          {"longest", layer.memory.longest}};
  json["input_rms"] = layer.inputRms;
  json["input_rms_from"] = layer.inputKnownFrom;
  return json;
}

static Json toJson(const LayerCost &cost) {
  return {{"function", cost.function},
          {"layer", cost.name},
          {"part", cost.recurrent ? "recurrent" : "input"},
          {"operands", cost.format},
          {"operations", cost.operations},
          {"bytes", cost.bytes},
          {"weight_bytes", cost.weightBytes}};
}

/// 0 stands for a peak that the profile does not state.
static Json secondsJson(double seconds) {
  return seconds == 0 ? Json(nullptr) : Json(seconds);
}

static Json toJson(const PeakTime &time) {
  return {{"profile", time.profile},
          {"function", time.function},
          {"operation_seconds", secondsJson(time.operationSeconds)},
          {"memory_seconds", secondsJson(time.byteSeconds)}};
}

static Json toJson(const MemoryUse &use) {
  return {{"function", use.function},
          {"weight_bytes", use.weights},
          {"activation_bytes", use.activations},
          {"activation_bytes_per_step", use.stepActivations},
          {"state_bytes", use.state},
          {"port_bytes", use.ports},
          {"total_bytes", use.total},
          {"segments", use.segments == 0 ? Json(nullptr) : Json(use.segments)}};
}

template <typename T> static Json toArray(const std::vector<T> &items) {
  Json array = Json::array();
  for (const T &item : items)
    array.push_back(toJson(item));
  return array;
}

std::string reportJson(const Report &report) {
  return formatJson({{"model", report.model},
                     {"precision", report.precision},
                     {"steps", report.steps},
                     {"batch", report.batch},
                     {"limit_bytes", report.limit},
                     {"error_budget", toArray(report.budget)},
                     {"stayed_float", report.stayedFloat},
                     {"costs", toArray(report.costs)},
                     {"times", toArray(report.times)},
                     {"memory", toArray(report.memory)}});
}

} // namespace rung
