//===- NpyTest.cpp - NumPy's .npy files -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Npy.h"
#include "tests/unit/support/Mutate.h"
#include "tests/unit/support/TempFolder.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace rung;

namespace {
std::vector<std::byte> bytesOf(std::string_view text) {
  auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

/// A file of that version, header and data.
std::vector<std::byte> npy(int major, std::string header,
                           std::string_view data) {
  std::string text = "\x93NUMPY";
  text +=
      {char(major), '\0', char(header.size() & 0xff), char(header.size() >> 8)};
  if (major > 1)
    text += {'\0', '\0'};
  return bytesOf(text + header + std::string(data));
}

std::string messageOf(std::span<const std::byte> bytes) {
  return parseNpy(bytes).status().message();
}
std::string messageOf(std::string header, std::string_view data = "") {
  return messageOf(npy(1, std::move(header), data));
}

template <typename T> std::vector<T> valuesOf(const Tensor &tensor) {
  auto values = tensor.values<T>();
  return {values.begin(), values.end()};
}

using namespace std::string_view_literals;
constexpr auto kSixBytes = "\1\2\3\4\5\6"sv;
} // namespace

TEST(Npy, ReadsAllVersions) {
  for (int major : {1, 2, 3}) {
    auto tensor = parseNpy(npy(major,
                               "{'descr': '|u1', 'fortran_order': False, "
                               "'shape': (2, 3), }   \n",
                               kSixBytes));
    ASSERT_TRUE(tensor.isOk()) << tensor.status().message();
    EXPECT_EQ(tensor->type, ScalarType::U8);
    EXPECT_EQ(tensor->shape, (std::vector<uint64_t>{2, 3}));
    EXPECT_EQ(valuesOf<uint8_t>(*tensor),
              (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
  }
}

TEST(Npy, TransposesFortranOrder) {
  auto tensor = parseNpy(npy(1,
                             "{'descr': '|i1', 'fortran_order': True, "
                             "'shape': (2, 3)}\n",
                             "\1\4\2\5\3\6"));
  ASSERT_TRUE(tensor.isOk()) << tensor.status().message();
  EXPECT_EQ(valuesOf<int8_t>(*tensor), (std::vector<int8_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, TransposesThreeAxes) {
  // Element (i, j, k) of shape 2x2x2 is 100 i + 10 j + k.
  std::string data;
  for (int k : {0, 1})
    for (int j : {0, 1})
      for (int i : {0, 1})
        data += char(100 * i + 10 * j + k);
  auto tensor = parseNpy(
      npy(1, "{'descr':'|u1','fortran_order':True,'shape':(2,2,2)}", data));
  ASSERT_TRUE(tensor.isOk()) << tensor.status().message();
  EXPECT_EQ(valuesOf<uint8_t>(*tensor),
            (std::vector<uint8_t>{0, 1, 10, 11, 100, 101, 110, 111}));
}

TEST(Npy, SwapsBigEndian) {
  auto tensor = parseNpy(npy(1,
                             "{'descr': '>i2', 'fortran_order': False, "
                             "'shape': (2,)}",
                             "\1\2\xff\xfe"));
  ASSERT_TRUE(tensor.isOk()) << tensor.status().message();
  EXPECT_EQ(valuesOf<int16_t>(*tensor), (std::vector<int16_t>{258, -2}));
}

TEST(Npy, EveryTypeComesBack) {
  for (auto type : {ScalarType::F32, ScalarType::F16, ScalarType::F64,
                    ScalarType::I32, ScalarType::I16, ScalarType::S8,
                    ScalarType::U8, ScalarType::I64, ScalarType::Bool}) {
    for (std::vector<uint64_t> shape :
         {std::vector<uint64_t>{}, {3}, {2, 0}, {2, 1, 3}}) {
      Tensor tensor = Tensor::zeros(type, shape);
      for (size_t i = 0; i < tensor.data.size(); ++i)
        tensor.data[i] = std::byte(i + 1);
      auto back = parseNpy(serializeNpy(tensor));
      ASSERT_TRUE(back.isOk()) << back.status().message();
      EXPECT_EQ(back->type, type);
      EXPECT_EQ(back->shape, shape);
      EXPECT_EQ(back->data, tensor.data);
    }
  }
}

TEST(Npy, WritesAsNumpyDoes) {
  Tensor tensor = Tensor::zeros(ScalarType::F32, {5});
  std::vector<std::byte> file = serializeNpy(tensor);
  ASSERT_EQ(file.size(), 128u + 20u);
  std::string_view text(reinterpret_cast<const char *>(file.data()), 128);
  EXPECT_EQ(text.substr(0, 10), "\x93NUMPY\x01\x00\x76\x00"sv);
  EXPECT_EQ(text.substr(10, 60),
            "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }   ");
  EXPECT_EQ(text.back(), '\n');
}

TEST(Npy, WritesBFloat16AsFloat) {
  Tensor tensor = Tensor::zeros(ScalarType::BF16, {1});
  tensor.values<uint16_t>()[0] = 0x3fc0;
  auto back = parseNpy(serializeNpy(tensor));
  ASSERT_TRUE(back.isOk());
  EXPECT_EQ(back->type, ScalarType::F32);
  EXPECT_EQ(back->values<float>()[0], 1.5f);
}

TEST(Npy, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(messageOf(bytesOf("not an array")),
            "the file is not .npy: it does not begin with \\x93NUMPY");
  EXPECT_EQ(messageOf(npy(4, "{}", "")),
            ".npy version 4.0 is none of 1.0, 2.0 and 3.0");
  EXPECT_EQ(messageOf("{'descr': '<c8', 'fortran_order': False, 'shape': ()}"),
            "type '<c8' is none of f2 f4 f8 i1 u1 i2 i4 i8 b1");
  EXPECT_EQ(messageOf("{'descr': [('a', '<f4')], 'shape': ()}"),
            "the array has a structured type; plain numbers are read");
  EXPECT_EQ(messageOf("{'descr': '<f4', 'shape': ()}"),
            "the .npy header has no key 'fortran_order'");
  EXPECT_EQ(messageOf("{'shape': (), 'shape': ()}"),
            "the .npy header has key 'shape' twice");
  EXPECT_EQ(messageOf("{'dims': ()}"),
            "the .npy header has an unknown key 'dims'");
  EXPECT_EQ(messageOf("{'shape': (-1,)}"),
            "the .npy header has '-1,)}' where a size is due");
  EXPECT_EQ(messageOf("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
                      kSixBytes),
            "shape (2) of f32 needs 8 bytes of data, and the file has 6");
  EXPECT_EQ(messageOf("{'descr': '<f8', 'fortran_order': False, "
                      "'shape': (4294967296, 4294967296)}"),
            "shape (4294967296, 4294967296) exceeds 64 bits of bytes");
  auto cut = npy(1, "{'descr': '<f4'}", "");
  cut.resize(cut.size() - 3);
  EXPECT_EQ(messageOf(cut), "the .npy header has 16 bytes, and only 13 follow");
}

TEST(Npy, FilesAppearComplete) {
  test::TempFolder folder;
  Tensor tensor = Tensor::zeros(ScalarType::I32, {2});
  tensor.values<int32_t>()[1] = 7;
  ASSERT_TRUE(writeNpy(folder / "a.npy", tensor).isOk());
  auto back = readNpy(folder / "a.npy");
  ASSERT_TRUE(back.isOk()) << back.status().message();
  EXPECT_EQ(valuesOf<int32_t>(*back), (std::vector<int32_t>{0, 7}));
  EXPECT_EQ(folder.count(), 1u);
}

TEST(Npy, SurvivesDamage) {
  std::vector<std::byte> file =
      serializeNpy(Tensor::zeros(ScalarType::F32, {4, 8}));
  test::Mutator mutator(/*seed=*/2);
  unsigned errors = 0;
  for (int i = 0; i < 2000; ++i) {
    auto tensor = parseNpy(mutator.bytes(file));
    errors += !tensor.isOk();
    if (tensor.isOk()) {
      EXPECT_EQ(tensor->data.size(),
                tensor->elementCount() * byteSize(tensor->type));
    }
  }
  EXPECT_GT(errors, 500u);
}
