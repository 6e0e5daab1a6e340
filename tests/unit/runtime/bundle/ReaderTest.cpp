//===- ReaderTest.cpp - bundles to files and back -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/Reader.h"
#include "tests/unit/support/SampleBundle.h"
#include "tests/unit/support/TempFolder.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace rung;
using test::SampleBundle;

namespace {
/// What a user of the reader sees of the sample.
void expectSample(const BundleReader &reader) {
  const fb::Bundle &root = reader.root();
  EXPECT_EQ(root.name()->string_view(), "sample");
  EXPECT_EQ(reader.findFunction("encode"), 0u);
  EXPECT_EQ(reader.findFunction("step"), 1u);
  EXPECT_EQ(reader.findFunction("steps"), std::nullopt);
  const fb::Asset *letters = reader.findAsset("letters");
  ASSERT_NE(letters, nullptr);
  EXPECT_EQ(letters->bytes()->size(), 16u);
  EXPECT_EQ(reader.findAsset("phonemes"), nullptr);
  EXPECT_EQ(reader.weights().size(), 512u);
  std::span<const std::byte> bytes = reader.weightBytes(2);
  ASSERT_EQ(bytes.size(), 192u);
  float value;
  std::memcpy(&value, bytes.data() + 4, sizeof(value));
  EXPECT_EQ(value, 1.5f);
}
} // namespace

TEST(BundleReader, OpensWhatTheWriterWrote) {
  test::TempFolder folder;
  SampleBundle sample;
  Status written =
      writeBundle(folder / "a.rung", sample.bundle, sample.blob.bytes());
  ASSERT_TRUE(written.isOk()) << written.message();
  auto reader = BundleReader::open(folder / "a.rung");
  ASSERT_TRUE(reader.isOk()) << reader.status().message();
  expectSample(*reader);
  EXPECT_EQ(folder.count(), 1u);
}

TEST(BundleReader, ReadsFromUnalignedMemory) {
  std::vector<std::byte> file = SampleBundle().file();
  file.insert(file.begin(), std::byte(0));
  auto reader = BundleReader::fromBytes(std::span(file).subspan(1));
  ASSERT_TRUE(reader.isOk()) << reader.status().message();
  file.assign(file.size(), std::byte(0xff)); // The reader has its own copy.
  expectSample(*reader);
}

TEST(BundleReader, SurvivesAMove) {
  auto reader = BundleReader::fromBytes(SampleBundle().file());
  ASSERT_TRUE(reader.isOk());
  BundleReader first = std::move(reader).value();
  BundleReader second = std::move(first);
  expectSample(second);
}

TEST(BundleReader, FindsWeightsAtAlignedAddresses) {
  auto reader = BundleReader::fromBytes(SampleBundle().file());
  ASSERT_TRUE(reader.isOk());
  for (uint32_t i = 0; i < reader->root().weights()->size(); ++i) {
    auto address = reinterpret_cast<uintptr_t>(reader->weightBytes(i).data());
    EXPECT_EQ(address % kBlobAlignment, 0u) << i;
  }
}

TEST(BundleReader, NamesTheFileThatFails) {
  test::TempFolder folder;
  EXPECT_EQ(BundleReader::open(folder / "a.rung").status().message(),
            "cannot open '" + (folder / "a.rung") +
                "': No such file or directory\n  while opening bundle '" +
                (folder / "a.rung") + "'");
  ASSERT_TRUE(writeFile(folder / "a.rung", "").isOk());
  EXPECT_EQ(BundleReader::open(folder / "a.rung").status().message(),
            "the file has 0 bytes, fewer than a bundle's header of 64\n"
            "  while opening bundle '" +
                (folder / "a.rung") + "'");
}

TEST(BundleReader, RefusesMetadataThatAreNoFlatBuffer) {
  auto message = [](std::string_view metadata) {
    auto bytes = std::as_bytes(std::span(metadata.data(), metadata.size()));
    return BundleReader::fromBytes(joinBundle({bytes, {}})).status().message();
  };
  EXPECT_EQ(message(""), "the metadata do not carry the identifier 'RUNG'\n"
                         "  while reading a bundle in memory");
  EXPECT_EQ(message(std::string_view("\xff\xff\xff\x7fRUNGxxxxxxxx", 16)),
            "the metadata are no well-formed FlatBuffer: an offset or a size "
            "in them leads out of their 16 bytes, or a required field is "
            "missing\n  while reading a bundle in memory");
}

TEST(BundleWriter, SameBundleGivesSameBytes) {
  std::vector<std::byte> first = SampleBundle().file();
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, SampleBundle().file());
}

TEST(BundleWriter, UnpackedBundleGivesSameBytes) {
  std::vector<std::byte> file = SampleBundle().file();
  auto reader = BundleReader::fromBytes(file);
  ASSERT_TRUE(reader.isOk());
  fb::BundleT copy;
  reader->root().UnPackTo(&copy);
  auto again = serializeBundle(copy, reader->weights());
  ASSERT_TRUE(again.isOk()) << again.status().message();
  EXPECT_EQ(*again, file);
}

TEST(BundleWriter, WritesNothingInvalid) {
  test::TempFolder folder;
  SampleBundle sample;
  sample.bundle.functions[0]->name.clear();
  Status status =
      writeBundle(folder / "a.rung", sample.bundle, sample.blob.bytes());
  EXPECT_EQ(status.code(), StatusCode::InvalidData);
  EXPECT_EQ(status.message(),
            "the name is empty\n  while verifying function 0 ''\n"
            "  while checking the bundle to write");
  EXPECT_EQ(folder.count(), 0u);
}

TEST(BlobBuilder, AlignsEntries) {
  BlobBuilder blob;
  std::vector<std::byte> bytes(70, std::byte(1));
  EXPECT_EQ(blob.append(bytes), 0u);
  EXPECT_EQ(blob.append(bytes), 128u);
  EXPECT_EQ(blob.append(std::span<const std::byte>()), 256u);
  EXPECT_EQ(blob.bytes().size(), 256u);
  EXPECT_EQ(blob.bytes()[100], std::byte(0));
}
