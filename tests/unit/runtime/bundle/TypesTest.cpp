//===- TypesTest.cpp - sizes with symbols ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/Types.h"
#include "tests/unit/support/SampleBundle.h"

#include <gtest/gtest.h>

using namespace rung;

namespace {
/// A table on its own, packed.
template <typename Table> class Packed {
public:
  explicit Packed(const typename Table::NativeTableType &object) {
    builder_.Finish(Table::Pack(builder_, &object));
  }
  const Table &operator*() const {
    return *flatbuffers::GetRoot<Table>(builder_.GetBufferPointer());
  }

private:
  flatbuffers::FlatBufferBuilder builder_;
};

Packed<fb::TensorType> typeOf(ScalarType element, std::vector<int32_t> dims) {
  return Packed<fb::TensorType>(*test::tensorType(element, std::move(dims)));
}
Packed<fb::Extent> extentOf(std::vector<fb::Factor> factors) {
  return Packed<fb::Extent>(*test::extent(std::move(factors)));
}
} // namespace

TEST(Types, PrintAsPeopleWriteThem) {
  EXPECT_EQ(toString(*typeOf(ScalarType::F32, {kDimT, kDimB, 256})),
            "f32[T, B, 256]");
  EXPECT_EQ(toString(*typeOf(ScalarType::S8, {})), "s8[]");
}

TEST(Types, EnumsAgreeWithTheRuntime) {
  for (auto feature : fb::EnumValuesFeature())
    EXPECT_EQ(toString(toFeature(feature)), fb::EnumNameFeature(feature));
  for (auto type : fb::EnumValuesScalarType()) {
    std::string name = fb::EnumNameScalarType(type);
    for (char &c : name)
      c = static_cast<char>(std::tolower(c));
    EXPECT_EQ(toString(toScalarType(type)), name);
  }
}

TEST(Types, ElementCountTakesTAndB) {
  auto type = typeOf(ScalarType::F16, {kDimT, kDimB, 3});
  EXPECT_EQ(*elementCount(*type, 5, 7), 105u);
  EXPECT_EQ(*elementCount(*type, 0, 7), 0u);
  EXPECT_EQ(elementCount(*type, uint64_t(1) << 62, 1).status().message(),
            "a tensor of type f16[T, B, 3] exceeds 64 bits of bytes for T = "
            "4611686018427387904, B = 1");
}

TEST(Types, ExtentIsAProductOfRoundedFactors) {
  auto extent = extentOf(
      {fb::Factor(16, 4, fb::Symbol::T), fb::Factor(1, 2, fb::Symbol::B),
       fb::Factor(8, 1, fb::Symbol::TB), fb::Factor(3, 1, fb::Symbol::One)});
  // ceil(17/16)*4 * 3*2 * ceil(51/8) * ceil(1/3)
  EXPECT_EQ(*evaluate(*extent, 17, 3), 8u * 6 * 7 * 1);
  EXPECT_EQ(*evaluate(*extent, 0, 3), 0u);
  EXPECT_EQ(*evaluate(*extentOf({}), 9, 9), 1u);
}

TEST(Types, ExtentRefusesOverflow) {
  auto large = extentOf({fb::Factor(1, uint64_t(1) << 40, fb::Symbol::T)});
  EXPECT_EQ(*evaluate(*large, 4, 1), uint64_t(1) << 42);
  EXPECT_EQ(evaluate(*large, 1 << 24, 1).status().message(),
            "a size exceeds 64 bits for T = 16777216, B = 1");
  auto plain = extentOf({fb::Factor(1, 1, fb::Symbol::TB)});
  EXPECT_FALSE(evaluate(*plain, ~uint64_t(0), 2).isOk());
  // The largest value that a division must not carry over.
  auto halves = extentOf({fb::Factor(2, 1, fb::Symbol::T)});
  EXPECT_EQ(*evaluate(*halves, ~uint64_t(0), 1), uint64_t(1) << 63);
}
