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
#include <functional>
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

  /// Runs \p job on its buffers as they were made; compares and dumps what that
  /// run left; then runs it again and again, warming up before it takes times.
  /// An error of code Device means that this runner runs no more.
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
  /// A buffer as \p from describes it; \p shape gets its type and shape.
  Result<Buffer> upload(const KernelBuffer &from, Tensor &shape);
  /// The first elements of \p buffer.
  Result<Tensor> download(const Buffer &buffer, ScalarType type,
                          std::vector<uint64_t> shape);
  Status submitCopies(const std::function<void(VkCommandBuffer)> &record);
  Result<std::unique_ptr<Loaded>> load(const KernelJob &job);
  /// The milliseconds of one run of what is recorded.
  Result<double> once(const Loaded &loaded);
  Status repeat(const KernelJob &job, Loaded &loaded, KernelOutcome &outcome);
  Status examine(const KernelJob &job, const Loaded &loaded,
                 KernelOutcome &outcome);

  std::unique_ptr<Instance> instance_;
  std::unique_ptr<Device> device_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE, copies_ = VK_NULL_HANDLE;
  std::chrono::nanoseconds timeout_{};
};

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_KERNELRUNNER_H
