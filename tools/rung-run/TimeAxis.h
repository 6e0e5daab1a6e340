//===- TimeAxis.h - arrays in pieces of time --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_TIMEAXIS_H
#define RUNG_TOOLS_RUNG_RUN_TIMEAXIS_H

#include "tools/rung-run/Model.h"

#include <optional>

namespace rung::tools {

/// Which axis of the port's arrays counts steps, if one does.
std::optional<size_t> timeAxis(const Port &port);

/// Whether the port is an input [B] that is no state: the lengths of the rows.
bool holdsLengths(const Port &port);

/// The steps from `begin` to before `end`, which the array has.
Tensor sliceTime(const Tensor &tensor, size_t axis, uint64_t begin,
                 uint64_t end);

/// Puts `piece` behind the last step of `whole`.
void appendTime(Tensor &whole, const Tensor &piece, size_t axis);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_TIMEAXIS_H
