//===- VerifyFunction.cpp - interfaces of functions -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/TimeSegments.h"
#include "runtime/bundle/VerifyContext.h"

#include <vector>

namespace rung {

namespace {
using Ports = flatbuffers::Vector<flatbuffers::Offset<fb::Port>>;
using Indices = flatbuffers::Vector<uint32_t>;

Status verifyPorts(VerifyContext &context, std::string_view noun,
                   const Ports &ports) {
  return forEachNamed(context, noun, ports,
                      [&](const fb::Port &port, uint32_t) {
                        return context.type(*port.type());
                      });
}

/// Marks \p index as used by a state; an error if it is out of range or used.
Status take(std::string_view noun, std::vector<bool> &used, uint32_t index) {
  if (index >= used.size())
    return invalidBundle(noun, " port ", index, " is not below ", used.size());
  if (used[index])
    return invalidBundle(noun, " port ", index,
                         " belongs to another state, too");
  used[index] = true;
  return Status::ok();
}

Status verifyStates(VerifyContext &context, const fb::Function &function) {
  std::vector<bool> inputs(function.inputs()->size());
  std::vector<bool> outputs(function.outputs()->size());
  return forEachNamed(
      context, "state", *function.states(),
      [&](const fb::StateLink &state, uint32_t) -> Status {
        RUNG_RETURN_IF_ERROR(take("input", inputs, state.input()));
        RUNG_RETURN_IF_ERROR(take("output", outputs, state.output()));
        const auto &in = *function.inputs()->Get(state.input())->type();
        const auto &out = *function.outputs()->Get(state.output())->type();
        if (!equal(in, out))
          return invalidBundle("input type ", toString(in),
                               " differs from output type ", toString(out));
        return Status::ok();
      });
}

/// The graph's inputs or outputs have the types of the first ports.
Status verifyTypes(std::string_view noun, const Ports &ports,
                   const Indices &values, const fb::Graph &graph) {
  for (uint32_t i = 0; i < values.size(); ++i) {
    const auto &port = *ports.Get(i)->type();
    const auto &value = *graph.values()->Get(values.Get(i));
    if (!equal(port, value))
      return invalidBundle("the graph's type ", toString(value), " of ", noun,
                           " ", i, " differs from the port's ", toString(port));
  }
  return Status::ok();
}

/// As verifyTypes; and there are as many ports as values.
Status verifySignature(std::string_view noun, const Ports &ports,
                       const Indices &values, const fb::Graph &graph) {
  if (ports.size() != values.size())
    return invalidBundle("the graph has ", values.size(), " ", noun,
                         "s, and the function ", ports.size());
  return verifyTypes(noun, ports, values, graph);
}

/// As verifyTypes; and the ports without a value are a state's.
template <typename PortOf>
Status verifyPrefix(std::string_view noun, const Ports &ports,
                    const Indices &values, const fb::Graph &graph,
                    const fb::Function &function, PortOf portOf) {
  if (values.size() > ports.size())
    return invalidBundle("the graph has ", values.size(), " ", noun,
                         "s, and the function ", ports.size());
  std::vector<bool> isState(ports.size());
  for (const fb::StateLink *state : *function.states())
    isState[portOf(*state)] = true;
  for (uint32_t i = values.size(); i < ports.size(); ++i)
    if (!isState[i])
      return invalidBundle("the graph has ", values.size(), " ", noun,
                           "s, and ", noun, " port ", i, " ",
                           quote(ports.Get(i)->name()->string_view()),
                           " behind them is no state");
  return verifyTypes(noun, ports, values, graph);
}

Status verifySource(VerifyContext &context, const fb::Function &function) {
  if (!function.source())
    return Status::ok();
  const fb::Graph &source = *function.source();
  RUNG_RETURN_IF_ERROR(verifyGraph(context, source));
  RUNG_RETURN_IF_ERROR(
      verifyPrefix("input", *function.inputs(), *source.inputs(), source,
                   function, [](const fb::StateLink &s) { return s.input(); }));
  return verifyPrefix("output", *function.outputs(), *source.outputs(), source,
                      function,
                      [](const fb::StateLink &s) { return s.output(); });
}
} // namespace

Status verifyFunction(VerifyContext &context, const fb::Function &function) {
  RUNG_RETURN_IF_ERROR(verifyPorts(context, "input port", *function.inputs()));
  RUNG_RETURN_IF_ERROR(
      verifyPorts(context, "output port", *function.outputs()));
  RUNG_RETURN_IF_ERROR(verifyStates(context, function));
  const fb::Graph &graph = *function.graph();
  RUNG_RETURN_IF_ERROR(
      verifyGraph(context, graph).while_("verifying the graph"));
  RUNG_RETURN_IF_ERROR(
      verifySignature("input", *function.inputs(), *graph.inputs(), graph));
  RUNG_RETURN_IF_ERROR(
      verifySignature("output", *function.outputs(), *graph.outputs(), graph));
  if (function.segmentable())
    if (std::string fault = findTimeFault(function); !fault.empty())
      return invalidBundle("the function is said to run in segments of time: ",
                           fault);
  return verifySource(context, function).while_("verifying the source");
}

} // namespace rung
