//===- SpeedRunner.cpp - runs the rows of a table of speed ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/SpeedRunner.h"

#include "runtime/base/Text.h"
#include "tools/drift/InputSource.h"
#include "tools/rung-run/RandomPort.h"
#include "tools/rung-run/Steps.h"
#include "tools/rung-run/TimeAxis.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

namespace rung::tools {
namespace {

// Enough for a steady clock and for a median, and no row takes minutes.
constexpr double kWarmupMs = 150, kLongestMs = 1500;
constexpr uint32_t kLeastWarmups = 3, kLeastRuns = 5, kHostRuns = 200;

std::optional<size_t> batchAxis(const Port &port) {
  auto found = std::ranges::find(port.dims, int64_t(RUNG_DIM_B));
  if (found == port.dims.end())
    return std::nullopt;
  return found - port.dims.begin();
}

/// The first steps of the first rows.
Tensor prefix(const Tensor &tensor, const Port &port, uint64_t steps,
              uint64_t rows) {
  Tensor part = tensor;
  if (std::optional<size_t> axis = timeAxis(port))
    part = sliceTime(part, *axis, 0, std::min(steps, part.shape[*axis]));
  if (std::optional<size_t> axis = batchAxis(port))
    part = sliceTime(part, *axis, 0, std::min(rows, part.shape[*axis]));
  return part;
}

std::vector<uint64_t> shapeOf(const Port &port, uint64_t steps,
                              uint64_t batch) {
  std::vector<uint64_t> shape;
  for (int64_t dim : port.dims)
    shape.push_back(dim == RUNG_DIM_T   ? steps
                    : dim == RUNG_DIM_B ? batch
                                        : static_cast<uint64_t>(dim));
  return shape;
}

/// Normal numbers, rounded to f16 so that no format rounds them further,
/// tokens, or bytes of every value; a block is repeated, which is quicker than
/// billions of draws.
Tensor makeInput(const Port &port, const SpeedRow &row, uint64_t steps,
                 uint64_t seed) {
  constexpr uint64_t kBlock = 65521; // A prime: no row repeats soon.
  Tensor tensor = Tensor::zeros(port.type, shapeOf(port, steps, row.batch));
  const uint64_t count = std::min(kBlock, tensor.elementCount());
  Tensor block = Tensor::zeros(ScalarType::F64, {count});
  NormalSource normal(seed);
  std::mt19937_64 integers(seed);
  for (double &value : block.values<double>())
    value = isFloat(port.type) ? normal.next()
            : port.type == ScalarType::S8
                ? static_cast<double>(integers() % 255) - 127
            : holdsLengths(port)
                ? static_cast<double>(steps)
                : static_cast<double>(integers() %
                                      std::max<uint32_t>(1, row.tokens));
  if (isFloat(port.type))
    block = convert(block, ScalarType::F16);
  block = convert(block, port.type);
  for (size_t done = 0; done < tensor.data.size();) {
    size_t size = std::min(block.data.size(), tensor.data.size() - done);
    std::memcpy(tensor.data.data() + done, block.data.data(), size);
    done += size;
  }
  return tensor;
}

/// All inputs but states, which start at zero, save that of random numbers.
Result<NamedTensors> makeInputs(const Function &function, const SpeedRow &row,
                                uint64_t steps) {
  NamedTensors inputs;
  for (size_t i = 0; i < function.inputs.size(); ++i)
    if (const Port &port = function.inputs[i]; !port.isState())
      inputs.emplace_back(port.name, makeInput(port, row, steps, i + 1));
  if (findRandomPort(function))
    inputs.emplace_back(findRandomPort(function)->name,
                        randomState(/*seed=*/1, row.batch));
  return inputs;
}

/// One step after another, each with the states and the token of the one
/// before; a sequence's inputs and outputs are kept as long as wanted.
class Stream {
public:
  Stream(Session &session, const Function &function, const SpeedRow &row,
         NamedTensors sequence)
      : session_(session), function_(function), row_(row),
        sequence_(std::move(sequence)) {}

  Status open() {
    NamedTensors states;
    for (const Port &port : function_.inputs)
      if (port.isState())
        states.emplace_back(
            port.name,
            Tensor::zeros(port.type, shapeOf(port, /*steps=*/1, row_.batch)));
    for (auto &[name, tensor] : states)
      for (const auto &[other, given] : sequence_)
        if (name == other)
          tensor = given;
    RUNG_ASSIGN_OR_RETURN(Steps steps,
                          Steps::open(session_, function_, states));
    steps_.emplace(std::move(steps));
    if (row_.feedFrom.empty())
      return Status::ok();
    from_ = function_.findOutput(row_.feedFrom);
    to_ = function_.findInput(row_.feedTo);
    if (!from_ || !to_)
      return Status(StatusCode::NotFound,
                    concat("function ", quote(function_.name),
                           " has no output ", quote(row_.feedFrom),
                           " or no input ", quote(row_.feedTo)));
    return Status::ok();
  }

  /// The milliseconds of one step; its inputs are step `at` of the sequence.
  Result<double> call(uint64_t at, bool keep) {
    NamedTensors inputs = next(at);
    RUNG_ASSIGN_OR_RETURN(double ms, steps_->step(inputs));
    if (from_) {
      RUNG_ASSIGN_OR_RETURN(fed_, steps_->output(*from_));
    }
    if (keep)
      RUNG_RETURN_IF_ERROR(keepStep(inputs));
    return ms;
  }

  const NamedTensors &inputs() const { return kept_; }
  const std::vector<Tensor> &outputs() const { return keptOutputs_; }

private:
  NamedTensors next(uint64_t at) const {
    NamedTensors inputs;
    for (const auto &[name, tensor] : sequence_) {
      const Port &port = function_.inputs[*function_.findInput(name)];
      if (port.isState())
        continue; // The stream has it.
      const bool fed = fed_ && port.name == row_.feedTo;
      std::optional<size_t> axis = timeAxis(port);
      inputs.emplace_back(name, fed    ? *fed_
                                : axis ? sliceTime(tensor, *axis,
                                                   at % tensor.shape[*axis],
                                                   at % tensor.shape[*axis] + 1)
                                       : tensor);
    }
    return inputs;
  }

  Status keepStep(const NamedTensors &inputs) {
    std::vector<Tensor> outputs;
    for (size_t i = 0; i < function_.outputs.size(); ++i) {
      RUNG_ASSIGN_OR_RETURN(Tensor output, steps_->output(i));
      outputs.push_back(std::move(output));
    }
    if (kept_.empty()) {
      kept_ = inputs;
      for (const auto &[name, tensor] : sequence_)
        if (function_.inputs[*function_.findInput(name)].isState())
          kept_.emplace_back(name, tensor); // What the first step began with.
      keptOutputs_ = std::move(outputs);
      return Status::ok();
    }
    for (auto &[name, tensor] : kept_)
      for (const auto &[other, piece] : inputs)
        if (const Port &port = function_.inputs[*function_.findInput(name)];
            name == other && timeAxis(port))
          appendTime(tensor, piece, *timeAxis(port));
    for (size_t i = 0; i < keptOutputs_.size(); ++i)
      if (std::optional<size_t> axis = timeAxis(function_.outputs[i]))
        appendTime(keptOutputs_[i], outputs[i], *axis);
      else
        keptOutputs_[i] = std::move(outputs[i]);
    return Status::ok();
  }

  Session &session_;
  const Function &function_;
  const SpeedRow &row_;
  NamedTensors sequence_, kept_;
  std::vector<Tensor> keptOutputs_;
  std::optional<Steps> steps_;
  std::optional<Tensor> fed_; ///< What the last step gave for the next.
  std::optional<size_t> from_, to_;
};

} // namespace

bool SpeedResult::passed() const {
  return error.empty() && std::ranges::all_of(comparisons, [](const auto &c) {
           return c.passed();
         });
}

Status SpeedRunner::open(const SpeedRow &row) {
  if (session_ && bundle_ == row.bundle && mode_ == row.mode)
    return Status::ok();
  session_.reset();
  model_.reset();
  RUNG_ASSIGN_OR_RETURN(model_, Model::open(row.bundle));
  RUNG_ASSIGN_OR_RETURN(
      session_,
      Session::create(*model_, device_,
                      {.timeoutSeconds = timeoutSeconds_,
                       .deviceClock = row.mode == SpeedMode::Device}));
  bundle_ = row.bundle;
  mode_ = row.mode;
  return Status::ok();
}

Status SpeedRunner::check(const Function &function, const SpeedRow &row,
                          const NamedTensors &inputs,
                          const std::vector<Tensor> &outputs,
                          SpeedResult &result) {
  NamedTensors some;
  uint64_t steps = 1;
  for (const auto &[name, tensor] : inputs) {
    const Port &port = function.inputs[*function.findInput(name)];
    if (std::optional<size_t> axis = timeAxis(port))
      steps = tensor.shape[*axis];
    some.emplace_back(name,
                      prefix(tensor, port, row.checkedSteps, row.checkedRows));
  }
  RUNG_ASSIGN_OR_RETURN(Session reference,
                        Session::create(*model_, "reference"));
  RUNG_ASSIGN_OR_RETURN(Outcome expected, reference.run(function, some));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Port &port = function.outputs[i];
    if (!timeAxis(port) && row.checkedSteps < steps)
      continue; // A state at the end, which the reference does not reach.
    result.comparisons.push_back(compare(
        port.name, prefix(outputs[i], port, row.checkedSteps, row.checkedRows),
        expected.outputs[i],
        isFloat(port.type) ? row.tolerance : Tolerance{0, 0}));
  }
  return Status::ok();
}

Status SpeedRunner::timeOnDevice(const Function &function, const SpeedRow &row,
                                 SpeedResult &result) {
  RUNG_ASSIGN_OR_RETURN(NamedTensors inputs,
                        makeInputs(function, row, row.steps));
  RUNG_ASSIGN_OR_RETURN(Outcome outcome, session_->run(function, inputs));
  double spent = 0;
  for (uint32_t i = 0; i < kLeastWarmups || spent < kWarmupMs; ++i) {
    RUNG_ASSIGN_OR_RETURN(rung_timing timing, session_->runAgain());
    spent += timing.host_ms;
  }
  spent = 0;
  while (result.ms.size() < row.repeat &&
         (result.ms.size() < kLeastRuns || spent < kLongestMs)) {
    RUNG_ASSIGN_OR_RETURN(rung_timing timing, session_->runAgain());
    spent += timing.host_ms;
    if (timing.device_ms < 0)
      return Status(StatusCode::Unsupported,
                    concat("'", session_->device(), "' has no clock"));
    result.ms.push_back(timing.device_ms);
  }
  return check(function, row, inputs, outcome.outputs, result);
}

Status SpeedRunner::timeOnHost(const Function &function, const SpeedRow &row,
                               SpeedResult &result) {
  RUNG_ASSIGN_OR_RETURN(NamedTensors sequence,
                        makeInputs(function, row, row.checkedSteps));
  Stream stream(*session_, function, row, std::move(sequence));
  RUNG_RETURN_IF_ERROR(stream.open());
  double spent = 0;
  uint64_t at = 0;
  for (; at < row.checkedSteps || spent < kWarmupMs; ++at) {
    RUNG_ASSIGN_OR_RETURN(double ms, stream.call(at, at < row.checkedSteps));
    spent += ms;
  }
  for (spent = 0; result.ms.size() < kHostRuns &&
                  (result.ms.size() < kLeastRuns || spent < kLongestMs);
       ++at) {
    RUNG_ASSIGN_OR_RETURN(double ms, stream.call(at, /*keep=*/false));
    spent += ms;
    result.ms.push_back(ms);
  }
  return check(function, row, stream.inputs(), stream.outputs(), result);
}

Status SpeedRunner::time(const SpeedRow &row, SpeedResult &result) {
  RUNG_RETURN_IF_ERROR(open(row));
  result.device = session_->device();
  result.variant = session_->variant();
  RUNG_ASSIGN_OR_RETURN(const Function *function,
                        model_->function(row.function));
  return row.mode == SpeedMode::Host ? timeOnHost(*function, row, result)
                                     : timeOnDevice(*function, row, result);
}

SpeedResult SpeedRunner::run(const SpeedRow &row) {
  SpeedResult result = {.row = row};
  if (Status status = time(row, result); !status.isOk()) {
    result.error = status.message();
    result.ms.clear();
    session_.reset(); // After an error of the device it runs no more.
  }
  return result;
}

} // namespace rung::tools
