//===- TextTest.cpp - small helpers for messages --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

using namespace rung;

TEST(Text, ConcatPrintsSmallIntegersAsNumbers) {
  enum class Color : uint8_t { Red, Green };
  EXPECT_EQ(concat("a", int8_t(-3), uint8_t(65), 'x', Color::Green, 1.5),
            "a-365x11.5");
}

TEST(Text, QuoteKeepsOnOneLine) {
  EXPECT_EQ(quote("plain ä"), "'plain ä'");
  EXPECT_EQ(quote(std::string_view("a\n\0b", 4)), "'a\\x0a\\x00b'");
  EXPECT_EQ(quote("\xff\xc3"), "'\\xff\\xc3'");
}

TEST(Text, QuoteCutsLongText) {
  std::string text = quote(std::string(200, 'x'));
  EXPECT_EQ(text, "'" + std::string(80, 'x') + "…'");
  EXPECT_EQ(quotePath(std::string(200, 'x') + "\n"),
            "'" + std::string(200, 'x') + "\\x0a'");
}

TEST(Text, JoinedSeparatesByCommas) {
  EXPECT_EQ(joined(std::vector<uint8_t>{1, 2, 3}), "1, 2, 3");
  EXPECT_EQ(joined(std::vector<int>{}), "");
}

TEST(Text, RefusesWhatIsNoUtf8) {
  EXPECT_TRUE(isUtf8("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\x88"));
  EXPECT_EQ(validUtf8Prefix("ab\xc3"), 2u);           // Cut off.
  EXPECT_EQ(validUtf8Prefix("a\xc0\x80"), 1u);        // Overlong.
  EXPECT_EQ(validUtf8Prefix("\xe0\x80\x80"), 0u);     // Overlong.
  EXPECT_EQ(validUtf8Prefix("\xed\xa0\x80"), 0u);     // A surrogate.
  EXPECT_EQ(validUtf8Prefix("\xf4\x90\x80\x80"), 0u); // Beyond 10ffff.
  EXPECT_EQ(validUtf8Prefix("\x80"), 0u);             // No beginning.
}
