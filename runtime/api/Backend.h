//===- Backend.h - what runs a bundle's functions ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_API_BACKEND_H
#define RUNG_RUNTIME_API_BACKEND_H

#include "runtime/base/Status.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rung {

/// One call of one function, checked and sized by the session: every input
/// and output has exactly the bytes that its port takes with this T and B.
struct RunRequest {
  uint32_t function = 0; ///< Index in the bundle.
  uint32_t steps = 1;    ///< T
  uint32_t batch = 1;    ///< B
  /// Run once more what ran last with this function, T and B, on the inputs
  /// that the device has, and leave the outputs there: no host copies.
  bool again = false;

  /// One per input port. No value means zeros (a state that was left out).
  struct Input {
    bool given = false;
    std::span<const std::byte> bytes;
  };
  std::vector<Input> inputs;

  /// One per output port; the backend writes every byte.
  std::vector<std::span<std::byte>> outputs;
};

/// What a session may ask of the device that runs it.
struct BackendOptions {
  /// Longest that a run may take.
  std::chrono::nanoseconds timeout = std::chrono::seconds(600);
  /// Whether runs take times by the device's clock.
  bool clock = true;
  /// Bytes of the device that weights and one function's buffers may take; 0:
  /// what the device has. Runs are cut into segments of time to keep it.
  uint64_t memoryLimit = 0;
  /// Steps of a segment, where functions can run in segments; 0: as many as
  /// memory allows.
  uint32_t segmentSteps = 0;
};

/// What a backend has allocated.
struct MemoryUsed {
  uint64_t deviceBytes = 0;  ///< Weights and all that kernels work in.
  uint64_t stagingBytes = 0; ///< For copies to and from the host.
};

/// Where a run's time went, in milliseconds.
struct RunTimes {
  double prepareMs = 0;  ///< Making buffers and recording commands.
  double deviceMs = -1;  ///< Kernels, by the device's clock; < 0 without one.
  double transferMs = 0; ///< Copies of inputs and outputs, likewise.
  uint32_t segments = 1; ///< Of time that the run was cut into.
};

/// One function, a step at a time. Its states stay with it.
class BackendStream {
public:
  virtual ~BackendStream() = default;

  /// Does one step: inputs and outputs of \p request are those of T 1; those of
  /// states are not looked at.
  [[nodiscard]] virtual Status step(const RunRequest &request) = 0;
  /// Writes the states into their outputs.
  [[nodiscard]] virtual Status states(const RunRequest &request) = 0;
};

/// Something that can run the functions of the one bundle it was made for. Not
/// safe for several threads at once: the session takes care of that. Runs
/// share no state but what inputs and outputs carry; a stream keeps its own.
class Backend {
public:
  virtual ~Backend() = default;

  /// Runs one function once, to its end.
  [[nodiscard]] virtual Result<RunTimes> run(const RunRequest &request) = 0;

  /// A stream of the function of \p request that starts from its states; null
  /// where a step is a run like others. The backend must outlive it.
  [[nodiscard]] virtual Result<std::unique_ptr<BackendStream>>
  openStream(const RunRequest & /*request*/) {
    return std::unique_ptr<BackendStream>();
  }

  /// Nothing for an interpreter.
  virtual MemoryUsed memory() const { return {}; }

  /// The device's name, that of an interpreter for one.
  virtual const std::string &deviceName() const = 0;

  /// The profile of the kernels that run, an interpreter's name for one.
  virtual const std::string &variantName() const = 0;

  /// Why these kernels, one line a variant.
  virtual const std::string &explanation() const = 0;
};

} // namespace rung

#endif // RUNG_RUNTIME_API_BACKEND_H
