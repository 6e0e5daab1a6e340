//===- FileTest.cpp - mapped and atomically written files -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"
#include "tests/unit/support/TempFolder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>

using namespace rung;
using rung::test::TempFolder;

namespace {
std::string textOf(const std::string &path) {
  auto text = readTextFile(path);
  return text.isOk() ? *text : "error: " + text.status().message();
}
} // namespace

TEST(AlignedBytes, StayInPlaceAcrossAMove) {
  AlignedBytes first(100);
  const std::byte *at = first.bytes().data();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(at) % 64, 0u);
  EXPECT_EQ(first.bytes()[99], std::byte(0));
  AlignedBytes second = std::move(first);
  EXPECT_EQ(second.bytes().data(), at);
  AlignedBytes third;
  third = std::move(second);
  EXPECT_EQ(third.bytes().data(), at);
}

TEST(MappedFile, ShowsTheBytes) {
  TempFolder folder;
  ASSERT_TRUE(writeFile(folder / "a", "abc").isOk());
  auto file = MappedFile::open(folder / "a");
  ASSERT_TRUE(file.isOk());
  MappedFile moved = std::move(file).value();
  ASSERT_EQ(moved.bytes().size(), 3u);
  EXPECT_EQ(moved.bytes()[2], std::byte('c'));
}

TEST(MappedFile, TakesAnEmptyFile) {
  TempFolder folder;
  ASSERT_TRUE(writeFile(folder / "a", "").isOk());
  auto file = MappedFile::open(folder / "a");
  ASSERT_TRUE(file.isOk());
  EXPECT_TRUE(file->bytes().empty());
}

TEST(MappedFile, NamesWhatItCannotOpen) {
  TempFolder folder;
  Status missing = MappedFile::open(folder / "b").takeStatus();
  EXPECT_EQ(missing.code(), StatusCode::NotFound);
  EXPECT_EQ(missing.message(),
            "cannot open '" + (folder / "b") + "': No such file or directory");
  Status directory = MappedFile::open(folder / "").takeStatus();
  EXPECT_EQ(directory.message(),
            "'" + (folder / "") + "' is not a regular file");
}

TEST(AtomicFile, AppearsOnlyWhenComplete) {
  TempFolder folder;
  std::string path = folder / "out";
  ASSERT_TRUE(writeFile(path, "old").isOk());
  auto file = AtomicFile::create(path);
  ASSERT_TRUE(file.isOk());
  ASSERT_TRUE(file->write("new").isOk());
  EXPECT_EQ(textOf(path), "old");
  ASSERT_TRUE(file->commit().isOk());
  EXPECT_EQ(textOf(path), "new");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  TempFolder folder;
  {
    auto file = AtomicFile::create(folder / "out");
    ASSERT_TRUE(file.isOk());
    ASSERT_TRUE(file->write("half").isOk());
    EXPECT_EQ(folder.count(), 1u);
  }
  EXPECT_EQ(folder.count(), 0u);
}

TEST(AtomicFile, ReplacesTheTargetOfALink) {
  TempFolder folder;
  ASSERT_TRUE(writeFile(folder / "target", "old").isOk());
  std::filesystem::create_symlink("target", folder / "link");
  ASSERT_TRUE(writeFile(folder / "link", "new").isOk());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(textOf(folder / "target"), "new");
}

TEST(AtomicFile, WritesToADevice) {
  EXPECT_TRUE(writeFile("/dev/null", "gone").isOk());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, NamesWhereItCannotWrite) {
  TempFolder folder;
  EXPECT_EQ(writeFile(folder / "no/such", "x").message(),
            "cannot write '" + (folder / "no/such") +
                "': No such file or directory");
  EXPECT_EQ(writeFile(folder / "", "x").message(),
            "cannot write '" + (folder / "") + "': Is a directory");
}
