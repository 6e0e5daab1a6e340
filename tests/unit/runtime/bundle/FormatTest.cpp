//===- FormatTest.cpp - the file around the metadata ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/Format.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace rung;

namespace {
std::vector<std::byte> filled(size_t size, int value) {
  return std::vector<std::byte>(size, std::byte(value));
}

/// Metadata of 100 bytes at 64, weights of 70 at 192.
std::vector<std::byte> sampleFile() {
  return joinBundle({filled(100, 1), filled(70, 2)});
}

template <typename T> std::string messageWith(size_t offset, T value) {
  std::vector<std::byte> file = sampleFile();
  std::memcpy(&file[offset], &value, sizeof(value));
  return splitBundle(file).status().message();
}
} // namespace

TEST(Format, PartsComeBack) {
  std::vector<std::byte> file = sampleFile();
  EXPECT_EQ(file.size(), 192u + 70u);
  auto parts = splitBundle(file);
  ASSERT_TRUE(parts.isOk()) << parts.status().message();
  EXPECT_EQ(parts->metadata.data(), file.data() + 64);
  EXPECT_EQ(parts->metadata.size(), 100u);
  EXPECT_EQ(parts->blob.data(), file.data() + 192);
  EXPECT_EQ(parts->blob.size(), 70u);
}

TEST(Format, TakesEmptyParts) {
  auto file = joinBundle({});
  EXPECT_EQ(file.size(), kBundleHeaderSize);
  auto parts = splitBundle(file);
  ASSERT_TRUE(parts.isOk()) << parts.status().message();
  EXPECT_TRUE(parts->metadata.empty() && parts->blob.empty());
}

TEST(Format, EveryHeaderFieldIsChecked) {
  EXPECT_EQ(messageWith(0, 'X'),
            "the file is no bundle: it does not begin with 'RUNGBNDL'");
  EXPECT_EQ(messageWith(8, uint32_t(7)),
            "bundle version 7 is not 2, the one that this program reads");
  EXPECT_EQ(messageWith(12, uint32_t(5)),
            "the metadata are damaged: their checksum is 3763876191, and the "
            "header says 5");
  EXPECT_EQ(messageWith(16, uint64_t(128)),
            "the metadata begin at 128, not at 64");
  EXPECT_EQ(messageWith(24, ~uint64_t(0)),
            "the metadata's 18446744073709551615 bytes do not fit the file of "
            "262");
  EXPECT_EQ(messageWith(24, uint64_t(129)),
            "the weights begin at 192, not at 256");
  EXPECT_EQ(messageWith(32, uint64_t(256)),
            "the weights begin at 256, not at 192");
  EXPECT_EQ(messageWith(40, uint64_t(71)),
            "the file has 262 bytes, not 192 and the weights' 71");
  EXPECT_EQ(
      messageWith(48, uint32_t(6)),
      "the weights are damaged: their checksum is 2377258632, and the header "
      "says 6");
  EXPECT_EQ(messageWith(63, char(1)), "the header's last 12 bytes are not 0");
}

TEST(Format, EveryByteBehindTheHeaderIsChecked) {
  std::vector<std::byte> file = sampleFile();
  for (size_t i = 0; i < file.size(); ++i) {
    file[i] ^= std::byte(0x10);
    EXPECT_FALSE(splitBundle(file).isOk()) << i;
    file[i] ^= std::byte(0x10);
  }
  EXPECT_TRUE(splitBundle(file).isOk());
}

TEST(Format, LengthIsExact) {
  std::vector<std::byte> file = sampleFile();
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(splitBundle(std::span(file).first(size)).isOk()) << size;
  EXPECT_EQ(splitBundle(std::span(file).first(10)).status().message(),
            "the file has 10 bytes, fewer than a bundle's header of 64");
  file.push_back(std::byte(0));
  EXPECT_EQ(splitBundle(file).status().message(),
            "the file has 263 bytes, not 192 and the weights' 70");
}
