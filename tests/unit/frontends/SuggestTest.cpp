//===- SuggestTest.cpp - the name that was probably meant -----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/Suggest.h"

#include <gtest/gtest.h>

namespace rung {
namespace {

TEST(SuggestTest, CountsEdits) {
  EXPECT_EQ(editDistance("hidden", "hidden", 3), 0u);
  EXPECT_EQ(editDistance("hiden", "hidden", 3), 1u);
  EXPECT_EQ(editDistance("hdiden", "hidden", 3), 1u); // neighbours swapped
  EXPECT_EQ(editDistance("kitten", "sitting", 3), 3u);
  EXPECT_EQ(editDistance("", "ab", 3), 2u);
}

TEST(SuggestTest, StopsAtTheLimit) {
  EXPECT_EQ(editDistance("abcdef", "uvwxyz", 2), 3u);
  EXPECT_EQ(editDistance("a", "abcdefgh", 2), 3u);
}

TEST(SuggestTest, FindsTheNearestOnly) {
  EXPECT_EQ(closestName("layer", {"name", "layers", "heads"}), "layers");
  EXPECT_EQ(closestName("quux", {"name", "layers", "heads"}), "");
  EXPECT_EQ(closestName("weight_hh_l1", {"weight_ih_l0", "weight_hh_l0"}),
            "weight_hh_l0");
  EXPECT_EQ(closestName("x", {}), "");
}

TEST(SuggestTest, NeverOffersAWhollyDifferentName) {
  EXPECT_EQ(closestName("a", {"b"}), "");
  std::string huge(1 << 20, 'a');
  EXPECT_EQ(closestName(huge, {huge}), "");
}

TEST(SuggestTest, WritesLists) {
  EXPECT_EQ(quotedList({"a"}), "'a'");
  EXPECT_EQ(quotedList({"a", "b", "c"}), "'a', 'b' and 'c'");
  EXPECT_EQ(didYouMean("inputt", {"input"}), "; did you mean 'input'?");
  EXPECT_EQ(didYouMean("zzz", {"input"}), "");
}

} // namespace
} // namespace rung
