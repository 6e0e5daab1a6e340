//===- Philox.cpp - counter-based random bits -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Philox.h"

#include "passes/lowering/I32Builder.h"

using namespace mlir;

namespace rung {

namespace {

constexpr int kRounds = 10;
constexpr uint32_t kMultipliers[] = {0xD2511F53, 0xCD9E8D57};
// The golden ratio and the root of 3, minus 1.
constexpr uint32_t kKeySteps[] = {0x9E3779B9, 0xBB67AE85};

} // namespace

std::array<Value, 4> emitPhilox(ImplicitLocOpBuilder &b,
                                std::array<Value, 4> counter,
                                std::array<Value, 2> key) {
  I32Builder i(b);
  for (int round = 0; round < kRounds; ++round) {
    if (round > 0)
      for (size_t word = 0; word < 2; ++word)
        key[word] = i.add(key[word], int64_t(kKeySteps[word]));
    auto [low0, high0] =
        i.multiplyUnsigned(counter[0], i.constant(kMultipliers[0]));
    auto [low1, high1] =
        i.multiplyUnsigned(counter[2], i.constant(kMultipliers[1]));
    counter = {i.bitXor(i.bitXor(high1, counter[1]), key[0]), low1,
               i.bitXor(i.bitXor(high0, counter[3]), key[1]), low0};
  }
  return counter;
}

} // namespace rung
