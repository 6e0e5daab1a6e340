//===- TensorTest.cpp - dense tensors in host memory ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace rung;

namespace {
template <typename T> Tensor tensorOf(ScalarType type, std::vector<T> values) {
  Tensor tensor = Tensor::zeros(type, {values.size()});
  std::copy(values.begin(), values.end(), tensor.values<T>().begin());
  return tensor;
}
template <typename T> std::vector<T> valuesOf(const Tensor &tensor) {
  auto values = tensor.values<T>();
  return {values.begin(), values.end()};
}
} // namespace

TEST(ScalarType, NamesComeBack) {
  for (unsigned i = 0; i < kScalarTypeCount; ++i) {
    auto type = static_cast<ScalarType>(i);
    EXPECT_EQ(parseScalarType(toString(type)), type);
  }
  EXPECT_EQ(parseScalarType("f33"), std::nullopt);
}

TEST(Tensor, ZerosHasItsBytes) {
  Tensor tensor = Tensor::zeros(ScalarType::F16, {2, 3});
  EXPECT_EQ(tensor.elementCount(), 6u);
  EXPECT_EQ(tensor.data.size(), 12u);
  EXPECT_EQ(toString(tensor), "f16[2, 3]");
  EXPECT_EQ(Tensor::zeros(ScalarType::F64, {}).elementCount(), 1u);
  EXPECT_EQ(Tensor::zeros(ScalarType::F64, {4, 0}).data.size(), 0u);
}

TEST(Tensor, ConvertsFloatsToNearestEven) {
  Tensor tensor = tensorOf<double>(ScalarType::F64, {1.0, -2.5, 1 + 0x1p-11});
  Tensor half = convert(tensor, ScalarType::F16);
  EXPECT_EQ(valuesOf<uint16_t>(half),
            (std::vector<uint16_t>{0x3c00, 0xc100, 0x3c00}));
  EXPECT_EQ(toDouble(half, 1), -2.5);
  EXPECT_EQ(valuesOf<uint16_t>(convert(tensor, ScalarType::BF16)),
            (std::vector<uint16_t>{0x3f80, 0xc020, 0x3f80}));
}

TEST(Tensor, ConvertsFloatsToIntegersSaturating) {
  Tensor tensor =
      tensorOf<float>(ScalarType::F32,
                      {0.5f, 1.5f, -1.5f, 200.f, -1e30f, 1e30f, std::nanf("")});
  EXPECT_EQ(valuesOf<int8_t>(convert(tensor, ScalarType::S8)),
            (std::vector<int8_t>{0, 2, -2, 127, -128, 127, 0}));
  EXPECT_EQ(valuesOf<uint8_t>(convert(tensor, ScalarType::U8)),
            (std::vector<uint8_t>{0, 2, 0, 200, 0, 255, 0}));
  EXPECT_EQ(valuesOf<uint8_t>(convert(tensor, ScalarType::Bool)),
            (std::vector<uint8_t>{1, 1, 1, 1, 1, 1, 1}));
}

TEST(Tensor, ConvertsIntegersExactly) {
  constexpr int64_t kLarge = (int64_t(1) << 53) + 1;
  Tensor tensor = tensorOf<int64_t>(
      ScalarType::I64, {kLarge, -70000, std::numeric_limits<int64_t>::min()});
  EXPECT_EQ(valuesOf<int64_t>(convert(tensor, ScalarType::I64))[0], kLarge);
  EXPECT_EQ(valuesOf<int16_t>(convert(tensor, ScalarType::I16)),
            (std::vector<int16_t>{32767, -32768, -32768}));
  EXPECT_EQ(valuesOf<int32_t>(convert(tensor, ScalarType::I32)),
            (std::vector<int32_t>{2147483647, -70000, -2147483647 - 1}));
}
