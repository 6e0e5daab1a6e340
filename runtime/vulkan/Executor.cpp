//===- Executor.cpp - runs one variant of a bundle --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/Executor.h"

#include "runtime/base/Text.h"
#include "runtime/vulkan/PipelineCache.h"

#include <algorithm>

namespace rung {

using Clock = std::chrono::steady_clock;

static double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

Result<std::unique_ptr<Executor>> Executor::create(Device &device,
                                                   const BundleReader &bundle,
                                                   ExecutorOptions options) {
  std::unique_ptr<Executor> executor(
      new Executor(device, bundle, std::move(options)));
  RUNG_RETURN_IF_ERROR(executor->createPipelines());
  RUNG_ASSIGN_OR_RETURN(executor->weights_,
                        PackedWeights::upload(device, executor->variant(),
                                              bundle.weights(),
                                              executor->options_.ports.unified,
                                              executor->options_.timeout));
  executor->streams_.resize(bundle.root().functions()->size());
  RUNG_RETURN_IF_ERROR(device.instance().messages()->takeAsStatus());
  return executor;
}

Status Executor::createPipelines() {
  RUNG_ASSIGN_OR_RETURN(PipelineCache cache,
                        PipelineCache::open(device_, options_.cacheFolder));
  for (const fb::Kernel *kernel : *variant().kernels()) {
    RUNG_ASSIGN_OR_RETURN(Pipeline pipeline,
                          Pipeline::create(device_, *kernel, cache.handle()));
    pipelines_.push_back(std::move(pipeline));
  }
  // Without the file the next process compiles again; that is all.
  static_cast<void>(cache.save(device_));
  return Status::ok();
}

const fb::Schedule &Executor::scheduleOf(const RunRequest &request) const {
  const fb::Schedule &schedule = *variant().schedules()->Get(request.function);
  const bool single = request.steps == 1 && request.batch == 1;
  return single && schedule.single_row() ? *schedule.single_row() : schedule;
}

Result<Executor::FunctionState *> Executor::prepare(const RunRequest &request) {
  const fb::Schedule &schedule = scheduleOf(request);
  std::unique_ptr<FunctionState> &state = functions_[&schedule];
  if (!state) {
    RUNG_ASSIGN_OR_RETURN(Recording recording,
                          Recording::create(device_, options_.clock));
    state.reset(
        new FunctionState{FunctionBuffers(schedule, weights_, options_.ports),
                          std::move(recording), std::nullopt});
  }
  if (!state->plan || state->plan->steps != request.steps ||
      state->plan->batch != request.batch)
    RUNG_RETURN_IF_ERROR(record(*state, request));
  return state.get();
}

/// What the buffers of a function may take.
uint64_t Executor::memoryFor(const FunctionState &state) const {
  if (options_.memoryLimit == 0)
    return device_.availableMemory() + state.buffers.deviceBytes();
  return options_.memoryLimit -
         std::min(options_.memoryLimit, weights_.totalBytes());
}

MemoryUsed Executor::memory() const {
  MemoryUsed memory = {.deviceBytes = weights_.totalBytes()};
  for (const auto &[schedule, state] : functions_)
    if (state) {
      memory.deviceBytes += state->buffers.deviceBytes();
      memory.stagingBytes += state->buffers.stagingBytes();
    }
  for (const std::unique_ptr<StepStream> &stream : streams_)
    if (stream)
      memory.deviceBytes += stream->deviceBytes();
  return memory;
}

Status Executor::record(FunctionState &state, const RunRequest &request) {
  const RunShape shape = {.steps = request.steps,
                          .batch = request.batch,
                          .memoryLimit = memoryFor(state),
                          .segmentSteps = options_.segmentSteps};
  Result<RunPlan> plan =
      RunPlan::make(device_.snapshot(), variant(), scheduleOf(request),
                    *bundle_.root().functions()->Get(request.function), shape);
  if (!plan.isOk() && options_.memoryLimit != 0)
    return plan.takeStatus().while_(
        concat("keeping the memory limit of ", options_.memoryLimit,
               " bytes, of which weights take ", weights_.totalBytes()));
  RUNG_RETURN_IF_ERROR(plan.status());
  // If any of this fails, what was recorded before names buffers that are gone.
  state.plan.reset();
  RUNG_RETURN_IF_ERROR(state.buffers.grow(device_, *plan, shape.memoryLimit));
  RUNG_RETURN_IF_ERROR(
      state.recording.record(device_, *plan, state.buffers, pipelines_));
  ++recordings_;
  state.plan = *std::move(plan);
  return Status::ok();
}

Result<std::unique_ptr<StepStream>>
Executor::makeStream(const RunRequest &request) {
  if (request.batch != 1)
    return Status(StatusCode::InvalidArgument,
                  concat("the function streams one row; B is ", request.batch));
  RUNG_ASSIGN_OR_RETURN(
      std::unique_ptr<StepStream> stream,
      StepStream::create(device_, variant(),
                         *variant().schedules()->Get(request.function),
                         *bundle_.root().functions()->Get(request.function),
                         weights_, pipelines_, options_.timeout));
  const uint64_t bytes = weights_.totalBytes() + stream->deviceBytes();
  if (options_.memoryLimit != 0 && bytes > options_.memoryLimit)
    return Status(StatusCode::ResourceExhausted,
                  concat("weights and a stream take ", bytes,
                         " bytes; the memory limit is ", options_.memoryLimit));
  return stream;
}

Result<std::unique_ptr<BackendStream>>
Executor::openStream(const RunRequest &request) {
  if (!isStream(request.function))
    return std::unique_ptr<BackendStream>();
  RUNG_ASSIGN_OR_RETURN(std::unique_ptr<StepStream> stream,
                        makeStream(request));
  RUNG_RETURN_IF_ERROR(stream->setStates(request));
  RUNG_RETURN_IF_ERROR(device_.instance().messages()->takeAsStatus());
  return std::unique_ptr<BackendStream>(std::move(stream));
}

/// A run of a stream: one step after the other.
Result<RunTimes> Executor::runSteps(const RunRequest &request) {
  if (request.again)
    return Status(StatusCode::FailedPrecondition,
                  "a stream's steps begin and end at the host");
  std::unique_ptr<StepStream> &stream = streams_[request.function];
  if (!stream || request.batch != 1) {
    RUNG_ASSIGN_OR_RETURN(stream, makeStream(request));
  }
  RUNG_RETURN_IF_ERROR(stream->setStates(request));
  for (uint32_t step = 0; step < request.steps; ++step)
    RUNG_RETURN_IF_ERROR(stream->step(request, step));
  RUNG_RETURN_IF_ERROR(stream->states(request));
  RUNG_RETURN_IF_ERROR(device_.instance().messages()->takeAsStatus());
  return RunTimes();
}

Result<RunTimes> Executor::runChecked(const RunRequest &request) {
  if (isStream(request.function))
    return runSteps(request);
  const Clock::time_point start = Clock::now();
  RUNG_ASSIGN_OR_RETURN(FunctionState * state, prepare(request));
  const double prepareMs = msSince(start);

  if (!request.again)
    state->buffers.writeInputs(*state->plan, request);
  state->buffers.clearProgress(*state->plan);
  RUNG_RETURN_IF_ERROR(
      device_.submitAndWait(state->recording.commands(), options_.timeout));
  RUNG_RETURN_IF_ERROR(state->buffers.checkProgress(*state->plan));
  if (!request.again)
    state->buffers.readOutputs(request);

  RUNG_ASSIGN_OR_RETURN(RunTimes times, state->recording.times(device_));
  times.prepareMs = prepareMs;
  times.segments = state->plan->segments;
  RUNG_RETURN_IF_ERROR(device_.instance().messages()->takeAsStatus());
  return times;
}

Result<RunTimes> Executor::run(const RunRequest &request) {
  if (!broken_.isOk())
    return Status(StatusCode::FailedPrecondition,
                  concat("nothing runs on '", device_.name(),
                         "' after an earlier error: ", broken_.message()));
  Result<RunTimes> times = runChecked(request);
  if (times.isOk())
    return times;
  Status status = times.takeStatus();
  if (status.code() == StatusCode::Device)
    broken_ = status;
  const fb::Function &function =
      *bundle_.root().functions()->Get(request.function);
  return std::move(status).while_(concat(
      "running function ", quote(function.name()->string_view()), " with T ",
      request.steps, ", B ", request.batch, " on '", device_.name(), "'"));
}

} // namespace rung
