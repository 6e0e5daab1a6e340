//===- BindArguments.h - from a caller's tensors to a request ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_API_BINDARGUMENTS_H
#define RUNG_RUNTIME_API_BINDARGUMENTS_H

#include "runtime/api/Backend.h"
#include "runtime/api/Interface.h"
#include "runtime/base/Status.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rung {

/// Checks \p tensors against the inputs of \p function, by name, and gives a
/// request with T, B and inputs; its outputs are left empty.
Result<RunRequest> bindArguments(const FunctionInfo &function,
                                 std::span<const rung_tensor> tensors);
/// The same for states alone, any of which may be left out.
Result<RunRequest> bindStates(const FunctionInfo &function,
                              std::span<const rung_tensor> tensors);

/// The shape of \p port with T and B filled in.
std::vector<int64_t> shapeOf(const PortInfo &port, uint32_t steps,
                             uint32_t batch);

/// Bytes of a tensor; an error if they are too many to count.
Result<size_t> bytesOf(rung_dtype dtype, std::span<const int64_t> shape);

} // namespace rung

#endif // RUNG_RUNTIME_API_BINDARGUMENTS_H
