//===- LayoutTest.cpp - laws of the layouts -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/tiling/Layout.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace rung::tiling {
namespace {

class LinearSpreadLaws
    : public testing::TestWithParam<std::tuple<int, int, int>> {
protected:
  LinearSpread spread() const {
    auto [rows, columns, owners] = GetParam();
    return LinearSpread(rows, columns, owners);
  }
};

TEST_P(LinearSpreadLaws, GivesEveryElementToExactlyOneOwner) {
  LinearSpread s = spread();
  std::set<std::pair<int64_t, int64_t>> seen;
  for (int64_t owner = 0; owner < s.owners(); ++owner)
    for (int64_t e = 0; e < s.perOwner(); ++e) {
      if (s.flat(owner, e) >= s.size())
        continue;
      Position p = s.position(owner, e);
      EXPECT_LT(p.row, s.rows());
      EXPECT_LT(p.column, s.columns());
      EXPECT_TRUE(seen.insert({p.row, p.column}).second);
    }
  EXPECT_EQ(static_cast<int64_t>(seen.size()), s.size());
}

TEST_P(LinearSpreadLaws, IsFullExactlyWhereEveryOwnerHasTheElement) {
  LinearSpread s = spread();
  for (int64_t e = 0; e < s.perOwner(); ++e)
    EXPECT_EQ(s.isFull(e), s.flat(s.owners() - 1, e) < s.size());
  EXPECT_EQ(s.isEven(), s.isFull(s.perOwner() - 1));
}

class SeparableSpreadLaws : public LinearSpreadLaws {};

TEST_P(SeparableSpreadLaws, SumsItsParts) {
  LinearSpread s = spread();
  ASSERT_TRUE(s.isSeparable());
  for (int64_t owner = 0; owner < s.owners(); ++owner)
    for (int64_t e = 0; e < s.perOwner(); ++e) {
      Position a = s.ownerPart(owner), b = s.elementPart(e);
      EXPECT_EQ(s.position(owner, e),
                (Position{a.row + b.row, a.column + b.column}));
    }
}

const auto kSeparable = testing::Values(
    std::tuple(16, 16, 32), std::tuple(16, 64, 128), std::tuple(8, 8, 8),
    std::tuple(16, 16, 8), std::tuple(1, 1, 64), std::tuple(4, 4, 64),
    std::tuple(16, 8, 32));
INSTANTIATE_TEST_SUITE_P(Separable, LinearSpreadLaws, kSeparable);
INSTANTIATE_TEST_SUITE_P(Separable, SeparableSpreadLaws, kSeparable);
INSTANTIATE_TEST_SUITE_P(Other, LinearSpreadLaws,
                         testing::Values(std::tuple(16, 48, 32),
                                         std::tuple(3, 5, 7),
                                         std::tuple(1, 20, 64)));

TEST(LinearSpread, KnowsWhenItsPartsAreSeparable) {
  EXPECT_TRUE(LinearSpread(16, 16, 32).isSeparable());
  EXPECT_TRUE(LinearSpread(16, 64, 32).isSeparable());
  EXPECT_FALSE(LinearSpread(16, 48, 32).isSeparable());
}

TEST(BlockSpread, IsABijectionOfColumnBlocks) {
  BlockSpread s(12, 4);
  EXPECT_EQ(s.perSubgroup(), 3);
  std::vector<int> count(12);
  for (int64_t subgroup = 0; subgroup < 4; ++subgroup)
    for (int64_t local = 0; local < s.perSubgroup(); ++local) {
      int64_t block = s.columnBlock(subgroup, local);
      EXPECT_EQ(s.subgroupOf(block), subgroup);
      EXPECT_EQ(s.localOf(block), local);
      ++count[block];
    }
  EXPECT_EQ(count, std::vector<int>(12, 1));
}

} // namespace
} // namespace rung::tiling
