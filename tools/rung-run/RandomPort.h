//===- RandomPort.h - the seed of stochastic rounding -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_RANDOMPORT_H
#define RUNG_TOOLS_RUNG_RUN_RANDOMPORT_H

#include "tools/rung-run/Model.h"

#include <cstdint>
#include <optional>

namespace rung::tools {

/// The input i32 [B, 3] that a function whose rounding is stochastic has: the
/// state "random", for each row its next step and the seed's low and high word.
const Port *findRandomPort(const Function &function);

/// That input for `rows` rows that are at step 0.
Tensor randomState(uint64_t seed, uint64_t rows);

/// Gives `inputs` the state that starts `seed`. Fails where `function` has no
/// such input, and where `inputs` holds it.
Status addSeed(const Function &function, uint64_t seed, NamedTensors &inputs);

/// The extent of B that `inputs` have; 1 where none has B in its shape.
uint64_t batchOf(const Function &function, const NamedTensors &inputs);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_RANDOMPORT_H
