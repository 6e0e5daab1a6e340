//===- Segments.cpp - one run in pieces of time ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Segments.h"

#include "runtime/base/Text.h"
#include "tools/rung-run/TimeAxis.h"

#include <algorithm>
#include <utility>

namespace rung::tools {
namespace {

const Port *findPort(const std::vector<Port> &ports, const std::string &name) {
  for (const Port &port : ports)
    if (port.name == name)
      return &port;
  return nullptr;
}

/// The number of steps that the inputs have, after checking that pieces of
/// them make sense.
Result<uint64_t> stepsToSplit(const Function &function,
                              const NamedTensors &inputs, uint32_t count) {
  uint64_t steps = 1;
  for (const auto &[name, tensor] : inputs) {
    const Port *port = findPort(function.inputs, name);
    if (!port)
      continue;
    if (holdsLengths(*port))
      return Status(StatusCode::InvalidArgument,
                    concat("input ", quote(name),
                           " holds the rows' lengths, "
                           "which --segments does not split"));
    std::optional<size_t> axis = timeAxis(*port);
    if (axis && *axis < tensor.shape.size())
      steps = tensor.shape[*axis];
  }
  if (steps < count)
    return Status(StatusCode::InvalidArgument,
                  concat(steps, " steps do not fill ", count, " segments"));
  return steps;
}

NamedTensors pieceOf(const Function &function, const NamedTensors &inputs,
                     uint64_t begin, uint64_t end, const Outcome &before) {
  NamedTensors piece;
  for (const auto &[name, tensor] : inputs) {
    const Port *port = findPort(function.inputs, name);
    std::optional<size_t> axis = port ? timeAxis(*port) : std::nullopt;
    if (port && port->isState() && begin != 0)
      continue; // it comes from the piece before
    if (axis && *axis < tensor.shape.size())
      piece.emplace_back(name, sliceTime(tensor, *axis, begin, end));
    else
      piece.emplace_back(name, tensor);
  }
  if (begin != 0)
    for (const StateLink &state : function.states)
      piece.emplace_back(function.inputs[state.input].name,
                         before.outputs[state.output]);
  return piece;
}

void append(Outcome &whole, Outcome piece, const Function &function) {
  for (size_t i = 0; i < function.outputs.size(); ++i) {
    std::optional<size_t> axis = timeAxis(function.outputs[i]);
    if (axis)
      appendTime(whole.outputs[i], piece.outputs[i], *axis);
    else
      whole.outputs[i] = std::move(piece.outputs[i]);
  }
  whole.timing.host_ms += piece.timing.host_ms;
  whole.timing.prepare_ms += piece.timing.prepare_ms;
  whole.timing.transfer_ms += piece.timing.transfer_ms;
  if (whole.timing.device_ms >= 0)
    whole.timing.device_ms += piece.timing.device_ms;
  whole.timing.steps += piece.timing.steps;
}

} // namespace

Result<Outcome> runInSegments(Session &session, const Function &function,
                              const NamedTensors &inputs, uint32_t count) {
  if (count <= 1)
    return session.run(function, inputs);
  RUNG_ASSIGN_OR_RETURN(uint64_t steps, stepsToSplit(function, inputs, count));
  Outcome whole;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t begin = steps * i / count, end = steps * (i + 1) / count;
    RUNG_ASSIGN_OR_RETURN(
        Outcome piece,
        session.run(function, pieceOf(function, inputs, begin, end, whole))
            .while_(concat("running steps ", begin, " to ", end)));
    if (i == 0)
      whole = std::move(piece);
    else
      append(whole, std::move(piece), function);
  }
  return whole;
}

} // namespace rung::tools
