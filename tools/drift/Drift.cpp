//===- Drift.cpp - how far states go from the exact ones ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/drift/Drift.h"

#include "runtime/base/Text.h"
#include "tools/rung-run/TimeAxis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rung::tools {
namespace {

constexpr uint64_t kMarks[] = {1, 16, 256, 1024, 4096, 16384};

// What the outputs of one segment may take, in bytes. The exact interpreters
// need about six times as much again for what is between.
constexpr uint64_t kSegmentBytes = uint64_t(16) << 20;

std::vector<const StateLink *> floatStates(const Function &function) {
  std::vector<const StateLink *> links;
  for (const StateLink &link : function.states)
    if (isFloat(function.outputs[link.output].type))
      links.push_back(&link);
  return links;
}

/// How many steps may be run at once.
uint64_t longestSegment(const Function &function, uint64_t batch) {
  uint64_t bytes = 0;
  for (const Port &port : function.outputs) {
    if (!timeAxis(port))
      continue;
    uint64_t size = byteSize(port.type);
    for (int64_t dim : port.dims)
      size *= dim == RUNG_DIM_T   ? 1
              : dim == RUNG_DIM_B ? batch
                                  : static_cast<uint64_t>(dim);
    bytes += size;
  }
  return std::max<uint64_t>(1, kSegmentBytes / std::max<uint64_t>(1, bytes));
}

NamedTensors statesOf(const Function &function, Outcome &outcome) {
  NamedTensors states;
  for (const StateLink &link : function.states)
    states.emplace_back(function.inputs[link.input].name,
                        std::move(outcome.outputs[link.output]));
  return states;
}

/// The states at a mark, out of all that are fed on.
std::vector<Tensor> measured(const Function &function,
                             const NamedTensors &states) {
  std::vector<Tensor> result;
  for (size_t i = 0; i < function.states.size(); ++i)
    if (isFloat(function.outputs[function.states[i].output].type))
      result.push_back(states[i].second);
  return result;
}

} // namespace

std::vector<uint64_t> driftMarks(uint64_t steps) {
  std::vector<uint64_t> marks;
  for (uint64_t mark : kMarks)
    if (mark < steps)
      marks.push_back(mark);
  marks.push_back(steps);
  return marks;
}

Result<Trajectory> follow(const Model &model, const Function &function,
                          const std::string &device, const InputRecipe &recipe,
                          const std::vector<uint64_t> &marks,
                          const StepsDone &done) {
  Trajectory path;
  for (const StateLink *link : floatStates(function))
    path.names.push_back(link->name);
  if (path.names.empty())
    return Status(StatusCode::InvalidArgument,
                  concat("function ", quote(function.name),
                         " has no float state that could drift"));
  RUNG_ASSIGN_OR_RETURN(InputSource source,
                        InputSource::make(function, recipe, marks.back()));
  RUNG_ASSIGN_OR_RETURN(Session session, Session::create(model, device));
  path.device = session.device();
  path.variant = session.variant();
  path.explanation = session.explanation();
  const uint64_t longest = longestSegment(function, recipe.batch);
  NamedTensors states = source.firstStates();
  uint64_t at = 0;
  for (uint64_t mark : marks) {
    while (at < mark) {
      const uint64_t steps = std::min(longest, mark - at);
      NamedTensors inputs = source.next(steps);
      std::move(states.begin(), states.end(), std::back_inserter(inputs));
      RUNG_ASSIGN_OR_RETURN(
          Outcome outcome,
          session.run(function, inputs)
              .while_(concat("running steps ", at, " to ", at + steps, " on ",
                             path.device)));
      states = statesOf(function, outcome);
      at += steps;
      if (done)
        done(at);
    }
    path.states.push_back(measured(function, states));
  }
  return path;
}

double relativeError(const std::vector<Tensor> &got,
                     const std::vector<Tensor> &exact) {
  double difference = 0, norm = 0;
  for (size_t i = 0; i < got.size(); ++i)
    for (uint64_t k = 0; k < got[i].elementCount(); ++k) {
      double g = toDouble(got[i], k), e = toDouble(exact[i], k);
      difference += (g - e) * (g - e);
      norm += e * e;
    }
  if (difference == 0)
    return 0;
  return norm == 0 ? std::numeric_limits<double>::infinity()
                   : std::sqrt(difference / norm);
}

std::vector<StateDrift> compareTrajectories(const Trajectory &got,
                                            const Trajectory &exact,
                                            const Trajectory &exactOwn) {
  std::vector<StateDrift> drifts;
  for (size_t i = 0; i < got.names.size(); ++i) {
    StateDrift drift{got.names[i], {}, {}};
    for (size_t mark = 0; mark < got.states.size(); ++mark) {
      const std::vector<Tensor> one = {got.states[mark][i]};
      drift.total.push_back(relativeError(one, {exact.states[mark][i]}));
      drift.arithmetic.push_back(
          relativeError(one, {exactOwn.states[mark][i]}));
    }
    drifts.push_back(std::move(drift));
  }
  return drifts;
}

StateDrift compareWhole(const Trajectory &got, const Trajectory &exact,
                        const Trajectory &exactOwn) {
  StateDrift drift{joined(got.names), {}, {}};
  for (size_t mark = 0; mark < got.states.size(); ++mark) {
    drift.total.push_back(relativeError(got.states[mark], exact.states[mark]));
    drift.arithmetic.push_back(
        relativeError(got.states[mark], exactOwn.states[mark]));
  }
  return drift;
}

} // namespace rung::tools
