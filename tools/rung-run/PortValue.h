//===- PortValue.h - arrays in the types that ports want --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_PORTVALUE_H
#define RUNG_TOOLS_RUNG_RUN_PORTVALUE_H

#include "tools/rung-run/Model.h"

namespace rung::tools {

/// `tensor` in the type of `port`. A float port rounds; an integer port takes
/// whole numbers within its range and nothing else. Shapes are not looked at.
Result<Tensor> fitToPort(Tensor tensor, const Port &port);

/// Each of `tensors`, which are named like ports, in its port's type.
Result<NamedTensors> fitToPorts(NamedTensors tensors,
                                const std::vector<Port> &ports);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_PORTVALUE_H
