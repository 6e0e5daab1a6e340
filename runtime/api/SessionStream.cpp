//===- SessionStream.cpp - a function, step by step -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/api/SessionStream.h"

#include "runtime/api/BindArguments.h"
#include "runtime/base/Text.h"

#include <algorithm>

namespace rung {

Result<std::unique_ptr<SessionStream>>
Session::openStream(size_t index, std::span<const rung_tensor> states) {
  RUNG_ASSIGN_OR_RETURN(const FunctionInfo *function, functionAt(index));
  RUNG_ASSIGN_OR_RETURN(RunRequest request,
                        bindStates(*function, states)
                            .while_(concat("binding the states of function ",
                                           quote(function->name))));
  request.function = uint32_t(index);
  std::unique_ptr<SessionStream> stream(
      new SessionStream(*this, *function, request.function, request.batch));
  RUNG_RETURN_IF_ERROR(stream->start(request));
  return stream;
}

Status SessionStream::start(const RunRequest &request) {
  for (const PortInfo &port : function_.outputs) {
    RUNG_ASSIGN_OR_RETURN(RunResult::Output output,
                          makeOutput(port, /*steps=*/1, batch_));
    RUNG_ASSIGN_OR_RETURN(size_t bytes, bytesOf(port.dtype, output.shape));
    outputs_.push_back(std::move(output));
    sizes_.push_back(bytes);
  }
  std::lock_guard lock(session_.mutex_);
  RUNG_ASSIGN_OR_RETURN(stream_, session_.backend_->openStream(request));
  if (stream_)
    return Status::ok();
  // States start as given, or as zeros.
  for (size_t i = 0; i < function_.inputs.size(); ++i) {
    const RunRequest::Input &input = request.inputs[i];
    if (function_.inputs[i].state == RUNG_NONE)
      continue;
    const size_t link = size_t(function_.inputs[i].state);
    states_.resize(std::max(states_.size(), link + 1));
    states_[link].assign(input.bytes.begin(), input.bytes.end());
  }
  return Status::ok();
}

SessionStream::~SessionStream() {
  std::lock_guard lock(session_.mutex_);
  stream_.reset();
}

Status SessionStream::checkStep(const RunRequest &request) const {
  for (size_t i = 0; i < function_.inputs.size(); ++i)
    if (request.inputs[i].given && function_.inputs[i].state != RUNG_NONE)
      return Status(StatusCode::InvalidArgument,
                    concat("input ", quote(function_.inputs[i].name),
                           " is a state, which the stream keeps"));
  if (request.steps != 1 || request.batch != batch_)
    return Status(StatusCode::InvalidArgument,
                  concat("a step of the stream has T 1 and B ", batch_,
                         "; T is ", request.steps, " and B is ",
                         request.batch));
  return Status::ok();
}

std::vector<std::span<std::byte>> SessionStream::outputBytes() const {
  std::vector<std::span<std::byte>> bytes;
  for (size_t i = 0; i < outputs_.size(); ++i)
    bytes.push_back({outputs_[i].bytes.get(), sizes_[i]});
  return bytes;
}

void SessionStream::giveStates(RunRequest &request) const {
  for (size_t i = 0; i < function_.inputs.size(); ++i) {
    if (function_.inputs[i].state == RUNG_NONE)
      continue;
    const std::vector<std::byte> &state =
        states_[size_t(function_.inputs[i].state)];
    request.inputs[i] = {.given = !state.empty(), .bytes = state};
  }
}

Status SessionStream::step(std::span<const rung_tensor> inputs) {
  RUNG_ASSIGN_OR_RETURN(RunRequest request, bindArguments(function_, inputs));
  RUNG_RETURN_IF_ERROR(checkStep(request));
  request.function = index_;
  request.outputs = outputBytes();
  std::lock_guard lock(session_.mutex_);
  stepped_ = false;
  if (stream_) {
    statesRead_ = false;
    RUNG_RETURN_IF_ERROR(stream_->step(request));
    stepped_ = true;
    return Status::ok();
  }
  giveStates(request);
  session_.last_.reset();
  RUNG_RETURN_IF_ERROR(session_.backend_->run(request).status());
  stepped_ = statesRead_ = true;
  for (size_t i = 0; i < function_.outputs.size(); ++i)
    if (function_.outputs[i].state != RUNG_NONE)
      states_[size_t(function_.outputs[i].state)].assign(
          request.outputs[i].begin(), request.outputs[i].end());
  return Status::ok();
}

Result<const RunResult::Output *> SessionStream::output(size_t index) {
  if (index >= outputs_.size())
    return Status(StatusCode::InvalidArgument,
                  concat("output ", index, " is not below ", outputs_.size()));
  if (!stepped_)
    return Status(StatusCode::FailedPrecondition,
                  "the stream has done no step, or its last one failed");
  if (function_.outputs[index].state != RUNG_NONE && !statesRead_) {
    std::lock_guard lock(session_.mutex_);
    RUNG_RETURN_IF_ERROR(
        stream_->states({.inputs = {}, .outputs = outputBytes()}));
    statesRead_ = true;
  }
  return &outputs_[index];
}

} // namespace rung
