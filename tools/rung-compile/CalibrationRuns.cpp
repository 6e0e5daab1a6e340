//===- CalibrationRuns.cpp - runs that show a model's ranges --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-compile/CalibrationRuns.h"

#include "runtime/base/Text.h"
#include "runtime/bundle/Types.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rung::tools {
namespace {

using reference::Dims;

// Steps that are interpreted at once: every number of the graph is there for
// each of them.
constexpr int64_t kSegment = 64;

/// An array of the type and rank of `port`.
Result<reference::Tensor> fit(const Tensor &array, const fb::Port &port) {
  const auto &dims = *port.type()->dims();
  auto fits = [&](size_t axis) {
    return dims[axis] < 0 || uint64_t(dims[axis]) == array.shape[axis];
  };
  bool good = array.shape.size() == dims.size();
  for (size_t axis = 0; good && axis < array.shape.size(); ++axis)
    good = fits(axis);
  if (!good)
    return Status(StatusCode::InvalidArgument,
                  concat("array ", quote(port.name()->string_view()), " is ",
                         toString(array), "; ", toString(*port.type()),
                         " is needed"));
  Tensor typed = convert(array, toScalarType(port.type()->element()));
  reference::Tensor result = reference::decode(
      typed.type, Dims(typed.shape.begin(), typed.shape.end()), typed.data);
  for (size_t i = 0; i < result.values.size(); ++i)
    if (!std::isfinite(result.values[i]))
      return Status(StatusCode::InvalidData,
                    concat("array ", quote(port.name()->string_view()), " has ",
                           result.values[i], " as element ", i,
                           "; a calibration takes finite numbers"));
  return result;
}

/// All arrays of a function have the same number of steps, and of rows.
Status agree(std::optional<uint64_t> &known, uint64_t size,
             const std::string &name, const char *what) {
  if (size == 0)
    return Status(StatusCode::InvalidData,
                  concat("array ", quote(name), " has no ", what));
  if (known && *known != size)
    return Status(StatusCode::InvalidData,
                  concat("array ", quote(name), " has ", size, " ", what,
                         "; an array before it has ", *known));
  known = size;
  return Status::ok();
}

/// Steps `begin` to before `end` of a tensor whose first axis counts them.
reference::Tensor slice(const reference::Tensor &tensor, int64_t begin,
                        int64_t end) {
  reference::Tensor part;
  part.element = tensor.element;
  part.dims = tensor.dims;
  const int64_t inner = tensor.size() / std::max<int64_t>(1, tensor.dims[0]);
  part.dims[0] = end - begin;
  part.values.assign(tensor.values.begin() + begin * inner,
                     tensor.values.begin() + end * inner);
  return part;
}

bool hasSteps(const fb::Port &port) {
  return port.type()->dims()->size() > 0 &&
         port.type()->dims()->Get(0) == kDimT;
}

} // namespace

bool CalibrationRuns::isState(const fb::Function &function, uint32_t input) {
  for (const fb::StateLink *link : *function.states())
    if (link->input() == input)
      return true;
  return false;
}

bool CalibrationRuns::holdsLengths(const fb::Function &function,
                                   uint32_t input) {
  const auto &dims = *function.inputs()->Get(input)->type()->dims();
  return !isState(function, input) && dims.size() == 1 && dims[0] == kDimB;
}

const fb::Function &CalibrationRuns::function(uint32_t index) const {
  return *bundle_.root().functions()->Get(index);
}

uint64_t CalibrationRuns::stepsOf(uint64_t available) const {
  return limit_ ? std::min(limit_, available) : available;
}

Result<std::vector<reference::Tensor>> CalibrationRuns::runOnce(uint32_t index,
                                                                Tensors inputs,
                                                                int64_t steps,
                                                                int64_t batch) {
  const fb::Function &f = function(index);
  std::vector<Tensor> all;
  for (uint32_t i = 0; i < f.inputs()->size(); ++i) {
    auto found = inputs.find(f.inputs()->Get(i)->name()->str());
    all.push_back(found != inputs.end()
                      ? std::move(found->second)
                      : reference::zeroInput(f, i, steps, batch));
  }
  auto result = calibrator_.run(index, std::move(all), steps, batch);
  if (!result.isOk())
    return result.takeStatus().while_(
        concat("calibrating function ", quote(f.name()->string_view())));
  progress_(done_ += steps);
  return result;
}

Result<CalibrationRuns::Tensors> CalibrationRuns::runSegments(uint32_t index,
                                                              Tensors inputs,
                                                              int64_t steps,
                                                              int64_t batch) {
  const fb::Function &f = function(index);
  int64_t segment = kSegment;
  for (uint32_t i = 0; i < f.inputs()->size(); ++i)
    if (holdsLengths(f, i)) // they count from the first step
      segment = steps;
  Tensors states;
  for (int64_t at = 0; at < steps; at += segment) {
    const int64_t end = std::min(steps, at + segment);
    Tensors part = at == 0 ? Tensors() : std::move(states);
    for (const fb::Port *port : *f.inputs()) {
      auto found = inputs.find(port->name()->str());
      if (found != inputs.end() && !part.contains(found->first))
        part[found->first] =
            hasSteps(*port) ? slice(found->second, at, end) : found->second;
    }
    RUNG_ASSIGN_OR_RETURN(std::vector<Tensor> got,
                          runOnce(index, std::move(part), end - at, batch));
    states.clear();
    for (const fb::StateLink *link : *f.states())
      states[f.inputs()->Get(link->input())->name()->str()] =
          std::move(got[link->output()]);
  }
  return states;
}

Status CalibrationRuns::runArraysOf(uint32_t index, const NamedTensors &arrays,
                                    bool &ran) {
  const fb::Function &f = function(index);
  Tensors inputs;
  std::optional<uint64_t> steps, batch;
  for (uint32_t i = 0; i < f.inputs()->size(); ++i) {
    const fb::Port &port = *f.inputs()->Get(i);
    const std::string name = port.name()->str();
    auto named = [&](const std::string &wanted) {
      return std::find_if(arrays.begin(), arrays.end(), [&](const auto &array) {
        return array.first == wanted;
      });
    };
    auto found = named(f.name()->str() + "." + name);
    if (found == arrays.end())
      found = named(name);
    if (found == arrays.end() && !isState(f, i))
      return Status::ok();
    if (found == arrays.end())
      continue;
    RUNG_ASSIGN_OR_RETURN(inputs[name], fit(found->second, port));
    for (size_t axis = 0; axis < found->second.shape.size(); ++axis) {
      const int32_t dim = port.type()->dims()->Get(axis);
      if (dim == kDimT)
        RUNG_RETURN_IF_ERROR(
            agree(steps, found->second.shape[axis], name, "steps"));
      if (dim == kDimB)
        RUNG_RETURN_IF_ERROR(
            agree(batch, found->second.shape[axis], name, "rows"));
    }
  }
  ran = true;
  return runSegments(index, std::move(inputs), stepsOf(steps.value_or(1)),
                     batch.value_or(1))
      .status();
}

Status CalibrationRuns::runArrays(const NamedTensors &arrays) {
  bool ran = false;
  for (uint32_t i = 0; i < bundle_.root().functions()->size(); ++i)
    RUNG_RETURN_IF_ERROR(runArraysOf(i, arrays, ran));
  if (ran)
    return Status::ok();
  std::vector<std::string> have;
  for (const auto &[name, tensor] : arrays)
    have.push_back(name);
  return Status(StatusCode::NotFound,
                concat("archive has not all inputs of any function; it has ",
                       joined(have)));
}

} // namespace rung::tools
