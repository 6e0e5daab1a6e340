//===- DeviceTest.cpp - tests that need a Vulkan device ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/vulkan/DeviceTest.h"

#include <cstdlib>

namespace rung::test {

static bool isSet(const char *variable) {
  const char *value = std::getenv(variable);
  return value && *value;
}

/// With the layer unless RUNG_VALIDATION says no or it is not installed.
static Result<std::unique_ptr<Instance>> openInstance() {
  if (isSet("RUNG_VALIDATION"))
    return Instance::create(InstanceOptions::fromEnvironment());
  Result<std::unique_ptr<Instance>> validated =
      Instance::create({.validation = true});
  if (!validated.isOk())
    return Instance::create({});
  // For instances that the code under test makes.
  setenv("RUNG_VALIDATION", "1", /*overwrite=*/1);
  return validated;
}

void DeviceTest::SetUp() {
  std::string reason = "the driver offers no Vulkan 1.2 device";
  Result<std::unique_ptr<Instance>> instance = openInstance();
  if (instance.isOk()) {
    instance_ = *std::move(instance);
    Result<std::vector<PhysicalDevice>> devices = readDevices(*instance_);
    ASSERT_TRUE(devices.isOk()) << devices.status().message();
    if (!devices->empty()) {
      physical_ = devices->front();
      return;
    }
  } else {
    reason = instance.status().message();
  }
  if (isSet("RUNG_REQUIRE_DEVICE"))
    FAIL() << reason;
  GTEST_SKIP() << reason;
}

void DeviceTest::TearDown() {
  if (!instance_)
    return;
  std::shared_ptr<MessageLog> messages = instance_->messages();
  instance_.reset();
  EXPECT_EQ(messages->take(), std::vector<std::string>());
}

std::unique_ptr<Device> DeviceTest::makeDevice(const BundleReader &bundle,
                                               Allocator::Kind kind) {
  std::vector<VariantNeeds> needs;
  for (const fb::Variant *variant : *bundle.root().variants())
    needs.push_back(needsOf(*variant));
  Result<DevicePlan> plan = DevicePlan::make(snapshot(), needs);
  EXPECT_TRUE(plan.isOk()) << plan.status().message();
  if (!plan.isOk())
    return nullptr;
  Result<std::unique_ptr<Device>> device =
      Device::create(instance(), physical(), *std::move(plan), kind);
  EXPECT_TRUE(device.isOk()) << device.status().message();
  return device.isOk() ? *std::move(device) : nullptr;
}

Runner::Runner(std::unique_ptr<Device> device, const BundleReader &bundle,
               ExecutorOptions options)
    : bundle(&bundle), device(std::move(device)) {
  if (!this->device)
    return;
  Result<std::unique_ptr<Executor>> made =
      Executor::create(*this->device, bundle, std::move(options));
  EXPECT_TRUE(made.isOk()) << made.status().message();
  if (made.isOk())
    executor = *std::move(made);
}

Result<Runner::Outputs>
Runner::run(uint32_t steps, uint32_t batch,
            std::vector<std::span<const std::byte>> inputs) {
  if (!executor)
    return Status(StatusCode::FailedPrecondition, "there is no executor");
  RunRequest request = {.steps = steps, .batch = batch};
  for (std::span<const std::byte> bytes : inputs)
    request.inputs.push_back(
        {.given = bytes.data() != nullptr, .bytes = bytes});
  Outputs outputs;
  for (const fb::Port *port : *bundle->root().functions()->Get(0)->outputs()) {
    const fb::TensorType &type = *port->type();
    outputs.bytes.emplace_back(*elementCount(type, steps, batch) *
                               byteSize(toScalarType(type.element())));
  }
  for (std::vector<std::byte> &bytes : outputs.bytes)
    request.outputs.push_back(bytes);
  RUNG_ASSIGN_OR_RETURN(outputs.times, executor->run(request));
  return outputs;
}

} // namespace rung::test
