//===- PhiloxTest.cpp - random bits against published ones ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Philox.h"

#include "tests/unit/passes/lowering/Folded.h"

#include <array>

using namespace rung::test;

namespace {

struct Vector {
  std::array<uint32_t, 4> counter;
  std::array<uint32_t, 2> key;
  std::array<uint32_t, 4> words;
};

// Random123's kat_vectors, "philox4x32 10".
constexpr Vector kKnownAnswers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};

TEST(Philox, GivesThePublishedWords) {
  Folded folded;
  for (const Vector &known : kKnownAnswers) {
    std::array<mlir::Value, 4> counter;
    for (size_t i = 0; i < 4; ++i)
      counter[i] = folded.i32(known.counter[i]);
    auto words =
        rung::emitPhilox(folded.b(), counter,
                         {folded.i32(known.key[0]), folded.i32(known.key[1])});
    for (size_t i = 0; i < 4; ++i)
      EXPECT_EQ(uint32_t(folded.integer(words[i])), known.words[i]);
  }
}

} // namespace
