//===- HeldOutChatsTest.cpp - chats that a model has not seen -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/HeldOutChats.h"

#include "runtime/base/Npy.h"
#include "tests/unit/support/TempFolder.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace rung;
using namespace rung::tools;
using namespace rung::test;

namespace {

Tensor integers(std::vector<uint64_t> shape, std::vector<int32_t> values) {
  Tensor tensor = Tensor::zeros(ScalarType::I32, std::move(shape));
  std::copy(values.begin(), values.end(), tensor.values<int32_t>().begin());
  return tensor;
}

/// Two chats of 4 and 3 tokens.
NamedTensors sample() {
  return {{"ids", integers({4, 2}, {9, 9, 1, 2, 3, 4, 5, 0})},
          {"lengths", integers({2}, {4, 3})},
          {"answers", integers({2, 3}, {0, 2, 4, 1, 1, 3})},
          {"bits", integers({1}, {7})}};
}

Result<HeldOutChats> read(const NamedTensors &members) {
  TempFolder folder;
  EXPECT_TRUE(writeNpz(folder / "chats.npz", members).isOk());
  return HeldOutChats::read(folder / "chats.npz");
}

std::string errorOf(const NamedTensors &members) {
  auto chats = read(members);
  std::string message = chats.isOk() ? "" : chats.status().message();
  return message.substr(0, message.find('\n'));
}

TEST(HeldOutChats, AreReadAndSortedByTheirAnswers) {
  auto chats = read(sample());
  ASSERT_TRUE(chats.isOk()) << chats.status().message();
  EXPECT_EQ(chats->steps, 4u);
  EXPECT_EQ(chats->rows, 2u);
  EXPECT_EQ(chats->id(1, 1), 2);
  EXPECT_EQ(chats->characters(), 5u);
  ASSERT_EQ(chats->answers.size(), 2u);
  EXPECT_EQ(chats->answers[0].row, 1u);
  EXPECT_EQ(chats->answers[1].end, 4u);
  EXPECT_EQ(chats->bits, 7);
}

TEST(HeldOutChats, SayWhatIsWrong) {
  NamedTensors members = sample();
  members.pop_back();
  EXPECT_EQ(errorOf(members), "archive has no array 'bits'");
  members = sample();
  members[1].second = integers({2}, {4, 5});
  EXPECT_EQ(errorOf(members), "length 5 of row 1 is not from 2 to 4");
  members = sample();
  members[2].second = integers({1, 3}, {2, 1, 2});
  EXPECT_EQ(errorOf(members), "an answer is in row 2 of 2");
  members[2].second = integers({1, 3}, {1, 1, 4});
  EXPECT_EQ(errorOf(members),
            "an answer reaches from 1 to 4 in row 1, which has 3 tokens");
  members[2].second = integers({3}, {1, 1, 2});
  EXPECT_EQ(errorOf(members), "array 'answers' is i32[3] and not of rank 2");
  members = sample();
  members[1].second = integers({1}, {4});
  EXPECT_EQ(errorOf(members),
            "arrays are ids i32[4, 2], lengths i32[1], answers i32[2, 3] and "
            "bits i32[1]; [T, B], [B], [N, 3] and [1], with T and B more than "
            "0, are needed");
}

} // namespace
