//===- DeviceTest.h - tests that need a Vulkan device -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_RUNTIME_VULKAN_DEVICETEST_H
#define RUNG_TESTS_UNIT_RUNTIME_VULKAN_DEVICETEST_H

#include "runtime/bundle/Reader.h"
#include "runtime/vulkan/Executor.h"
#include "runtime/vulkan/Instance.h"
#include "runtime/vulkan/ReadSnapshot.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rung::test {

/// Opens the first device, under the validation layer wherever it is installed
/// (RUNG_VALIDATION=0 goes without), and fails the test for anything that the
/// layer says until after the instance is gone. Without a device the test is
/// skipped, or fails if RUNG_REQUIRE_DEVICE is set.
class DeviceTest : public testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  const Instance &instance() { return *instance_; }
  /// Whether the validation layer listens.
  static bool isValidating() {
    return InstanceOptions::fromEnvironment().validation;
  }
  const PhysicalDevice &physical() { return physical_; }
  const DeviceSnapshot &snapshot() { return physical_.snapshot; }

  /// A logical device with the plan for \p bundle.
  std::unique_ptr<Device>
  makeDevice(const BundleReader &bundle,
             Allocator::Kind kind = Allocator::defaultKind());

private:
  std::unique_ptr<Instance> instance_;
  PhysicalDevice physical_;
};

/// A bundle with one function, run by an executor of its own.
struct Runner {
  Runner(std::unique_ptr<Device> device, const BundleReader &bundle,
         ExecutorOptions options = {});

  struct Outputs {
    std::vector<std::vector<std::byte>> bytes;
    RunTimes times;
    std::span<const float> floats(size_t output) const {
      return {reinterpret_cast<const float *>(bytes[output].data()),
              bytes[output].size() / sizeof(float)};
    }
  };

  /// \p inputs has one entry a port; an empty vector without elements stands
  /// for a state that is left out.
  Result<Outputs> run(uint32_t steps, uint32_t batch,
                      std::vector<std::span<const std::byte>> inputs);

  const BundleReader *bundle;
  std::unique_ptr<Device> device;
  std::unique_ptr<Executor> executor;
};

inline std::span<const std::byte> bytesOf(std::span<const float> values) {
  return std::as_bytes(values);
}

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_RUNTIME_VULKAN_DEVICETEST_H
