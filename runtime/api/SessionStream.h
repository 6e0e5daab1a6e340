//===- SessionStream.h - a function, step by step ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_API_SESSIONSTREAM_H
#define RUNG_RUNTIME_API_SESSIONSTREAM_H

#include "runtime/api/Session.h"

namespace rung {

/// One function's steps, one at a time, each from the states of the one
/// before. Where the backend has no streams a step is a run of T 1. The session
/// must outlive it.
class SessionStream {
public:
  Status step(std::span<const rung_tensor> inputs);
  /// An output of the last step, or a state as it is now. Lives until the next
  /// step.
  Result<const RunResult::Output *> output(size_t index);
  ~SessionStream();

private:
  friend class Session;
  SessionStream(Session &session, const FunctionInfo &function, uint32_t index,
                uint32_t batch)
      : session_(session), function_(function), index_(index), batch_(batch) {}
  Status start(const RunRequest &states);
  Status checkStep(const RunRequest &request) const;
  void giveStates(RunRequest &request) const;
  std::vector<std::span<std::byte>> outputBytes() const;

  Session &session_;
  const FunctionInfo &function_;
  uint32_t index_, batch_;
  std::unique_ptr<BackendStream> stream_; ///< Null: each step is a run.
  std::vector<RunResult::Output> outputs_;
  std::vector<size_t> sizes_;
  /// Of a stream of runs: each state's bytes.
  std::vector<std::vector<std::byte>> states_;
  bool stepped_ = false, statesRead_ = false;
};

} // namespace rung

#endif // RUNG_RUNTIME_API_SESSIONSTREAM_H
