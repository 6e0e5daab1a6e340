//===- ReferenceBackend.cpp - devices that interpret ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/ReferenceBackend.h"

#include "runtime/base/Text.h"
#include "runtime/reference/Program.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace rung {
namespace {

using reference::Dims;
using reference::Program;
using reference::Tensor;

double millisecondsSince(std::chrono::steady_clock::time_point start) {
  std::chrono::duration<double, std::milli> passed =
      std::chrono::steady_clock::now() - start;
  return passed.count();
}

Dims concreteDims(const fb::TensorType &type, const RunRequest &request) {
  Dims dims;
  for (int32_t dim : *type.dims())
    dims.push_back(dim == kDimT   ? request.steps
                   : dim == kDimB ? request.batch
                                  : dim);
  return dims;
}

/// What each device is called and says of itself, in the enum's order.
struct DeviceText {
  std::string_view name, explanation;
};
constexpr DeviceText kDevices[] = {
    {"reference", "reference: interprets the graph, every rounding modelled"},
    {"exact", "exact: interprets the model in double precision"},
    {"exact-own",
     "exact-own: interprets the model in double precision, with the weights "
     "that the kernels use"},
};
const DeviceText &textOf(ReferenceDevice device) {
  return kDevices[static_cast<size_t>(device)];
}

class ReferenceBackend final : public Backend {
public:
  ReferenceBackend(std::shared_ptr<const BundleReader> bundle,
                   ReferenceDevice device)
      : device_(device), name_(textOf(device).name),
        explanation_(textOf(device).explanation), bundle_(std::move(bundle)),
        weights_(*bundle_, device == ReferenceDevice::ExactOwn
                               ? reference::WeightChoice::Own
                               : reference::WeightChoice::AsNamed),
        programs_(bundle_->root().functions()->size()) {}

  Result<RunTimes> run(const RunRequest &request) override;
  const std::string &deviceName() const override { return name_; }
  const std::string &variantName() const override { return name_; }
  const std::string &explanation() const override { return explanation_; }

private:
  const fb::Function &functionOf(const RunRequest &request) const {
    return *bundle_->root().functions()->Get(request.function);
  }
  Result<const Program *> programOf(const RunRequest &request);
  Result<RunTimes> interpret(const RunRequest &request);
  void passStates(const RunRequest &request, size_t outputs) const;

  ReferenceDevice device_;
  const std::string name_, explanation_;
  std::shared_ptr<const BundleReader> bundle_;
  reference::Weights weights_;
  std::vector<std::optional<Program>> programs_;
};

Result<const Program *> ReferenceBackend::programOf(const RunRequest &request) {
  std::optional<Program> &program = programs_[request.function];
  if (program)
    return &*program;
  const fb::Function &function = functionOf(request);
  bool exact = device_ != ReferenceDevice::Reference;
  const fb::Graph *graph = exact ? function.source() : function.graph();
  if (!graph)
    return Status(StatusCode::Unsupported,
                  "the bundle does not tell what the model is in real numbers");
  reference::Interpretation how;
  if (exact)
    how.carried = reference::CarriedState::Exact;
  RUNG_ASSIGN_OR_RETURN(program, Program::make(*graph, weights_, how));
  return &*program;
}

/// Gives the states behind the first `outputs` outputs on as they came.
void ReferenceBackend::passStates(const RunRequest &request,
                                  size_t outputs) const {
  for (const fb::StateLink *state : *functionOf(request).states()) {
    if (state->output() < outputs)
      continue;
    std::span<std::byte> to = request.outputs[state->output()];
    const RunRequest::Input &from = request.inputs[state->input()];
    std::fill(to.begin(), to.end(), std::byte(0));
    if (from.given)
      std::copy(from.bytes.begin(), from.bytes.end(), to.begin());
  }
}

Result<RunTimes> ReferenceBackend::interpret(const RunRequest &request) {
  auto start = std::chrono::steady_clock::now();
  RUNG_ASSIGN_OR_RETURN(const Program *program, programOf(request));
  const fb::Function &function = functionOf(request);
  std::vector<Tensor> inputs;
  for (uint32_t i = 0; i < program->inputCount(); ++i) {
    const fb::TensorType &type = *function.inputs()->Get(i)->type();
    Dims dims = concreteDims(type, request);
    ScalarType element = toScalarType(type.element());
    const RunRequest::Input &input = request.inputs[i];
    inputs.push_back(
        input.given ? reference::decode(element, std::move(dims), input.bytes)
                    : Tensor::zeros(element, std::move(dims)));
  }
  RunTimes times;
  times.prepareMs = millisecondsSince(start);
  RUNG_ASSIGN_OR_RETURN(
      std::vector<Tensor> outputs,
      program->run(std::move(inputs), request.steps, request.batch));
  for (uint32_t i = 0; i < outputs.size(); ++i) {
    ScalarType element =
        toScalarType(function.outputs()->Get(i)->type()->element());
    size_t needed = outputs[i].values.size() * byteSize(element);
    if (needed != request.outputs[i].size())
      return Status(StatusCode::InvalidData,
                    concat("output ", i, " has shape ",
                           reference::toString(outputs[i].dims), " and takes ",
                           needed, " bytes, not the ",
                           request.outputs[i].size(), " of its port"));
    reference::encode(outputs[i], element, request.outputs[i]);
  }
  passStates(request, outputs.size());
  return times;
}

Result<RunTimes> ReferenceBackend::run(const RunRequest &request) {
  if (request.again)
    return Status(StatusCode::Unsupported,
                  "the reference keeps no inputs to run again on");
  // The sizes of a run are the caller's choice; the standard containers have
  // no other way to say that one is too large.
  try {
    return interpret(request).while_(
        concat("interpreting function ",
               quote(functionOf(request).name()->string_view())));
  } catch (const std::bad_alloc &) {
  } catch (const std::length_error &) {
  }
  return Status(StatusCode::ResourceExhausted,
                concat("host memory does not hold a run of ", request.steps,
                       " steps and ", request.batch, " rows"));
}

} // namespace

std::optional<ReferenceDevice> parseReferenceDevice(std::string_view name) {
  for (size_t i = 0; i < std::size(kDevices); ++i)
    if (kDevices[i].name == name)
      return static_cast<ReferenceDevice>(i);
  return std::nullopt;
}

Result<std::unique_ptr<Backend>>
makeReferenceBackend(std::shared_ptr<const BundleReader> bundle,
                     ReferenceDevice device) {
  std::unique_ptr<Backend> backend =
      std::make_unique<ReferenceBackend>(std::move(bundle), device);
  return backend;
}

} // namespace rung
