//===- BackendTest.cpp - from a bundle to a device --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/VulkanBackend.h"
#include "tests/unit/runtime/vulkan/DeviceTest.h"
#include "tests/unit/runtime/vulkan/TestModels.h"

namespace rung::test {

namespace {

using BackendTest = DeviceTest;
const BackendOptions kOptions = {.timeout = std::chrono::seconds(60)};

std::shared_ptr<const BundleReader> share(std::span<const std::byte> file) {
  return std::make_shared<const BundleReader>(readModel(file));
}

TEST_F(BackendTest, RunsOnTheDeviceOfAnIndexAndOfAName) {
  for (std::string wanted : {std::string("0"), snapshot().name}) {
    auto backend = makeVulkanBackend(share(affineModel(2)), wanted, kOptions);
    ASSERT_TRUE(backend.isOk()) << backend.status().message();
    EXPECT_EQ((*backend)->deviceName(), snapshot().name);
    EXPECT_EQ((*backend)->variantName(), "generic");
    EXPECT_EQ((*backend)->explanation(),
              "variant 'generic' fits '" + snapshot().name + "'");
    const std::vector<float> x = {1, 2};
    std::vector<float> y(2), h(2);
    RunRequest request;
    request.inputs = {{true, bytesOf(x)}, {}};
    request.outputs = {std::as_writable_bytes(std::span(y)),
                       std::as_writable_bytes(std::span(h))};
    Result<RunTimes> times = (*backend)->run(request);
    ASSERT_TRUE(times.isOk()) << times.status().message();
    EXPECT_EQ(y, std::vector<float>({2, 4}));
  }
}

TEST_F(BackendTest, RefusesADeviceThatIsNotThere) {
  auto backend = makeVulkanBackend(share(affineModel(2)), "no such", kOptions);
  ASSERT_FALSE(backend.isOk());
  EXPECT_EQ(backend.status().code(), StatusCode::NotFound);
}

TEST_F(BackendTest, RefusesABundleThatTheDeviceCannotRun) {
  TestProgram program;
  program.requirements().shared_memory_bytes = 1u << 30;
  const uint32_t y = program.output(0, {constant(4)});
  static_cast<void>(y);
  FunctionBuilder function("f");
  function.output("y", i32({1}), function.input("x", i32({1})));
  auto backend = makeVulkanBackend(
      share(serializeModel(std::move(function), std::move(program))), "",
      kOptions);
  ASSERT_FALSE(backend.isOk());
  EXPECT_EQ(backend.status().code(), StatusCode::Unsupported);
  EXPECT_NE(backend.status().message().find(
                "a shared memory of 1073741824 bytes exceeds "),
            std::string::npos)
      << backend.status().message();
}

TEST_F(BackendTest, ListsTheDevices) {
  Result<DeviceList> list = listDevices();
  ASSERT_TRUE(list.isOk()) << list.status().message();
  ASSERT_FALSE(list->devices.empty());
  EXPECT_EQ(list->devices[0].name, snapshot().name);
  EXPECT_EQ(list->note, "");
}

TEST_F(BackendTest, ListsNothingWithoutADriverAndSaysWhy) {
  const char *drivers = std::getenv("VK_DRIVER_FILES");
  const std::string before = drivers ? drivers : "";
  setenv("VK_DRIVER_FILES", "/nonexistent.json", 1);
  Result<DeviceList> list = listDevices();
  if (drivers)
    setenv("VK_DRIVER_FILES", before.c_str(), 1);
  else
    unsetenv("VK_DRIVER_FILES");
  ASSERT_TRUE(list.isOk()) << list.status().message();
  EXPECT_TRUE(list->devices.empty());
  EXPECT_NE(list->note, "");
}

} // namespace

} // namespace rung::test
