//===- KernelFeaturesTest.cpp - features that plans turn on -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Half.h"
#include "tests/unit/runtime/vulkan/DeviceTest.h"
#include "tests/unit/runtime/vulkan/Shaders.h"
#include "tests/unit/runtime/vulkan/TestModels.h"

#include <algorithm>

namespace rung::test {

namespace {

using fb::PushKind;
using fb::Symbol;
using KernelFeaturesTest = DeviceTest;

/// y of f32 [B] from inputs a, b, c of [B] and the given types.
FunctionBuilder smallTypesFunction() {
  FunctionBuilder function("small_types");
  function.input("a", {ScalarType::F16, {kDimB}});
  function.input("b", {ScalarType::I16, {kDimB}});
  function.input("c", {ScalarType::S8, {kDimB}});
  const uint32_t y = function.graph.op1("rnn.cast", {0}, f32({kDimB}));
  function.output("y", f32({kDimB}), y);
  return function;
}

TEST_F(KernelFeaturesTest, ComputesWithSmallTypes) {
  TestProgram program;
  program.requirements().features = {fb::Feature::Float16, fb::Feature::Int16,
                                     fb::Feature::Int8, fb::Feature::Storage16,
                                     fb::Feature::Storage8};
  for (auto feature : program.requirements().features)
    if (!snapshot().has(toFeature(feature)))
      GTEST_SKIP() << snapshot().name << " lacks "
                   << toString(toFeature(feature));
  const uint32_t kernel = program.kernel({.name = "small",
                                          .spirv = kSmallTypes,
                                          .localX = 32,
                                          .bindings = 4,
                                          .pushWords = 1});
  const uint32_t a = program.input(0, {times(Symbol::B, 2)});
  const uint32_t b = program.input(1, {times(Symbol::B, 2)});
  const uint32_t c = program.input(2, {times(Symbol::B, 1)});
  const uint32_t y = program.output(0, {times(Symbol::B, 4)});
  program.dispatch(kernel, {read(a), read(b), read(c), write(y)},
                   {push(PushKind::B)}, {times(Symbol::B, 1, 32)});
  const BundleReader bundle =
      readModel(serializeModel(smallTypesFunction(), std::move(program)));
  Runner runner(makeDevice(bundle), bundle);
  const std::vector<uint16_t> halves = {0x3c00, 0x4200, 0xc000}; // 1 3 -2
  const std::vector<int16_t> shorts = {1000, -1000, 5};
  const std::vector<int8_t> bytes = {1, 2, -100};
  auto outputs = runner.run(1, 3,
                            {std::as_bytes(std::span(halves)),
                             std::as_bytes(std::span(shorts)),
                             std::as_bytes(std::span(bytes))});
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  EXPECT_TRUE(std::ranges::equal(outputs->floats(0),
                                 std::vector<float>({1002, -989, -91})));
}

TEST_F(KernelFeaturesTest, RunsAKernelWithTheSubgroupSizeItRequires) {
  if (!snapshot().has(Feature::SubgroupSizeControl))
    GTEST_SKIP() << snapshot().name << " lacks SubgroupSizeControl";
  for (uint32_t size = snapshot().minSubgroupSize;
       size <= snapshot().maxSubgroupSize; size *= 2) {
    TestProgram program;
    program.requirements().features = {fb::Feature::SubgroupSizeControl};
    const uint32_t kernel = program.kernel({.name = "subgroup",
                                            .spirv = kSubgroup,
                                            .localX = 128,
                                            .bindings = 2,
                                            .subgroupSize = size});
    const uint32_t x = program.input(0, {constant(4)});
    const uint32_t y = program.output(0, {constant(4)});
    program.dispatch(kernel, {read(x), write(y)}, {}, {});
    FunctionBuilder function("size");
    function.output("y", i32({1}), function.input("x", i32({1})));
    const BundleReader bundle =
        readModel(serializeModel(std::move(function), std::move(program)));
    Runner runner(makeDevice(bundle), bundle);
    const int32_t zero = 0;
    auto outputs = runner.run(1, 1, {std::as_bytes(std::span(&zero, 1))});
    ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
    uint32_t found = 0;
    std::ranges::copy(outputs->bytes[0], reinterpret_cast<std::byte *>(&found));
    EXPECT_EQ(found, size);
  }
}

#if RUNG_HAVE_COOPERATIVE_GLSL

std::vector<uint16_t> toHalves(std::span<const float> values) {
  std::vector<uint16_t> halves;
  for (float value : values)
    halves.push_back(toHalf(value));
  return halves;
}

/// One tile product on the device; the numbers are exact in f16 and f32.
void checkTile(Runner &runner, uint32_t size) {
  std::vector<float> a(size * size), b(size * size), d(size * size);
  for (uint32_t i = 0; i < size * size; ++i) {
    a[i] = float(i % 7) - 3;
    b[i] = float(i % 5) * 0.25f;
  }
  for (uint32_t i = 0; i < size; ++i)
    for (uint32_t j = 0; j < size; ++j)
      for (uint32_t k = 0; k < size; ++k)
        d[i * size + j] += a[i * size + k] * b[k * size + j];
  const std::vector<uint16_t> ha = toHalves(a), hb = toHalves(b);
  auto outputs = runner.run(
      1, 1, {std::as_bytes(std::span(ha)), std::as_bytes(std::span(hb))});
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  EXPECT_TRUE(std::ranges::equal(outputs->floats(0), d));
}

BundleReader tileModel(uint32_t size, std::span<const uint32_t> spirv,
                       uint32_t subgroup) {
  using enum ScalarType;
  TestProgram program;
  program.requirements().api_version = makeApiVersion(1, 3);
  program.requirements().features = {
      fb::Feature::Float16, fb::Feature::Storage16,
      fb::Feature::CooperativeMatrix, fb::Feature::VulkanMemoryModel,
      fb::Feature::SubgroupSizeControl};
  program.requirements().subgroup_size = subgroup;
  program.requirements().cooperative = {
      toBundle(CooperativeShape{size, size, size, F16, F16, F32, F32})};
  const uint32_t kernel = program.kernel({.name = "tile",
                                          .spirv = spirv,
                                          .localX = subgroup,
                                          .bindings = 3,
                                          .subgroupSize = subgroup});
  const uint32_t a = program.input(0, {constant(size * size * 2)});
  const uint32_t b = program.input(1, {constant(size * size * 2)});
  const uint32_t d = program.output(0, {constant(size * size * 4)});
  program.dispatch(kernel, {read(a), read(b), write(d)}, {}, {});
  const std::vector<int32_t> dims = {int32_t(size), int32_t(size)};
  FunctionBuilder function("tile");
  const uint32_t value = function.input("a", {F16, dims});
  function.input("b", {F16, dims});
  function.output("d", f32(dims),
                  function.graph.op1("rnn.cast", {value}, f32(dims)));
  return readModel(serializeModel(std::move(function), std::move(program)));
}

TEST_F(KernelFeaturesTest, MultipliesCooperativeMatrices) {
  using enum ScalarType;
  bool ran = false;
  for (auto [size, subgroup] : {std::pair(8u, 8u), std::pair(16u, 32u)}) {
    const CooperativeShape shape = {size, size, size, F16, F16, F32, F32};
    if (!toProfile(snapshot()).has(shape))
      continue;
    const BundleReader bundle =
        tileModel(size,
                  size == 8 ? std::span<const uint32_t>(kCooperative8)
                            : std::span<const uint32_t>(kCooperative16),
                  subgroup);
    Runner runner(makeDevice(bundle), bundle);
    checkTile(runner, size);
    ran = true;
  }
  if (!ran)
    GTEST_SKIP() << snapshot().name << " has no 8x8x8 or 16x16x16 tiles";
}

#endif // RUNG_HAVE_COOPERATIVE_GLSL

} // namespace

} // namespace rung::test
