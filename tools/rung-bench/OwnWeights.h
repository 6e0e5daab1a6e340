//===- OwnWeights.h - which bundles have the same rounded weights *- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_OWNWEIGHTS_H
#define RUNG_TOOLS_RUNG_BENCH_OWNWEIGHTS_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <string>

namespace rung::tools {

/// A hash over names and values of a bundle's weights as its rung rounds them.
/// Bundles of one model with the same hash go the same way on `exact-own`.
Result<uint64_t> hashOfOwnWeights(const std::string &path);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_OWNWEIGHTS_H
