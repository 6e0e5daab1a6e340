//===- TakenOnce.h - data that a workgroup takes once -------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_TAKENONCE_H
#define RUNG_PASSES_LOWERING_TAKENONCE_H

#include "llvm/ADT/StringRef.h"

namespace rung {

/// On a `tile.fetch`: no thread of the workgroup loads its elements again, so
/// they need no place in the cache nearest to it.
inline constexpr llvm::StringLiteral kTakenOnceAttr = "tile.taken_once";

} // namespace rung

#endif // RUNG_PASSES_LOWERING_TAKENONCE_H
