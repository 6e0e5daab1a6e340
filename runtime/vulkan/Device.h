//===- Device.h - a logical device and its queue ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_DEVICE_H
#define RUNG_RUNTIME_VULKAN_DEVICE_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/Allocator.h"
#include "runtime/vulkan/DevicePlan.h"
#include "runtime/vulkan/Handles.h"
#include "runtime/vulkan/Instance.h"
#include "runtime/vulkan/ReadSnapshot.h"

#include <chrono>
#include <memory>
#include <string>

namespace rung {

/// A logical device made as its plan says, one queue of it, and its memory.
/// One thread at a time may use it; the instance must outlive it.
class Device {
public:
  static Result<std::unique_ptr<Device>>
  create(const Instance &instance, const PhysicalDevice &physical,
         DevicePlan plan, Allocator::Kind kind = Allocator::defaultKind());

  const Instance &instance() const { return instance_; }
  const DeviceTable &vk() const { return table_; }
  VkDevice handle() const { return device_.get(); }
  const DeviceSnapshot &snapshot() const { return snapshot_; }
  const DevicePlan &plan() const { return plan_; }
  const std::string &name() const { return snapshot_.name; }
  Allocator &allocator() const { return *allocator_; }

  /// What destroys handles of this device with \p Member of the table.
  template <auto Member> DeviceDeleter<Member> deleter() const {
    return {device_.get(), &table_};
  }

  /// Bytes that this process may still allocate of the device's main memory.
  uint64_t availableMemory() const;

  /// An empty command buffer; it lives as long as the device.
  Result<VkCommandBuffer> allocateCommands();

  /// Submits \p commands, once, and waits until the device is done with them.
  /// After a failed wait the device is busy with them for an unknown time; see
  /// isIdleWithin.
  Status submitAndWait(VkCommandBuffer commands,
                       std::chrono::nanoseconds timeout);

  /// For submissions that nothing waits for at once: a fence, work that
  /// signals it, and the wait, behind which the fence can be used again.
  Result<UniqueFence> createFence() const;
  Status submit(VkCommandBuffer commands, VkFence fence);
  Status waitAndReset(VkFence fence, std::chrono::nanoseconds timeout) const;
  /// Such work did not end: the device stays busy for good.
  void abandon() { abandoned_ = true; }

  /// Waits for a submission whose wait failed. False: the device still works,
  /// and nothing that belongs to it may be destroyed.
  bool isIdleWithin(std::chrono::nanoseconds timeout);

private:
  struct HandleDeleter {
    const DeviceTable *vk = nullptr;
    void operator()(VkDevice device) const;
  };

  Device(const Instance &instance, const PhysicalDevice &physical,
         DevicePlan plan)
      : instance_(instance), physical_(physical.handle),
        snapshot_(physical.snapshot), plan_(std::move(plan)) {}
  Status createDevice();
  Status createQueueObjects();
  VkResult waitForFence(std::chrono::nanoseconds timeout);

  const Instance &instance_;
  VkPhysicalDevice physical_;
  DeviceSnapshot snapshot_;
  DevicePlan plan_;
  DeviceTable table_;
  UniqueHandle<VkDevice, HandleDeleter> device_;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::unique_ptr<Allocator> allocator_;
  UniqueCommandPool commandPool_;
  UniqueFence fence_;
  bool abandoned_ = false;
  bool pending_ = false; ///< The fence belongs to an unfinished submission.
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_DEVICE_H
