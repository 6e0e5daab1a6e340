//===- Philox.h - random bits from a counter --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_PHILOX_H
#define RUNG_RUNTIME_REFERENCE_PHILOX_H

#include <array>
#include <cstdint>

namespace rung::reference {

/// Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as
/// easy as 1, 2, 3" (2011): four words of random bits for a counter and a key.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                               std::array<uint32_t, 2> key);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_PHILOX_H
