//===- RunPlan.cpp - a schedule with its sizes known ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/RunPlan.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/SegmentLayout.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace rung {

namespace {

/// Commands are recorded one by one; more than this is no plausible model but
/// would fill the host's memory.
constexpr uint64_t kMaxDispatches = uint64_t(1) << 24;

/// Segments are commands and descriptors of their own; more of them than that
/// would be a second loop over the steps.
constexpr uint32_t kMaxSegments = 4096;

class Planner {
public:
  Planner(const DeviceSnapshot &device, const fb::Variant &variant,
          const fb::Schedule &schedule, const TimeStages &stages,
          const RunShape &shape)
      : device_(device), variant_(variant), schedule_(schedule),
        stages_(stages), layout_(device, schedule, stages, shape) {
    plan_.steps = shape.steps;
    plan_.batch = shape.batch;
  }

  /// The run in segments of that many steps.
  Result<RunPlan> run(uint32_t segmentSteps);

private:
  Status planSegment(uint32_t segment);
  void planWaves();
  Status planCommand(uint32_t index, uint32_t segment);
  Status planDispatch(const fb::Command &command, uint32_t segment,
                      PlannedCommands &commands);
  Status count(const PlannedCommands &commands);

  const DeviceSnapshot &device_;
  const fb::Variant &variant_;
  const fb::Schedule &schedule_;
  const TimeStages &stages_;
  SegmentLayout layout_;
  RunPlan plan_;
  uint64_t dispatches_ = 0;
};

/// Kernels count rows of all steps in 32 bits.
Status checkProduct(const RunShape &shape) {
  const uint64_t rows = uint64_t(shape.steps) * shape.batch;
  constexpr uint64_t kLimit = std::numeric_limits<int32_t>::max();
  if (rows > kLimit)
    return Status(StatusCode::InvalidArgument,
                  concat("T times B is ", rows, " and exceeds ", kLimit));
  return Status::ok();
}

Result<RunPlan> Planner::run(uint32_t segmentSteps) {
  RUNG_RETURN_IF_ERROR(layout_.place(segmentSteps));
  plan_.segments = layout_.segments();
  if (plan_.segments > kMaxSegments)
    return Status(StatusCode::ResourceExhausted,
                  concat("the run takes ", plan_.segments,
                         " segments of time; a run has ", kMaxSegments,
                         " at most"));
  for (uint32_t segment = 0; segment < plan_.segments; ++segment)
    RUNG_RETURN_IF_ERROR(planSegment(segment));
  if (plan_.segments > 1)
    planWaves();
  plan_.storageBytes = layout_.takeStorage();
  plan_.regions = layout_.takeRegions();
  return std::move(plan_);
}

Status Planner::planSegment(uint32_t segment) {
  for (uint32_t i = 0; i < schedule_.commands()->size(); ++i)
    RUNG_RETURN_IF_ERROR(planCommand(i, segment));
  return Status::ok();
}

Status Planner::planCommand(uint32_t index, uint32_t segment) {
  const fb::Command &command = *schedule_.commands()->Get(index);
  const uint32_t steps = layout_.stepsOf(segment);
  PlannedCommands planned;
  const fb::Repeat *repeat = command.repeat();
  if (!repeat) {
    RUNG_RETURN_IF_ERROR(planDispatch(command, segment, planned));
  } else {
    planned.iterations = [&]() -> uint32_t {
      switch (repeat->count()) {
      case fb::Symbol::T:
        return steps;
      case fb::Symbol::B:
        return plan_.batch;
      case fb::Symbol::TB:
        return steps * plan_.batch;
      default:
        return 1;
      }
    }();
    for (const fb::Command *inner : *repeat->body())
      RUNG_RETURN_IF_ERROR(planDispatch(*inner, segment, planned));
  }
  RUNG_RETURN_IF_ERROR(count(planned));
  plan_.commands.push_back(std::move(planned));
  return Status::ok();
}

Status Planner::count(const PlannedCommands &commands) {
  dispatches_ += uint64_t(commands.iterations) * commands.dispatches.size();
  if (dispatches_ > kMaxDispatches)
    return Status(StatusCode::ResourceExhausted,
                  concat("the run needs ", dispatches_,
                         " dispatches; a run has ", kMaxDispatches,
                         " at most"));
  return Status::ok();
}

Status Planner::planDispatch(const fb::Command &command, uint32_t segment,
                             PlannedCommands &commands) {
  const std::string_view kernel =
      variant_.kernels()->Get(command.kernel())->name()->string_view();
  PlannedDispatch planned = {.command = &command,
                             .steps = layout_.stepsOf(segment),
                             .iterations = commands.iterations,
                             .position = uint32_t(commands.dispatches.size())};
  bool empty = false;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    RUNG_ASSIGN_OR_RETURN(
        uint64_t groups,
        evaluate(*command.groups()->Get(axis), planned.steps, plan_.batch)
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
  if (empty)
    return Status::ok();
  for (const fb::Argument *argument : *command.arguments()) {
    planned.regions.push_back(layout_.region(argument->buffer(), segment));
    planned.alone |= schedule_.buffers()->Get(argument->buffer())->role() ==
                     fb::BufferRole::Progress;
  }
  commands.dispatches.push_back(std::move(planned));
  return Status::ok();
}

/// From the order of segments to that of a pipeline: in wave w, stage k works
/// on segment w - k. What has the same round in a wave depends on nothing else
/// of that round and goes through its iterations together.
void Planner::planWaves() {
  const auto count = schedule_.commands()->size();
  std::vector<PlannedCommands> bySegment = std::move(plan_.commands);
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, {}, [&](uint32_t c) { return stages_.commands[c].round; });
  plan_.commands.clear();
  for (uint32_t wave = 0; wave < plan_.segments + stages_.stages - 1; ++wave) {
    const int32_t kNone = std::numeric_limits<int32_t>::min();
    int32_t round = kNone;
    for (uint32_t c : order) {
      const TimeStages::Place &place = stages_.commands[c];
      if (wave < place.stage || wave - place.stage >= plan_.segments)
        continue;
      PlannedCommands &from = bySegment[(wave - place.stage) * count + c];
      if (round == kNone || place.round != round)
        plan_.commands.emplace_back();
      round = place.round;
      PlannedCommands &to = plan_.commands.back();
      to.iterations = std::max(to.iterations, from.iterations);
      std::ranges::move(from.dispatches, std::back_inserter(to.dispatches));
    }
  }
  // Bodies side by side, so that one barrier serves all of them.
  for (PlannedCommands &commands : plan_.commands)
    std::ranges::stable_sort(commands.dispatches, {},
                             &PlannedDispatch::position);
}

/// Halves segments until they fit.
Result<RunPlan> planSegments(const DeviceSnapshot &device,
                             const fb::Variant &variant,
                             const fb::Schedule &schedule,
                             const fb::Function &function,
                             const RunShape &shape) {
  const TimeStages stages = TimeStages::make(function, schedule);
  RUNG_ASSIGN_OR_RETURN(const uint32_t unit,
                        SegmentLayout(device, schedule, stages, shape).unit());
  uint64_t steps = shape.segmentSteps ? shape.segmentSteps : shape.steps;
  for (;;) {
    steps = (steps + unit - 1) / unit * unit;
    Result<RunPlan> plan =
        Planner(device, variant, schedule, stages, shape)
            .run(uint32_t(std::min<uint64_t>(steps, shape.steps)));
    if (plan.isOk() || shape.segmentSteps || steps <= unit ||
        plan.status().code() != StatusCode::ResourceExhausted)
      return plan;
    steps = std::min<uint64_t>(steps, shape.steps) / 2;
  }
}

} // namespace

Result<RunPlan> RunPlan::make(const DeviceSnapshot &device,
                              const fb::Variant &variant,
                              const fb::Schedule &schedule,
                              const fb::Function &function,
                              const RunShape &shape) {
  RUNG_RETURN_IF_ERROR(checkProduct(shape));
  if (function.segmentable() && shape.steps > 1 &&
      TimeStages::canMake(schedule))
    return planSegments(device, variant, schedule, function, shape);
  const TimeStages stages = TimeStages::together(schedule);
  return Planner(device, variant, schedule, stages, shape).run(shape.steps);
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
