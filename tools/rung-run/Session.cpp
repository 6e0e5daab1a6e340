//===- Session.cpp - running a model through runtime/rung.h ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Model.h"
#include "tools/rung-run/Steps.h"

#include <utility>

namespace rung::tools {
namespace {

struct DestroyResult {
  void operator()(rung_result *result) const { rung_result_destroy(result); }
};

Result<Tensor> copyOutput(const rung_result *result, size_t index) {
  rung_tensor from;
  if (rung_code code = rung_result_output(result, index, &from))
    return lastError(code);
  return copyTensor(from);
}

} // namespace

Result<Session> Session::create(const Model &model, const std::string &device,
                                const SessionOptions &wanted) {
  rung_options options = {};
  options.struct_size = sizeof options;
  options.device = device.c_str();
  options.timeout_seconds = wanted.timeoutSeconds;
  options.no_device_clock = !wanted.deviceClock;
  options.segment_steps = wanted.segmentSteps;
  options.memory_limit = wanted.memoryLimit;
  rung_session *session = nullptr;
  if (rung_code code =
          rung_session_create_with(model.handle(), &options, &session))
    return lastError(code);
  Session result;
  result.session_.reset(session);
  return result;
}

Result<Outcome> Session::run(const Function &function,
                             const NamedTensors &inputs) {
  TensorViews tensors(inputs);
  rung_result *raw = nullptr;
  if (rung_code code = rung_run(session_.get(), function.index, tensors.data(),
                                tensors.size(), &raw))
    return lastError(code);
  std::unique_ptr<rung_result, DestroyResult> result(raw);

  Outcome outcome;
  for (size_t i = 0; i < rung_result_output_count(raw); ++i) {
    RUNG_ASSIGN_OR_RETURN(Tensor output, copyOutput(raw, i));
    outcome.outputs.push_back(std::move(output));
  }
  rung_result_timing(raw, &outcome.timing);
  outcome.segments = rung_result_segments(raw);
  return outcome;
}

Result<rung_timing> Session::runAgain() {
  rung_timing timing;
  if (rung_code code = rung_run_again(session_.get(), &timing))
    return lastError(code);
  return timing;
}

} // namespace rung::tools
