//===- TimeFault.cpp - whether a function can run in segments -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/bundle/TimeSegments.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace rung {

namespace {

using Indices = flatbuffers::Vector<uint32_t>;

bool hasSteps(const fb::TensorType &type) {
  return std::ranges::any_of(*type.dims(),
                             [](int32_t dim) { return dim == kDimT; });
}

/// Operations on one row of one step.
constexpr std::array kRowOps = {
    std::string_view("rnn.load_weight"),
    std::string_view("rnn.embedding"),
    std::string_view("rnn.linear"),
    std::string_view("rnn.rms_norm"),
    std::string_view("rnn.softmax"),
    std::string_view("rnn.argmax"),
    std::string_view("rnn.activation"),
    std::string_view("rnn.add"),
    std::string_view("rnn.concat"),
    std::string_view("rnn.cast"),
    std::string_view("rnn.map"),
    std::string_view("rnn.integer_rms_norm"),
};

const fb::Attribute *find(const fb::Node &node, std::string_view name) {
  for (const fb::Attribute *attribute : *node.attributes())
    if (attribute->name()->string_view() == name)
      return attribute;
  return nullptr;
}

/// The operand groups of a recurrence that matter here.
struct RecurrenceGroups {
  size_t initial, lengths, random;
};

class FaultFinder {
public:
  explicit FaultFinder(const fb::Function &function)
      : function_(function), graph_(*function.graph()),
        from_(graph_.values()->size()), needed_(function.states()->size()) {}

  std::string run() {
    checkPorts();
    for (uint32_t i = 0; i < function_.states()->size(); ++i)
      from_[graph_.inputs()->Get(function_.states()->Get(i)->input())] = {i};
    for (uint32_t i = 0; i < graph_.nodes()->size() && fault_.empty(); ++i)
      checkNode(*graph_.nodes()->Get(i));
    for (uint32_t i = 0; i < function_.states()->size() && fault_.empty(); ++i)
      checkState(i);
    return std::move(fault_);
  }

private:
  /// What a value without time is computed from: states by their indices, then
  /// recurrences, each with a number of its own.
  using Origins = std::set<uint32_t>;
  static constexpr size_t kMostOrigins = size_t(1) << 16;

  template <typename... Parts> void fail(const Parts &...parts) {
    if (fault_.empty())
      fault_ = concat(parts...);
  }

  void checkPorts();
  void checkNode(const fb::Node &node);
  void checkRecurrence(const fb::Node &node, const RecurrenceGroups &groups);
  void checkState(uint32_t index);
  void setOrigins(uint32_t value, const Origins &origins) {
    origins_ += origins.size();
    if (origins_ > kMostOrigins)
      fail("states are too many");
    else
      from_[value] = origins;
  }
  bool isState(uint32_t origin) const {
    return origin < function_.states()->size();
  }

  const fb::Function &function_;
  const fb::Graph &graph_;
  std::vector<Origins> from_;   ///< By value.
  std::vector<Origins> needed_; ///< By state: the recurrences it starts.
  uint32_t recurrences_ = 0;
  size_t origins_ = 0;
  std::string fault_;
};

void FaultFinder::checkPorts() {
  for (const auto *ports : {function_.inputs(), function_.outputs()})
    for (const fb::Port *port : *ports) {
      const auto &dims = *port->type()->dims();
      for (uint32_t i = 1; i < dims.size(); ++i)
        if (dims.Get(i) == kDimT)
          fail("time is axis ", i, " of port ",
               quote(port->name()->string_view()));
    }
  for (uint32_t i = 0; i < function_.outputs()->size(); ++i) {
    const fb::Port &port = *function_.outputs()->Get(i);
    const bool linked = std::ranges::any_of(
        *function_.states(),
        [&](const fb::StateLink *state) { return state->output() == i; });
    if (!hasSteps(*port.type()) && !linked)
      fail("output ", quote(port.name()->string_view()),
           " has neither time nor a state");
  }
}

void FaultFinder::checkNode(const fb::Node &node) {
  const std::string_view op = node.op()->string_view();
  if (op == "rnn.recurrence")
    return checkRecurrence(node, {.initial = 2, .lengths = 3, .random = 4});
  if (op == "rnn.gru")
    return checkRecurrence(node, {.initial = 5, .lengths = 6, .random = 7});
  const bool advances = op == "rnn.advance_random";
  if (advances && node.operands()->size() > 2)
    return fail("random states follow the lengths of rows");
  if (!advances && std::ranges::find(kRowOps, op) == kRowOps.end())
    return fail(quote(op), " is not known to work on each step alone");
  Origins origins;
  for (uint32_t operand : *node.operands())
    origins.insert(from_[operand].begin(), from_[operand].end());
  for (uint32_t result : *node.results()) {
    if (hasSteps(*graph_.values()->Get(result)) && !origins.empty())
      return fail(quote(op), " spreads a state over all steps");
    setOrigins(result, origins);
  }
}

void FaultFinder::checkRecurrence(const fb::Node &node,
                                  const RecurrenceGroups &groups) {
  const fb::Attribute *direction = find(node, "direction");
  if (!direction || direction->s()->string_view() != "forward")
    return fail("a recurrence does not go forward");
  const fb::Attribute *sizes = find(node, "operand_segments");
  if (!sizes || sizes->ints()->size() <= groups.lengths)
    return fail("a recurrence has no groups of operands");
  const uint32_t number = function_.states()->size() + recurrences_++;
  uint64_t begin = 0;
  for (uint32_t group = 0; group < sizes->ints()->size(); ++group) {
    const uint64_t end = begin + uint64_t(sizes->ints()->Get(group));
    if (end < begin || end > node.operands()->size())
      return fail("a recurrence has groups without operands");
    if (group == groups.lengths && end != begin)
      return fail("a recurrence has lengths");
    for (uint64_t i = begin; i < end; ++i) {
      const Origins &origins = from_[node.operands()->Get(uint32_t(i))];
      if (group != groups.initial && group != groups.random) {
        if (!origins.empty())
          return fail("a recurrence reads a state in every step");
        continue;
      }
      if (origins.empty() ||
          !std::ranges::all_of(origins, [&](uint32_t o) { return isState(o); }))
        return fail("a recurrence starts from what is no state");
      if (group == groups.initial)
        for (uint32_t state : origins)
          needed_[state].insert(number);
    }
    begin = end;
  }
  for (uint32_t result : *node.results())
    if (!hasSteps(*graph_.values()->Get(result)))
      setOrigins(result, {number});
}

void FaultFinder::checkState(uint32_t index) {
  const fb::StateLink &state = *function_.states()->Get(index);
  const Origins &origins = from_[graph_.outputs()->Get(state.output())];
  if (!std::ranges::includes(origins, needed_[index]))
    fail("state ", quote(state.name()->string_view()),
         " starts a recurrence that does not end in it");
}

} // namespace

std::string findTimeFault(const fb::Function &function) {
  return FaultFinder(function).run();
}

} // namespace rung
