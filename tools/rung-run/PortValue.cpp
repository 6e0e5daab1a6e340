//===- PortValue.cpp - arrays in the types that ports want ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/PortValue.h"

#include "runtime/base/Text.h"

#include <cmath>
#include <utility>

namespace rung::tools {

Result<Tensor> fitToPort(Tensor tensor, const Port &port) {
  if (tensor.type == port.type)
    return tensor;
  Tensor fitted = convert(tensor, port.type);
  // Integers that fit come through unchanged, and finite numbers that fit stay
  // finite.
  auto fits = [&](double from, double to) {
    return isFloat(port.type) ? std::isfinite(to) || !std::isfinite(from)
                              : to == from;
  };
  for (uint64_t i = 0; i < tensor.elementCount(); ++i)
    if (!fits(toDouble(tensor, i), toDouble(fitted, i)))
      return Status(StatusCode::InvalidArgument,
                    concat("input ", quote(port.name), " holds ",
                           toDouble(tensor, i), " at element ", i,
                           ", which is no ", toString(port.type)));
  return fitted;
}

Result<NamedTensors> fitToPorts(NamedTensors tensors,
                                const std::vector<Port> &ports) {
  for (auto &[name, tensor] : tensors)
    for (const Port &port : ports)
      if (port.name == name) {
        RUNG_ASSIGN_OR_RETURN(tensor, fitToPort(std::move(tensor), port));
      }
  return tensors;
}

} // namespace rung::tools
