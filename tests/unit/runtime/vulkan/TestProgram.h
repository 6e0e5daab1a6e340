//===- TestProgram.h - bundles with kernels, piece by piece -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_RUNTIME_VULKAN_TESTPROGRAM_H
#define RUNG_TESTS_UNIT_RUNTIME_VULKAN_TESTPROGRAM_H

#include "tests/unit/support/ModelBuilder.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rung::test {

fb::Factor constant(uint64_t value);
fb::Factor times(fb::Symbol symbol, uint64_t multiplier = 1,
                 uint64_t divisor = 1);

struct KernelSpec {
  std::string name;
  std::span<const uint32_t> spirv;
  uint32_t localX = 64;
  uint32_t bindings = 0;
  uint32_t pushWords = 0;
  uint32_t subgroupSize = 0;
};

/// One variant with one function's schedule.
class TestProgram {
public:
  explicit TestProgram(std::string profile = "generic");

  fb::RequirementsT &requirements() { return *variant_->requirements; }

  uint32_t kernel(const KernelSpec &spec);

  uint32_t input(uint32_t port, std::vector<fb::Factor> bytes);
  uint32_t output(uint32_t port, std::vector<fb::Factor> bytes);
  uint32_t scratch(std::vector<fb::Factor> bytes);
  uint32_t progress(std::vector<fb::Factor> bytes);
  uint32_t packed(uint64_t offset, uint64_t bytes);

  /// Records a dispatch of `groups` workgroups in x, or one of the body of the
  /// repeat that was begun.
  void dispatch(uint32_t kernel, std::vector<fb::Argument> arguments,
                std::vector<fb::Push> push, std::vector<fb::Factor> groups);
  /// What follows is repeated, until `endRepeat`.
  void beginRepeat(fb::Symbol count);
  void endRepeat() { repeat_ = nullptr; }

  std::unique_ptr<fb::VariantT> take() { return std::move(variant_); }

private:
  uint32_t buffer(fb::BufferRole role, uint32_t port,
                  std::vector<fb::Factor> bytes, uint64_t offset);
  fb::ScheduleT &schedule() { return *variant_->schedules.front(); }

  std::unique_ptr<fb::VariantT> variant_;
  fb::RepeatT *repeat_ = nullptr;
};

inline fb::Argument read(uint32_t buffer) {
  return fb::Argument(buffer, fb::Access::Read);
}
inline fb::Argument write(uint32_t buffer) {
  return fb::Argument(buffer, fb::Access::Write);
}
inline fb::Argument update(uint32_t buffer) {
  return fb::Argument(buffer, fb::Access::ReadWrite);
}
inline fb::Push push(uint32_t value) {
  return fb::Push(value, fb::PushKind::Constant);
}
inline fb::Push push(fb::PushKind kind) { return fb::Push(0, kind); }

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_RUNTIME_VULKAN_TESTPROGRAM_H
