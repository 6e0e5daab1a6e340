//===- SelectDeviceTest.cpp - which device is meant -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/SelectDevice.h"
#include "tests/unit/runtime/vulkan/Fakes.h"

#include <gtest/gtest.h>

namespace rung::test {

namespace {

class SelectDeviceTest : public testing::Test {
protected:
  SelectDeviceTest() {
    devices_[0] = fakes::smallest("llvmpipe (LLVM 19.1.7, 256 bits)");
    devices_[0].kind = DeviceKind::Cpu;
    devices_[0].driver = "llvmpipe Mesa 26.1.6";
    devices_[0].isLavapipe = true;
    devices_[1] = fakes::smallest("Intel(R) UHD Graphics");
    devices_[2] = fakes::discreteGpu("NVIDIA H200");
    devices_[3] = fakes::discreteGpu("NVIDIA H100");
  }

  Result<std::vector<size_t>> select(std::string_view wanted) {
    std::vector<const DeviceSnapshot *> pointers;
    for (const DeviceSnapshot &device : devices_)
      pointers.push_back(&device);
    return selectDevices(pointers, wanted);
  }
  std::vector<size_t> selected(std::string_view wanted) {
    Result<std::vector<size_t>> result = select(wanted);
    EXPECT_TRUE(result.isOk()) << result.status().message();
    return result.isOk() ? *result : std::vector<size_t>();
  }

  DeviceSnapshot devices_[4];
};

using Indices = std::vector<size_t>;

TEST_F(SelectDeviceTest, TriesTheBestKindFirst) {
  EXPECT_EQ(selected(""), Indices({2, 3, 1, 0}));
}

TEST_F(SelectDeviceTest, TakesAnIndex) {
  EXPECT_EQ(selected("1"), Indices({1}));
}

TEST_F(SelectDeviceTest, FindsAPartOfANameInAnyCase) {
  EXPECT_EQ(selected("h100"), Indices({3}));
  EXPECT_EQ(selected("nvidia"), Indices({2, 3}));
  EXPECT_EQ(selected("UHD graphics"), Indices({1}));
}

TEST_F(SelectDeviceTest, KnowsMesasSoftwareDriverByBothItsNames) {
  EXPECT_EQ(selected("lavapipe"), Indices({0}));
  EXPECT_EQ(selected("llvmpipe"), Indices({0}));
}

TEST_F(SelectDeviceTest, NamesTheDevicesThatThereAre) {
  Result<std::vector<size_t>> result = select("radeon");
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.status().code(), StatusCode::NotFound);
  EXPECT_EQ(result.status().message(),
            "no device's name contains 'radeon'; there are 0: 'llvmpipe (LLVM "
            "19.1.7, 256 bits)', 1: 'Intel(R) UHD Graphics', 2: 'NVIDIA H200', "
            "3: 'NVIDIA H100'");
  result = select("4");
  ASSERT_FALSE(result.isOk());
  EXPECT_TRUE(result.status().message().starts_with(
      "device 4 is not among the 4 devices (0: 'llvmpipe"));
  EXPECT_FALSE(select("99999999999999999999999").isOk());
}

TEST_F(SelectDeviceTest, SaysThatThereIsNoDevice) {
  Result<std::vector<size_t>> result = selectDevices({}, "");
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.status().message(), "there is no Vulkan 1.2 device");
}

} // namespace

} // namespace rung::test
