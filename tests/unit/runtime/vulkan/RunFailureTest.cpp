//===- RunFailureTest.cpp - devices that fail -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/vulkan/DeviceTest.h"
#include "tests/unit/runtime/vulkan/Shaders.h"
#include "tests/unit/runtime/vulkan/TestModels.h"

namespace rung::test {

namespace {

/// Functions of the device are replaced by ones that fail: no real device does
/// so when a test wants it.
class RunFailureTest : public DeviceTest {
protected:
  static DeviceTable &table(Runner &runner) {
    return const_cast<DeviceTable &>(runner.device->vk());
  }
  static Status runAffine(Runner &runner) {
    const std::vector<float> x = {3};
    return runner.run(1, 1, {bytesOf(x), {}}).status();
  }
};

VKAPI_ATTR VkResult VKAPI_CALL loseOnSubmit(VkQueue, uint32_t,
                                            const VkSubmitInfo *, VkFence) {
  return VK_ERROR_DEVICE_LOST;
}

TEST_F(RunFailureTest, ReportsALostDeviceAndRunsNoMore) {
  const BundleReader bundle = readModel(affineModel(1));
  Runner runner(makeDevice(bundle), bundle);
  ASSERT_TRUE(runAffine(runner).isOk());
  const auto submit = table(runner).vkQueueSubmit;
  table(runner).vkQueueSubmit = loseOnSubmit;
  const Status lost = runAffine(runner);
  table(runner).vkQueueSubmit = submit;
  EXPECT_EQ(lost.code(), StatusCode::Device);
  const std::string &name = snapshot().name;
  EXPECT_EQ(lost.message(),
            "vkQueueSubmit returned VK_ERROR_DEVICE_LOST (-4): the device was "
            "lost\n  while running function 'affine' with T 1, B 1 on '" +
                name + "'");
  const Status after = runAffine(runner);
  EXPECT_EQ(after.code(), StatusCode::FailedPrecondition);
  EXPECT_TRUE(after.message().starts_with(
      "nothing runs on '" + name +
      "' after an earlier error: vkQueueSubmit returned VK_ERROR_DEVICE_LOST"));
}

VKAPI_ATTR VkResult VKAPI_CALL failToCreate(VkDevice,
                                            const VkBufferCreateInfo *,
                                            const VkAllocationCallbacks *,
                                            VkBuffer *) {
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

TEST_F(RunFailureTest, SurvivesShortMemory) {
  const BundleReader bundle = readModel(affineModel(1));
  Runner runner(makeDevice(bundle), bundle);
  ASSERT_TRUE(runAffine(runner).isOk());
  const auto create = table(runner).vkCreateBuffer;
  table(runner).vkCreateBuffer = failToCreate;
  const std::vector<float> x(100, 3.0f), h(10);
  const Status status = runner.run(10, 10, {bytesOf(x), bytesOf(h)}).status();
  EXPECT_EQ(status.code(), StatusCode::ResourceExhausted);
  EXPECT_TRUE(status.message().starts_with(
      "vkCreateBuffer returned VK_ERROR_OUT_OF_DEVICE_MEMORY (-2): the device "
      "is out of memory\n  while allocating 400 bytes on '"))
      << status.message();
  table(runner).vkCreateBuffer = create;
  EXPECT_TRUE(runAffine(runner).isOk()) << "the buffers are made again";
}

// Many steps can be taken in segments; many rows cannot.
TEST_F(RunFailureTest, RefusesARunThatCannotFitBeforeItAllocates) {
  const BundleReader bundle = readModel(affineModel(4));
  Runner runner(makeDevice(bundle), bundle);
  const Device &device = *runner.device;
  const uint64_t limit = snapshot().limits.largestStorageBuffer();
  const auto rows =
      uint32_t(std::min<uint64_t>(limit / 16, uint64_t(0x7fffffff)));
  const fb::Variant &variant = *bundle.root().variants()->Get(0);
  const Status status =
      rows == 0x7fffffff
          ? Status::ok()
          : RunPlan::make(snapshot(), variant, *variant.schedules()->Get(0),
                          *bundle.root().functions()->Get(0),
                          {.steps = 1, .batch = rows + 1})
                .status();
  EXPECT_EQ(status.code(), StatusCode::ResourceExhausted);
  EXPECT_GT(device.availableMemory(), 0u);
}

/// x plus 1 plus 2 through a scratch buffer, by a schedule that hides that its
/// first dispatch writes.
BundleReader lyingModel() {
  TestProgram program;
  const uint32_t add = program.kernel(
      {.name = "add", .spirv = kAddConstant, .bindings = 2, .pushWords = 3});
  const std::vector<fb::Factor> bytes = {times(fb::Symbol::TB, 4)};
  const uint32_t x = program.input(0, bytes);
  const uint32_t between = program.scratch(bytes);
  const uint32_t y = program.output(0, bytes);
  program.dispatch(add, {read(x), read(between)},
                   {push(fb::PushKind::TB), push(1), push(1)}, {});
  program.dispatch(add, {read(between), write(y)},
                   {push(fb::PushKind::TB), push(1), push(2)}, {});
  const Type sequence = f32({kDimT, kDimB, 1});
  FunctionBuilder function("lying");
  function.output("y", sequence, function.input("x", sequence));
  return readModel(serializeModel(std::move(function), std::move(program)));
}

TEST_F(RunFailureTest, HearsOfAMissingBarrierUnderTheValidationLayer) {
  if (!isValidating())
    GTEST_SKIP() << "the validation layer is not in use";
  const BundleReader bundle = lyingModel();
  Runner runner(makeDevice(bundle), bundle);
  const std::vector<float> x = {1};
  const Status status = runner.run(1, 1, {bytesOf(x)}).status();
  EXPECT_EQ(status.code(), StatusCode::Device);
  EXPECT_TRUE(status.message().starts_with(
      "the validation layer reports 1 time, first: "))
      << status.message();
  EXPECT_NE(status.message().find("READ_AFTER_WRITE"), std::string::npos)
      << status.message();
}

/// A kernel that works for a moment, then gives a number.
BundleReader spinModel(uint32_t rounds) {
  TestProgram program;
  const uint32_t kernel = program.kernel({.name = "spin",
                                          .spirv = kSpin,
                                          .localX = 1,
                                          .bindings = 2,
                                          .pushWords = 1});
  const uint32_t x = program.input(0, {constant(4)});
  const uint32_t y = program.output(0, {constant(4)});
  program.dispatch(kernel, {read(x), write(y)}, {push(rounds)}, {});
  FunctionBuilder function("spin");
  function.output("y", i32({1}), function.input("x", i32({1})));
  return readModel(serializeModel(std::move(function), std::move(program)));
}

TEST_F(RunFailureTest, GivesUpOnARunThatTakesTooLong) {
  const BundleReader bundle = spinModel(1u << 26);
  Runner runner(makeDevice(bundle), bundle,
                {.timeout = std::chrono::milliseconds(5)});
  const int32_t seed = 1;
  const Status late =
      runner.run(1, 1, {std::as_bytes(std::span(&seed, 1))}).status();
  EXPECT_EQ(late.code(), StatusCode::Device);
  EXPECT_TRUE(late.message().starts_with("'" + snapshot().name +
                                         "' did not finish within 0.005 "
                                         "seconds\n  while running function "
                                         "'spin'"))
      << late.message();
  EXPECT_EQ(
      runner.run(1, 1, {std::as_bytes(std::span(&seed, 1))}).status().code(),
      StatusCode::FailedPrecondition);
  // Nothing may be destroyed before the device is done.
  EXPECT_TRUE(runner.device->isIdleWithin(std::chrono::minutes(2)));
}

} // namespace

} // namespace rung::test
