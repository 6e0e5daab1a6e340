//===- KernelRunner.h - runs single kernels by the device's clock -*-C++-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_KERNELRUNNER_H
#define RUNG_TOOLS_RUNG_BENCH_KERNELRUNNER_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/Buffer.h"
#include "runtime/vulkan/DescriptorSets.h"
#include "runtime/vulkan/Device.h"
#include "runtime/vulkan/Instance.h"
#include "runtime/vulkan/Pipeline.h"
#include "runtime/vulkan/Timestamps.h"
#include "tools/rung-bench/KernelJob.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace rung::tools {

struct KernelOutcome {
  std::vector<double> ms; ///< Of each run after the first ones.
  std::vector<Comparison> comparisons;
};

/// A device with everything turned on that it has, for kernels that no bundle
/// holds.
class KernelRunner {
public:
  /// \p wanted is what --device says.
  static Result<std::unique_ptr<KernelRunner>>
  open(const std::string &wanted, std::chrono::nanoseconds timeout);
  ~KernelRunner();

  const std::string &device() const { return device_->name(); }

  /// Runs \p job on its buffers as they were made, and then again and again;
  /// compares and dumps what the first run left. An error of code Device means
  /// that this runner runs no more.
  Result<KernelOutcome> run(const KernelJob &job);

private:
  /// What one job has on the device.
  struct Loaded {
    Pipeline pipeline;
    std::vector<Buffer> buffers;
    std::vector<Tensor> shapes; ///< Of the buffers; without elements.
    DescriptorSets sets;
    Timestamps timestamps;
  };

  KernelRunner() = default;

  Status check(const KernelJob &job) const;
  Result<Buffer> upload(const Tensor &contents);
  Result<Tensor> download(const Buffer &buffer, const Tensor &shape);
  Result<std::unique_ptr<Loaded>> load(const KernelJob &job);
  Status repeat(const KernelJob &job, Loaded &loaded,
                KernelOutcome &outcome);
  Status examine(const KernelJob &job, const Loaded &loaded,
                 KernelOutcome &outcome);
  Status copy(const Buffer &from, const Buffer &to, uint64_t bytes);

  std::unique_ptr<Instance> instance_;
  std::unique_ptr<Device> device_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE, copies_ = VK_NULL_HANDLE;
  std::chrono::nanoseconds timeout_{};
};

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_KERNELRUNNER_H
