//===- Model.h - runtime/rung.h for C++ -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_MODEL_H
#define RUNG_TOOLS_RUNG_RUN_MODEL_H

#include "runtime/base/Npy.h"
#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"
#include "runtime/rung.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rung::tools {

struct Port {
  std::string name;
  ScalarType type = ScalarType::F32;
  std::vector<int64_t> dims; ///< RUNG_DIM_T, RUNG_DIM_B or an extent.
  int32_t state = RUNG_NONE; ///< Index of its state link.

  bool isState() const { return state != RUNG_NONE; }
};

/// "f32[T, B, 256]".
std::string typeName(const Port &port);

struct StateLink {
  std::string name;
  uint32_t input = 0, output = 0;
};

/// As rung_generation, which tells what each means.
struct Generation {
  std::string promptFunction, promptInput, tokenInput, tokenOutput,
      logitsOutput, inputVocabulary, outputVocabulary;
  std::vector<int32_t> append;
  int32_t start = RUNG_NONE, stop = RUNG_NONE;
  uint32_t maxSteps = 0;
};

struct Function {
  size_t index = 0;
  std::string name;
  std::vector<Port> inputs, outputs;
  std::vector<StateLink> states;
  std::optional<Generation> generation;

  std::optional<size_t> findInput(std::string_view name) const;
  std::optional<size_t> findOutput(std::string_view name) const;
};

/// A bundle, with its interface read.
class Model {
public:
  static Result<Model> open(const std::string &path);

  const std::vector<Function> &functions() const { return functions_; }
  /// The function of that name; where `name` is empty, the only one there is.
  Result<const Function *> function(std::string_view name) const;
  Result<std::string> asset(const std::string &name) const;
  const rung_bundle *handle() const { return bundle_.get(); }

private:
  struct Close {
    void operator()(rung_bundle *bundle) const { rung_bundle_close(bundle); }
  };
  Status readInterface();

  std::unique_ptr<rung_bundle, Close> bundle_;
  std::vector<Function> functions_;
};

/// What a run gave: one tensor per output port, in the ports' order.
struct Outcome {
  std::vector<Tensor> outputs;
  rung_timing timing = {};
  uint32_t segments = 1; ///< Of time that the device cut it into.
};

struct SessionOptions {
  double timeoutSeconds = 0; ///< Of 0: the library's own limit of a run.
  bool deviceClock = false;  ///< Whether runs take the device's times.
  uint32_t segmentSteps = 0; ///< As rung_options'.
  uint64_t memoryLimit = 0;  ///< As rung_options'.
};

/// A model on a device.
class Session {
public:
  static Result<Session> create(const Model &model, const std::string &device,
                                const SessionOptions &options = {});

  std::string device() const { return rung_session_device(session_.get()); }
  std::string variant() const { return rung_session_variant(session_.get()); }
  std::string explanation() const {
    return rung_session_explanation(session_.get());
  }

  rung_memory memory() const {
    rung_memory memory;
    rung_session_memory(session_.get(), &memory);
    return memory;
  }

  rung_session *handle() const { return session_.get(); }

  /// Inputs must have the types of their ports.
  Result<Outcome> run(const Function &function, const NamedTensors &inputs);
  /// Runs the last run once more, without copies to and from the host.
  Result<rung_timing> runAgain();

private:
  struct Destroy {
    void operator()(rung_session *session) const {
      rung_session_destroy(session);
    }
  };
  std::unique_ptr<rung_session, Destroy> session_;
};

/// The library's last error as a status.
Status lastError(rung_code code);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_MODEL_H
