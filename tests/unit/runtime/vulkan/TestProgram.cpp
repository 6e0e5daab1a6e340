//===- TestProgram.cpp - bundles with kernels, piece by piece ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/vulkan/TestProgram.h"

#include "tests/unit/support/SampleBundle.h"

#include <algorithm>

namespace rung::test {

fb::Factor constant(uint64_t value) {
  return fb::Factor(/*divisor=*/1, value, fb::Symbol::One);
}

fb::Factor times(fb::Symbol symbol, uint64_t multiplier, uint64_t divisor) {
  return fb::Factor(divisor, multiplier, symbol);
}

TestProgram::TestProgram(std::string profile)
    : variant_(std::make_unique<fb::VariantT>()) {
  variant_->profile = std::move(profile);
  variant_->requirements = std::make_unique<fb::RequirementsT>();
  variant_->requirements->api_version = makeApiVersion(1, 2);
  variant_->schedules.push_back(std::make_unique<fb::ScheduleT>());
}

uint32_t TestProgram::kernel(const KernelSpec &spec) {
  auto kernel = std::make_unique<fb::KernelT>();
  kernel->name = spec.name;
  kernel->entry = "main";
  kernel->spirv.assign(spec.spirv.begin(), spec.spirv.end());
  kernel->local_x = spec.localX;
  kernel->bindings = spec.bindings;
  kernel->push_bytes = spec.pushWords * 4;
  kernel->required_subgroup_size = spec.subgroupSize;
  uint32_t &invocations = requirements().workgroup_invocations;
  invocations = std::max(invocations, spec.localX);
  variant_->kernels.push_back(std::move(kernel));
  return static_cast<uint32_t>(variant_->kernels.size() - 1);
}

uint32_t TestProgram::buffer(fb::BufferRole role, uint32_t port,
                             std::vector<fb::Factor> bytes, uint64_t offset) {
  auto buffer = std::make_unique<fb::BufferT>();
  buffer->role = role;
  buffer->port = port;
  buffer->size = extent(std::move(bytes));
  buffer->packed_offset = offset;
  schedule().buffers.push_back(std::move(buffer));
  return static_cast<uint32_t>(schedule().buffers.size() - 1);
}

uint32_t TestProgram::input(uint32_t port, std::vector<fb::Factor> bytes) {
  return buffer(fb::BufferRole::Input, port, std::move(bytes), 0);
}
uint32_t TestProgram::output(uint32_t port, std::vector<fb::Factor> bytes) {
  return buffer(fb::BufferRole::Output, port, std::move(bytes), 0);
}
uint32_t TestProgram::scratch(std::vector<fb::Factor> bytes) {
  return buffer(fb::BufferRole::Scratch, 0, std::move(bytes), 0);
}
uint32_t TestProgram::progress(std::vector<fb::Factor> bytes) {
  return buffer(fb::BufferRole::Progress, 0, std::move(bytes), 0);
}
uint32_t TestProgram::packed(uint64_t offset, uint64_t bytes) {
  return buffer(fb::BufferRole::Packed, 0, {constant(bytes)}, offset);
}

void TestProgram::dispatch(uint32_t kernel, std::vector<fb::Argument> arguments,
                           std::vector<fb::Push> push,
                           std::vector<fb::Factor> groups) {
  auto command = std::make_unique<fb::CommandT>();
  command->kernel = kernel;
  command->arguments = std::move(arguments);
  command->push = std::move(push);
  command->groups.push_back(extent(std::move(groups)));
  command->groups.push_back(extent({}));
  command->groups.push_back(extent({}));
  (repeat_ ? repeat_->body : schedule().commands).push_back(std::move(command));
}

void TestProgram::beginRepeat(fb::Symbol count) {
  auto command = std::make_unique<fb::CommandT>();
  command->repeat = std::make_unique<fb::RepeatT>();
  command->repeat->count = count;
  repeat_ = command->repeat.get();
  schedule().commands.push_back(std::move(command));
}

} // namespace rung::test
