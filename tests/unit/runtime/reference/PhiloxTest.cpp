//===- PhiloxTest.cpp - Random123's published vectors ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Philox.h"

#include <gtest/gtest.h>

using rung::reference::philox;

namespace {

using Words = std::array<uint32_t, 4>;

// The lines "philox4x32 10" of Random123's kat_vectors.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                   {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Each bit of the counter and the key reaches about half of the bits.
TEST(Philox, SpreadsEveryBit) {
  Words base = philox({1, 2, 3, 4}, {5, 6});
  for (int bit = 0; bit < 192; ++bit) {
    Words counter = {1, 2, 3, 4};
    std::array<uint32_t, 2> key = {5, 6};
    uint32_t mask = 1u << (bit % 32);
    (bit < 128 ? counter[bit / 32] : key[bit / 32 - 4]) ^= mask;
    Words changed = philox(counter, key);
    int differing = 0;
    for (size_t i = 0; i < 4; ++i)
      differing += __builtin_popcount(base[i] ^ changed[i]);
    EXPECT_GT(differing, 36) << "bit " << bit; // 64 +- 5 standard deviations
    EXPECT_LT(differing, 92) << "bit " << bit;
  }
}

} // namespace
