//===- Session.cpp - a bundle on a device -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/api/Session.h"

#include "runtime/api/BindArguments.h"
#include "runtime/base/Text.h"
#include "runtime/reference/ReferenceBackend.h"
#include "runtime/vulkan/VulkanBackend.h"

#include <chrono>
#include <new>

namespace rung {

using Clock = std::chrono::steady_clock;

Result<std::unique_ptr<Session>>
Session::create(std::shared_ptr<const Interface> interface,
                std::string_view device, const BackendOptions &options) {
  std::shared_ptr<const BundleReader> reader = readerOf(interface);
  std::optional<ReferenceDevice> reference = parseReferenceDevice(device);
  RUNG_ASSIGN_OR_RETURN(
      std::unique_ptr<Backend> backend,
      (reference ? makeReferenceBackend(reader, *reference)
                 : makeVulkanBackend(reader, device, options))
          .while_(concat("creating a session on ",
                         device.empty() ? "the best device"
                                        : concat("device ", quote(device)))));
  return std::unique_ptr<Session>(
      new Session(std::move(interface), std::move(backend)));
}

Result<RunResult::Output> makeOutput(const PortInfo &port, uint32_t steps,
                                     uint32_t batch) {
  RunResult::Output output = {.port = &port,
                              .shape = shapeOf(port, steps, batch)};
  RUNG_ASSIGN_OR_RETURN(size_t bytes, bytesOf(port.dtype, output.shape));
  output.bytes.reset(new (std::nothrow) std::byte[bytes]);
  if (!output.bytes)
    return Status(StatusCode::ResourceExhausted,
                  concat("the host has no ", bytes, " bytes for output ",
                         quote(port.name)));
  return output;
}

Result<std::unique_ptr<RunResult>>
Session::runFunction(const FunctionInfo &function, RunRequest request) {
  auto result = std::make_unique<RunResult>();
  result->interface = interface_;
  for (const PortInfo &port : function.outputs) {
    RUNG_ASSIGN_OR_RETURN(RunResult::Output output,
                          makeOutput(port, request.steps, request.batch));
    RUNG_ASSIGN_OR_RETURN(size_t bytes, bytesOf(port.dtype, output.shape));
    request.outputs.push_back({output.bytes.get(), bytes});
    result->outputs.push_back(std::move(output));
  }
  std::lock_guard lock(mutex_);
  last_.reset();
  RUNG_ASSIGN_OR_RETURN(RunTimes times, backend_->run(request));
  last_ = RunRequest{.function = request.function,
                     .steps = request.steps,
                     .batch = request.batch,
                     .again = true,
                     .inputs = {},
                     .outputs = {}};
  result->timing = {.prepare_ms = times.prepareMs,
                    .device_ms = times.deviceMs,
                    .transfer_ms = times.transferMs,
                    .steps = request.steps,
                    .batch = request.batch};
  result->segments = times.segments;
  return result;
}

MemoryUsed Session::memory() {
  std::lock_guard lock(mutex_);
  return backend_->memory();
}

Result<rung_timing> Session::runAgain() {
  const Clock::time_point start = Clock::now();
  std::lock_guard lock(mutex_);
  if (!last_)
    return Status(StatusCode::FailedPrecondition,
                  "nothing has run in this session that could run again");
  RUNG_ASSIGN_OR_RETURN(RunTimes times, backend_->run(*last_));
  const std::chrono::duration<double, std::milli> host = Clock::now() - start;
  return rung_timing{.host_ms = host.count(),
                     .prepare_ms = times.prepareMs,
                     .device_ms = times.deviceMs,
                     .transfer_ms = times.transferMs,
                     .steps = last_->steps,
                     .batch = last_->batch};
}

Result<const FunctionInfo *> Session::functionAt(size_t index) const {
  if (index < interface_->functions.size())
    return &interface_->functions[index];
  return Status(StatusCode::InvalidArgument,
                concat("function ", index, " is not below ",
                       interface_->functions.size()));
}

Result<std::unique_ptr<RunResult>>
Session::run(size_t index, std::span<const rung_tensor> inputs) {
  const Clock::time_point start = Clock::now();
  RUNG_ASSIGN_OR_RETURN(const FunctionInfo *found, functionAt(index));
  const FunctionInfo &function = *found;
  Result<RunRequest> request = bindArguments(function, inputs);
  if (!request.isOk())
    return request.takeStatus().while_(
        concat("binding the inputs of function ", quote(function.name)));
  request->function = static_cast<uint32_t>(index);
  RUNG_ASSIGN_OR_RETURN(std::unique_ptr<RunResult> result,
                        runFunction(function, *std::move(request)));
  result->timing.host_ms =
      std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return result;
}

} // namespace rung
