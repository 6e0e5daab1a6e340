//===- ReferenceBackend.cpp - the device called "reference" ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/ReferenceBackend.h"

#include "runtime/base/Text.h"
#include "runtime/reference/Program.h"

#include <chrono>
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

class ReferenceBackend final : public Backend {
public:
  explicit ReferenceBackend(std::shared_ptr<const BundleReader> bundle)
      : bundle_(std::move(bundle)), weights_(*bundle_),
        programs_(bundle_->root().functions()->size()) {}

  Result<RunTimes> run(const RunRequest &request) override;
  const std::string &deviceName() const override { return name_; }
  const std::string &variantName() const override { return name_; }
  const std::string &explanation() const override { return explanation_; }

private:
  Result<RunTimes> interpret(const RunRequest &request);

  const std::string name_ = "reference";
  const std::string explanation_ =
      "reference: interprets the graph in double precision";
  std::shared_ptr<const BundleReader> bundle_;
  reference::Weights weights_;
  std::vector<std::optional<Program>> programs_;
};

Result<RunTimes> ReferenceBackend::interpret(const RunRequest &request) {
  auto start = std::chrono::steady_clock::now();
  std::optional<Program> &program = programs_[request.function];
  if (!program) {
    RUNG_ASSIGN_OR_RETURN(program,
                          Program::make(*bundle_, request.function, weights_));
  }
  const fb::Function &function =
      *bundle_->root().functions()->Get(request.function);
  std::vector<Tensor> inputs;
  for (uint32_t i = 0; i < function.inputs()->size(); ++i) {
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
        concat("interpreting function ", quote(bundle_->root()
                                                   .functions()
                                                   ->Get(request.function)
                                                   ->name()
                                                   ->string_view())));
  } catch (const std::bad_alloc &) {
  } catch (const std::length_error &) {
  }
  return Status(StatusCode::ResourceExhausted,
                concat("host memory does not hold a run of ", request.steps,
                       " steps and ", request.batch, " rows"));
}

} // namespace

Result<std::unique_ptr<Backend>>
makeReferenceBackend(std::shared_ptr<const BundleReader> bundle) {
  std::unique_ptr<Backend> backend =
      std::make_unique<ReferenceBackend>(std::move(bundle));
  return backend;
}

} // namespace rung
