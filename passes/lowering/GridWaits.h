//===- GridWaits.h - how long workgroups wait -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_GRIDWAITS_H
#define RUNG_PASSES_LOWERING_GRIDWAITS_H

#include <cstdint>

namespace rung {

/// Looks at what a workgroup waits for before it gives up: seconds on a device
/// whose workgroups make progress, and no hang on another.
inline constexpr int64_t kPollLimit = int64_t(1) << 24;

/// On a kernel whose workgroups wait for one another, and on its module.
inline constexpr char kJointAttr[] = "tile.joint";

} // namespace rung

#endif // RUNG_PASSES_LOWERING_GRIDWAITS_H
