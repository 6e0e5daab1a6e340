//===- NpzTest.cpp - NumPy's .npz files -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"
#include "runtime/base/Npy.h"
#include "runtime/base/Zip.h"
#include "tests/unit/support/Mutate.h"
#include "tests/unit/support/TempFolder.h"

#include <gtest/gtest.h>

using namespace rung;

namespace {
std::string dataFile(const std::string &name) {
  return std::string(RUNG_SOURCE_DIR "/tests/unit/runtime/base/data/") + name;
}

NamedTensors sample() {
  NamedTensors tensors;
  tensors.emplace_back("x", Tensor::zeros(ScalarType::F32, {50, 3}));
  tensors.emplace_back("ids", Tensor::zeros(ScalarType::I32, {2}));
  for (int i = 0; i < 150; ++i)
    tensors[0].second.values<float>()[i] = float(i % 7);
  tensors[1].second.values<int32_t>()[1] = -5;
  return tensors;
}

void expectSample(const Result<NamedTensors> &tensors) {
  ASSERT_TRUE(tensors.isOk()) << tensors.status().message();
  NamedTensors expected = sample();
  ASSERT_EQ(tensors->size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ((*tensors)[i].first, expected[i].first);
    EXPECT_EQ((*tensors)[i].second.shape, expected[i].second.shape);
    EXPECT_EQ((*tensors)[i].second.data, expected[i].second.data);
  }
}

std::vector<std::byte> fileOf(const std::string &path) {
  auto text = readTextFile(path);
  EXPECT_TRUE(text.isOk());
  auto bytes = std::as_bytes(std::span(text->data(), text->size()));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> zipOf(std::string_view name, std::string_view data) {
  ZipWriter zip;
  EXPECT_TRUE(
      zip.add(name, std::as_bytes(std::span(data.data(), data.size())), false)
          .isOk());
  return std::move(zip.finish()).value();
}
} // namespace

TEST(Npz, StoredComesBack) {
  test::TempFolder folder;
  ASSERT_TRUE(writeNpz(folder / "a.npz", sample()).isOk());
  expectSample(readNpz(folder / "a.npz"));
}

TEST(Npz, DeflatedComesBackSmaller) {
  test::TempFolder folder;
  ASSERT_TRUE(writeNpz(folder / "a.npz", sample()).isOk());
  ASSERT_TRUE(writeNpz(folder / "b.npz", sample(), /*compress=*/true).isOk());
  expectSample(readNpz(folder / "b.npz"));
  EXPECT_LT(fileOf(folder / "b.npz").size(), fileOf(folder / "a.npz").size());
}

TEST(Npz, SameTensorsGiveSameBytes) {
  test::TempFolder folder;
  ASSERT_TRUE(writeNpz(folder / "a.npz", sample(), /*compress=*/true).isOk());
  ASSERT_TRUE(writeNpz(folder / "b.npz", sample(), /*compress=*/true).isOk());
  EXPECT_EQ(fileOf(folder / "a.npz"), fileOf(folder / "b.npz"));
}

TEST(Npz, ReadsWhatNumpySaves) {
  expectSample(readNpz(dataFile("numpy_savez.npz")));
  expectSample(readNpz(dataFile("numpy_savez_compressed.npz")));
}

TEST(Npz, ReadsZip64) { expectSample(readNpz(dataFile("zip64.npz"))); }

TEST(Npz, HoldsNothing) {
  test::TempFolder folder;
  ASSERT_TRUE(writeNpz(folder / "a.npz", {}).isOk());
  auto tensors = readNpz(folder / "a.npz");
  ASSERT_TRUE(tensors.isOk());
  EXPECT_TRUE(tensors->empty());
}

TEST(Npz, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(parseNpz({}).status().message(),
            "the file is not a complete zip archive: it has no end record");
  EXPECT_EQ(parseNpz(zipOf("a.txt", "x")).status().message(),
            "the member's name does not end in .npy\n"
            "  while reading member 'a.txt'");
  EXPECT_EQ(parseNpz(zipOf("a.npy", "x")).status().message(),
            "the file is not .npy: it does not begin with \\x93NUMPY\n"
            "  while reading member 'a.npy'");
  std::vector<std::byte> damaged = zipOf("a.npy", "data");
  damaged[30 + 5] ^= std::byte(1); // The first byte of the data.
  EXPECT_NE(parseNpz(damaged).status().message().find(
                "and the archive says 2918445923"),
            std::string::npos)
      << parseNpz(damaged).status().message();
}

TEST(Npz, RefusesAMemberTwice) {
  test::TempFolder folder;
  NamedTensors tensors = sample();
  tensors.push_back(tensors[0]);
  ASSERT_TRUE(writeNpz(folder / "a.npz", tensors).isOk());
  EXPECT_EQ(readNpz(folder / "a.npz").status().message(),
            "member 'x.npy' occurs twice\n  while reading '" +
                (folder / "a.npz") + "'");
}

TEST(Npz, DoesNotBelieveAGiganticSize) {
  std::vector<std::byte> file = fileOf(dataFile("numpy_savez_compressed.npz"));
  std::string_view text(reinterpret_cast<const char *>(file.data()),
                        file.size());
  size_t entry = text.find("PK\x01\x02");
  ASSERT_NE(entry, std::string_view::npos);
  for (int i = 0; i < 4; ++i) // Claims 0xfffffffe bytes.
    file[entry + 24 + i] = std::byte(i == 0 ? 0xfe : 0xff);
  EXPECT_NE(parseNpz(file).status().message().find(
                "its size of 4294967294 bytes does not fit"),
            std::string::npos)
      << parseNpz(file).status().message();
}

TEST(Npz, SurvivesDamage) {
  test::Mutator mutator(/*seed=*/3);
  for (const char *name :
       {"numpy_savez.npz", "numpy_savez_compressed.npz", "zip64.npz"}) {
    std::vector<std::byte> file = fileOf(dataFile(name));
    unsigned errors = 0;
    for (int i = 0; i < 1000; ++i) {
      auto tensors = parseNpz(mutator.bytes(file));
      errors += !tensors.isOk();
      EXPECT_EQ(tensors.isOk(), tensors.status().message().empty());
    }
    EXPECT_GT(errors, 500u) << name;
  }
}
