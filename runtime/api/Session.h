//===- Session.h - a bundle on a device -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_API_SESSION_H
#define RUNG_RUNTIME_API_SESSION_H

#include "runtime/api/Backend.h"
#include "runtime/api/Interface.h"
#include "runtime/base/Status.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace rung {

/// The outputs of one run, with what they point into.
struct RunResult {
  struct Output {
    const PortInfo *port = nullptr;
    std::vector<int64_t> shape;
    std::unique_ptr<std::byte[]> bytes;
  };
  std::shared_ptr<const Interface> interface;
  std::vector<Output> outputs;
  rung_timing timing{};
  uint32_t segments = 1; ///< Of time.
};

/// Memory that a backend fills; its pages are not touched before, so that a
/// size that the device refuses costs nothing.
Result<RunResult::Output> makeOutput(const PortInfo &port, uint32_t steps,
                                     uint32_t batch);

class SessionStream;

/// Checks what callers pass and lets one at a time at the backend.
class Session {
public:
  /// \p device as rung_session_create takes it.
  static Result<std::unique_ptr<Session>>
  create(std::shared_ptr<const Interface> interface, std::string_view device,
         const BackendOptions &options);

  Result<std::unique_ptr<RunResult>> run(size_t function,
                                         std::span<const rung_tensor> inputs);
  /// Runs once more what ran last, on what the device has.
  Result<rung_timing> runAgain();

  /// A function's steps, one at a time; \p states are what they start from.
  Result<std::unique_ptr<SessionStream>>
  openStream(size_t function, std::span<const rung_tensor> states);

  MemoryUsed memory();

  const Backend &backend() const { return *backend_; }

private:
  friend class SessionStream;
  Session(std::shared_ptr<const Interface> interface,
          std::unique_ptr<Backend> backend)
      : interface_(std::move(interface)), backend_(std::move(backend)) {}
  Result<const FunctionInfo *> functionAt(size_t index) const;
  Result<std::unique_ptr<RunResult>> runFunction(const FunctionInfo &function,
                                                 RunRequest request);

  std::shared_ptr<const Interface> interface_;
  std::mutex mutex_;
  std::unique_ptr<Backend> backend_;
  std::optional<RunRequest> last_; ///< Function, T and B of the last run.
};

} // namespace rung

#endif // RUNG_RUNTIME_API_SESSION_H
