//===- RunPlan.cpp - a schedule with its sizes known ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/RunPlan.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/Buffer.h"

#include <algorithm>
#include <limits>

namespace rung {

namespace {

/// Commands are recorded one by one; more than this is no plausible model but
/// would fill the host's memory.
constexpr uint64_t kMaxDispatches = uint64_t(1) << 24;

class Planner {
public:
  Planner(const DeviceSnapshot &device, const fb::Variant &variant,
          const fb::Schedule &schedule)
      : device_(device), variant_(variant), schedule_(schedule) {}

  Result<RunPlan> run(uint32_t steps, uint32_t batch) {
    plan_.steps = steps;
    plan_.batch = batch;
    RUNG_RETURN_IF_ERROR(checkProduct());
    for (uint32_t i = 0; i < schedule_.buffers()->size(); ++i)
      RUNG_RETURN_IF_ERROR(planBuffer(i));
    for (const fb::Command *command : *schedule_.commands())
      RUNG_RETURN_IF_ERROR(planCommand(*command));
    return std::move(plan_);
  }

private:
  Status checkProduct();
  Status planBuffer(uint32_t index);
  Status planCommand(const fb::Command &command);
  Status planDispatch(const fb::Command &command,
                      std::vector<PlannedDispatch> &dispatches);

  const DeviceSnapshot &device_;
  const fb::Variant &variant_;
  const fb::Schedule &schedule_;
  RunPlan plan_;
  uint64_t dispatches_ = 0;
};

/// Kernels count rows of all steps in 32 bits.
Status Planner::checkProduct() {
  const uint64_t rows = uint64_t(plan_.steps) * plan_.batch;
  constexpr uint64_t kLimit = std::numeric_limits<int32_t>::max();
  if (rows > kLimit)
    return Status(StatusCode::InvalidArgument,
                  concat("T times B is ", rows, " and exceeds ", kLimit));
  return Status::ok();
}

Status Planner::planBuffer(uint32_t index) {
  const fb::Buffer &buffer = *schedule_.buffers()->Get(index);
  RUNG_ASSIGN_OR_RETURN(
      uint64_t bytes,
      evaluate(*buffer.size(), plan_.steps, plan_.batch)
          .while_(concat("computing the size of buffer ", index)));
  const uint64_t limit = device_.limits.largestStorageBuffer();
  if (bytes > limit || Buffer::roundedSize(bytes) > limit)
    return Status(StatusCode::ResourceExhausted,
                  concat("buffer ", index, " needs ", bytes,
                         " bytes; the largest storage buffer of '",
                         device_.name, "' has ", limit));
  plan_.bufferBytes.push_back(bytes);
  return Status::ok();
}

Status Planner::planCommand(const fb::Command &command) {
  PlannedCommands planned;
  const fb::Repeat *repeat = command.repeat();
  if (!repeat) {
    RUNG_RETURN_IF_ERROR(planDispatch(command, planned.dispatches));
  } else {
    planned.iterations = [&]() -> uint32_t {
      switch (repeat->count()) {
      case fb::Symbol::T:
        return plan_.steps;
      case fb::Symbol::B:
        return plan_.batch;
      case fb::Symbol::TB:
        return plan_.steps * plan_.batch;
      default:
        return 1;
      }
    }();
    for (const fb::Command *inner : *repeat->body())
      RUNG_RETURN_IF_ERROR(planDispatch(*inner, planned.dispatches));
  }
  dispatches_ += uint64_t(planned.iterations) * planned.dispatches.size();
  if (dispatches_ > kMaxDispatches)
    return Status(StatusCode::ResourceExhausted,
                  concat("the run needs ", dispatches_,
                         " dispatches; a run has ", kMaxDispatches,
                         " at most"));
  plan_.commands.push_back(std::move(planned));
  return Status::ok();
}

Status Planner::planDispatch(const fb::Command &command,
                             std::vector<PlannedDispatch> &dispatches) {
  const std::string_view kernel =
      variant_.kernels()->Get(command.kernel())->name()->string_view();
  PlannedDispatch planned = {.command = &command};
  bool empty = false;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    RUNG_ASSIGN_OR_RETURN(
        uint64_t groups,
        evaluate(*command.groups()->Get(axis), plan_.steps, plan_.batch)
            .while_(concat("counting workgroups of kernel ", quote(kernel))));
    const uint32_t limit = device_.limits.maxComputeWorkGroupCount[axis];
    if (groups > limit)
      return Status(StatusCode::ResourceExhausted,
                    concat("kernel ", quote(kernel), " needs ", groups,
                           " workgroups in ", "xyz"[axis], "; the limit of '",
                           device_.name, "' is ", limit));
    planned.groups[axis] = static_cast<uint32_t>(groups);
    empty |= groups == 0;
  }
  if (!empty)
    dispatches.push_back(planned);
  return Status::ok();
}

} // namespace

Result<RunPlan> RunPlan::make(const DeviceSnapshot &device,
                              const fb::Variant &variant, uint32_t function,
                              uint32_t steps, uint32_t batch) {
  return Planner(device, variant, *variant.schedules()->Get(function))
      .run(steps, batch);
}

uint32_t pushValue(const fb::Push &push, uint32_t steps, uint32_t batch,
                   uint32_t iteration) {
  switch (push.kind()) {
  case fb::PushKind::Constant:
    return push.value();
  case fb::PushKind::T:
    return steps;
  case fb::PushKind::B:
    return batch;
  case fb::PushKind::TB:
    return steps * batch;
  case fb::PushKind::Step:
    return iteration;
  }
  return 0;
}

} // namespace rung
