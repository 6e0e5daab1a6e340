//===- BlockStructureTest.cpp - diagonal blocks of a matrix ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/BlockStructure.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

using namespace rung::numerics;

namespace {

// Two blocks of 2, and a 3 in the first row of the upper right one.
const std::vector<float> kMatrix = {1, 2, 0, 3, //
                                    0, 1, 0, 0, //
                                    0, 0, 4, 0, //
                                    0, 0, 5, 1};

TEST(BlockStructure, EnergyIsOfSquares) {
  BlockEnergy one = blockEnergy(kMatrix, 4, 1);
  EXPECT_EQ(one.total, 1 + 4 + 9 + 1 + 16 + 25 + 1);
  EXPECT_EQ(one.outside, 0);
  EXPECT_EQ(one.share(), 0);
  BlockEnergy two = blockEnergy(kMatrix, 4, 2);
  EXPECT_EQ(two.total, 57);
  EXPECT_EQ(two.outside, 9);
  BlockEnergy four = blockEnergy(kMatrix, 4, 4);
  EXPECT_EQ(four.outside, 4 + 9 + 25);
  two += four;
  EXPECT_DOUBLE_EQ(two.share(), 47.0 / 114);
}

TEST(BlockStructure, ZerosHaveNoShare) {
  std::vector<float> zeros(9, 0.0f);
  EXPECT_EQ(blockEnergy(zeros, 3, 3).share(), 0);
  EXPECT_TRUE(isBlockDiagonal(zeros, 3, 3));
}

TEST(BlockStructure, OneElementBreaksIt) {
  EXPECT_TRUE(isBlockDiagonal(kMatrix, 4, 1));
  EXPECT_FALSE(isBlockDiagonal(kMatrix, 4, 2));
  std::vector<float> split = kMatrix;
  split[3] = -0.0f; // Zero, whatever its sign.
  EXPECT_TRUE(isBlockDiagonal(split, 4, 2));
  EXPECT_FALSE(isBlockDiagonal(split, 4, 4));
  split[8] = std::numeric_limits<float>::denorm_min();
  EXPECT_FALSE(isBlockDiagonal(split, 4, 2));
  split[8] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(isBlockDiagonal(split, 4, 2));
}

} // namespace
