//===- ReportText.cpp - a report for people -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/report/Report.h"

#include <algorithm>
#include <format>

namespace rung {

namespace {

/// Lines of columns, each as wide as its widest entry; the first column is
/// flush left, the others right.
class Table {
public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string text() const {
    std::vector<size_t> widths;
    for (const auto &row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], row[i].size());
    }
    std::string result;
    for (const auto &row : rows_) {
      std::string line = "  ";
      for (size_t i = 0; i < row.size(); ++i)
        line += i == 0 ? std::format("{:<{}}", row[i], widths[i])
                       : std::format("  {:>{}}", row[i], widths[i]);
      line.erase(line.find_last_not_of(' ') + 1);
      result += line + "\n";
    }
    return result;
  }

private:
  std::vector<std::vector<std::string>> rows_;
};

} // namespace

static std::string shortError(double error) {
  return std::format("{:.1e}", error);
}

static std::string bytesText(double bytes) {
  constexpr const char *kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return std::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, kUnits[unit]);
}

static std::string secondsText(double seconds) {
  if (seconds == 0)
    return "not stated";
  return seconds < 1e-3 ? std::format("{:.3g} us", seconds * 1e6)
                        : std::format("{:.3g} ms", seconds * 1e3);
}

static std::string growthText(const Growth &growth) {
  return growth.kind + ", most by the " + growth.source;
}

static std::string inputText(const Growth &growth) {
  return growth.inputMemory == 0
             ? growth.input
             : std::format("{} ({:g} steps)", growth.input, growth.inputMemory);
}

/// Under the predictions, at those of their steps that were measured.
static std::vector<std::string> measuredRow(const Growth &growth,
                                            const Measurement &measured) {
  std::vector<std::string> row = {"  measured"};
  for (const numerics::Prediction &at : growth.predictions) {
    auto step =
        std::find(measured.steps.begin(), measured.steps.end(), at.steps);
    row.push_back(
        step == measured.steps.end()
            ? ""
            : shortError(measured.errors[step - measured.steps.begin()]));
  }
  row.push_back("on " + measured.device);
  return row;
}

static std::string budgetText(const LayerBudget &layer) {
  std::string text = std::format(
      "layer '{}' of function '{}': {} head{} of {}; {}\n", layer.name,
      layer.function, layer.heads, layer.heads == 1 ? "" : "s",
      layer.width / std::max<int64_t>(layer.heads, 1), layer.precision);
  Table roundings;
  roundings.add(
      {"rounding operation", "format", "a unit and step", "ulp at 1"});
  for (const Rounding &rounding : layer.roundings)
    roundings.add({rounding.op, rounding.format,
                   std::to_string(rounding.perUnit),
                   rounding.ulp == 0 ? "1 integer" : shortError(rounding.ulp)});
  text += roundings.text();
  if (layer.growth.empty())
    return text + "  no prediction: " + layer.withoutGrowth + "\n";
  text += std::format("  remembers {:.3g} steps, the slowest units {:.3g}; "
                      "input's root mean square {:.3g} ({})\n",
                      layer.memory.typical, layer.memory.longest,
                      layer.inputRms, layer.inputKnownFrom);
  Table table;
  std::vector<std::string> head = {"error of the state at T ="};
  for (const numerics::Prediction &at : layer.growth.front().predictions)
    head.push_back(std::to_string(at.steps));
  table.add(std::move(head));
  for (const Growth &growth : layer.growth) {
    std::vector<std::string> row = {"input " + inputText(growth)};
    for (const numerics::Prediction &at : growth.predictions)
      row.push_back(shortError(at.relative));
    row.push_back(growthText(growth));
    table.add(std::move(row));
    for (const Measurement &measured : growth.measured)
      table.add(measuredRow(growth, measured));
  }
  return text + table.text();
}

static std::string costText(const Report &report) {
  Table table;
  table.add({"function, layer", "part", "operands", "operations", "bytes",
             "weight bytes"});
  for (const LayerCost &cost : report.costs)
    table.add({cost.function + ", " + cost.name,
               cost.recurrent ? "recurrent" : "input", cost.format,
               std::format("{:.0f}", cost.operations),
               std::format("{:.0f}", cost.bytes),
               std::format("{:.0f}", cost.weightBytes)});
  std::string text = "cost of one step of one row\n" + table.text();
  text += std::format("time of {} steps of {} row{}, at the peaks of a "
                      "profile\n",
                      report.steps, report.batch, report.batch == 1 ? "" : "s");
  Table times;
  times.add({"profile, function", "operations", "memory"});
  for (const PeakTime &time : report.times)
    times.add({time.profile + ", " + time.function,
               secondsText(time.operationSeconds),
               secondsText(time.byteSeconds)});
  return text + times.text();
}

static std::string segmentsText(const MemoryUse &use, uint64_t limit) {
  if (use.segments == 0)
    return std::format("segments of one step take {}, over the limit of {}",
                       bytesText(double(use.total)), bytesText(double(limit)));
  return std::format("{} segment{}, {} of {}", use.segments,
                     use.segments == 1 ? "" : "s", bytesText(double(use.total)),
                     bytesText(double(limit)));
}

static std::string memoryText(const Report &report) {
  Table table;
  table.add({"function", "weights", "activations", "state", "under the limit"});
  for (const MemoryUse &use : report.memory)
    table.add({use.function, bytesText(double(use.weights)),
               bytesText(double(use.activations)), bytesText(double(use.state)),
               segmentsText(use, report.limit)});
  return "memory\n" + table.text();
}

std::string reportText(const Report &report) {
  std::string text = std::format(
      "'{}' at {}: {} step{}, {} row{}\n\nerror budget: predicted error of "
      "each layer's state, relative to the state,\nfrom its own arithmetic "
      "and that of the layers before it\n",
      report.model, report.precision, report.steps,
      report.steps == 1 ? "" : "s", report.batch, report.batch == 1 ? "" : "s");
  for (const LayerBudget &layer : report.budget)
    text += "\n" + budgetText(layer);
  if (report.isInteger) {
    text += "\nstayed float, outside the recurrences\n";
    if (report.stayedFloat.empty())
      text += "  nothing\n";
    for (const std::string &op : report.stayedFloat)
      text += "  " + op + "\n";
  }
  return text + "\n" + costText(report) + "\n" + memoryText(report);
}

} // namespace rung
