//===- Philox.cpp - random bits from a counter ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Philox.h"

namespace rung::reference {

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                               std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t(0xd2511f53) * counter[0];
    uint64_t second = uint64_t(0xcd9e8d57) * counter[2];
    counter = {static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(second),
               static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(first)};
    key[0] += 0x9e3779b9; // The golden ratio,
    key[1] += 0xbb67ae85; // and the square root of 3, less 1.
  }
  return counter;
}

} // namespace rung::reference
