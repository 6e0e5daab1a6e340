//===- StepWordsTest.cpp - words that carry a step's number ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/StepWords.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace rung {

namespace {

constexpr uint32_t kNumber = 200;

using Bytes = std::vector<std::byte>;

void putWord(Bytes &words, size_t index, uint32_t number, uint16_t half) {
  const uint32_t word = number << 16 | half;
  std::memcpy(words.data() + 4 * index, &word, sizeof(word));
}

/// All low halves, then all high ones.
std::vector<uint16_t> halvesOf(const std::vector<uint32_t> &values) {
  std::vector<uint16_t> halves;
  for (uint32_t value : values)
    halves.push_back(uint16_t(value));
  for (uint32_t value : values)
    halves.push_back(uint16_t(value >> 16));
  return halves;
}

/// Takes not all of \p values while one word, each in turn, is an earlier
/// step's; all of them once it has come.
template <typename T>
void expectTaken(const std::vector<T> &values,
                 const std::vector<uint16_t> &halves) {
  Bytes words(4 * halves.size());
  for (size_t i = 0; i < halves.size(); ++i)
    putWord(words, i, kNumber, halves[i]);
  for (size_t late = 0; late < halves.size(); ++late) {
    std::vector<T> taken(values.size());
    auto *to = reinterpret_cast<std::byte *>(taken.data());
    StepWords step(words.data(), values.size(), sizeof(T), kNumber);
    putWord(words, late, kNumber - 1, halves[late]);
    EXPECT_FALSE(step.take(to)) << late;
    putWord(words, late, kNumber, halves[late]);
    EXPECT_TRUE(step.take(to)) << late;
    EXPECT_EQ(taken, values) << late;
  }
}

TEST(StepWordsTest, TakesElementsOf16Bits) {
  const std::vector<uint16_t> values = {1, 0xffff, 0x8000};
  expectTaken(values, values);
}

TEST(StepWordsTest, TakesElementsOf32BitsInPairsAndOneByOne) {
  for (const std::vector<uint32_t> &values :
       {std::vector<uint32_t>{0x12345678, 0xffffffff, 0, 0x80000001},
        std::vector<uint32_t>{0x12345678, 0xffffffff, 0x80000001}})
    expectTaken(values, halvesOf(values));
}

} // namespace

} // namespace rung
