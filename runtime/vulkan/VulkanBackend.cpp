//===- VulkanBackend.cpp - bundles on Vulkan devices ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/VulkanBackend.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/Executor.h"
#include "runtime/vulkan/Instance.h"
#include "runtime/vulkan/PipelineCache.h"
#include "runtime/vulkan/ReadSnapshot.h"
#include "runtime/vulkan/SelectDevice.h"

namespace rung {

namespace {

/// A device and the plan for it.
struct Choice {
  PhysicalDevice device;
  DevicePlan plan;
};

std::vector<VariantNeeds> needsOf(const fb::Bundle &bundle) {
  std::vector<VariantNeeds> needs;
  for (const fb::Variant *variant : *bundle.variants())
    needs.push_back(rung::needsOf(*variant));
  return needs;
}

/// The first device, of those that \p wanted may mean, that runs some variant.
Result<Choice> choose(const std::vector<PhysicalDevice> &devices,
                      std::string_view wanted,
                      const std::vector<VariantNeeds> &needs) {
  std::vector<const DeviceSnapshot *> snapshots;
  for (const PhysicalDevice &device : devices)
    snapshots.push_back(&device.snapshot);
  RUNG_ASSIGN_OR_RETURN(std::vector<size_t> candidates,
                        selectDevices(snapshots, wanted));
  std::string refusals;
  for (size_t candidate : candidates) {
    Result<DevicePlan> plan =
        DevicePlan::make(devices[candidate].snapshot, needs);
    if (plan.isOk()) {
      plan->explanation +=
          refusals.empty() ? "" : concat("\npassed over: ", refusals);
      return Choice{devices[candidate], *std::move(plan)};
    }
    refusals += concat(refusals.empty() ? "" : "\n", plan.status().message());
  }
  return Status(StatusCode::Unsupported, refusals);
}

class VulkanBackend final : public Backend {
public:
  VulkanBackend(std::shared_ptr<const BundleReader> bundle,
                const BackendOptions &options)
      : bundle_(std::move(bundle)), options_(options) {}
  ~VulkanBackend() override;

  Status open(std::string_view wanted);

  Result<RunTimes> run(const RunRequest &request) override {
    return executor_->run(request);
  }
  Result<std::unique_ptr<BackendStream>>
  openStream(const RunRequest &request) override {
    return executor_->openStream(request);
  }
  MemoryUsed memory() const override { return executor_->memory(); }
  const std::string &deviceName() const override { return device_->name(); }
  const std::string &variantName() const override {
    return device_->plan().profile;
  }
  const std::string &explanation() const override {
    return device_->plan().explanation;
  }

private:
  std::shared_ptr<const BundleReader> bundle_;
  BackendOptions options_;
  std::unique_ptr<Instance> instance_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Executor> executor_;
};

VulkanBackend::~VulkanBackend() {
  if (executor_)
    executor_->endStreams();
  // What the device still works with must not be destroyed. A device that does
  // not finish in twice the time that it had is left alone for good.
  if (!device_ || device_->isIdleWithin(options_.timeout))
    return;
  static_cast<void>(executor_.release());
  static_cast<void>(device_.release());
  static_cast<void>(instance_.release());
}

Status VulkanBackend::open(std::string_view wanted) {
  RUNG_ASSIGN_OR_RETURN(instance_,
                        Instance::create(InstanceOptions::fromEnvironment()));
  RUNG_ASSIGN_OR_RETURN(std::vector<PhysicalDevice> devices,
                        readDevices(*instance_));
  RUNG_ASSIGN_OR_RETURN(Choice choice,
                        choose(devices, wanted, needsOf(bundle_->root())));
  RUNG_ASSIGN_OR_RETURN(device_,
                        Device::create(*instance_, choice.device, choice.plan));
  RUNG_ASSIGN_OR_RETURN(
      executor_, Executor::create(*device_, *bundle_,
                                  {.timeout = options_.timeout,
                                   .clock = options_.clock,
                                   .memoryLimit = options_.memoryLimit,
                                   .segmentSteps = options_.segmentSteps,
                                   .cacheFolder = pipelineCacheFolder()}));
  return Status::ok();
}

} // namespace

Result<std::unique_ptr<Backend>>
makeVulkanBackend(std::shared_ptr<const BundleReader> bundle,
                  std::string_view device, const BackendOptions &options) {
  auto backend = std::make_unique<VulkanBackend>(std::move(bundle), options);
  RUNG_RETURN_IF_ERROR(backend->open(device));
  return std::unique_ptr<Backend>(std::move(backend));
}

Result<DeviceList> listDevices() {
  DeviceList list;
  Result<std::unique_ptr<Instance>> instance =
      Instance::create(InstanceOptions::fromEnvironment());
  if (!instance.isOk()) {
    list.note = instance.status().message();
    return list;
  }
  RUNG_ASSIGN_OR_RETURN(std::vector<PhysicalDevice> devices,
                        readDevices(**instance));
  for (PhysicalDevice &device : devices)
    list.devices.push_back(std::move(device.snapshot));
  if (list.devices.empty())
    list.note = "no driver offers a Vulkan 1.2 device";
  return list;
}

} // namespace rung
