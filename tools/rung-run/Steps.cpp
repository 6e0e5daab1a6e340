//===- Steps.cpp - a function, step by step -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Steps.h"

#include <chrono>

namespace rung::tools {

TensorViews::TensorViews(const NamedTensors &tensors) {
  shapes_.reserve(tensors.size());
  for (const auto &[name, tensor] : tensors) {
    shapes_.emplace_back(tensor.shape.begin(), tensor.shape.end());
    views_.push_back({name.c_str(), static_cast<rung_dtype>(tensor.type),
                      static_cast<uint32_t>(tensor.shape.size()),
                      shapes_.back().data(), tensor.data.data()});
  }
}

Tensor copyTensor(const rung_tensor &from) {
  Tensor to;
  to.type = static_cast<ScalarType>(from.dtype);
  to.shape.assign(from.shape, from.shape + from.rank);
  auto *bytes = static_cast<const std::byte *>(from.data);
  const size_t size = to.elementCount() * byteSize(to.type);
  if (size != 0)
    to.data.assign(bytes, bytes + size);
  return to;
}

Result<Steps> Steps::open(const Session &session, const Function &function,
                          const NamedTensors &states) {
  TensorViews views(states);
  rung_stream *stream = nullptr;
  if (rung_code code = rung_stream_open(session.handle(), function.index,
                                        views.data(), views.size(), &stream))
    return lastError(code);
  Steps steps;
  steps.stream_.reset(stream);
  return steps;
}

Result<double> Steps::step(const NamedTensors &inputs) {
  using Clock = std::chrono::steady_clock;
  TensorViews views(inputs);
  const Clock::time_point start = Clock::now();
  if (rung_code code =
          rung_stream_step(stream_.get(), views.data(), views.size()))
    return lastError(code);
  return std::chrono::duration<double, std::milli>(Clock::now() - start)
      .count();
}

Result<Tensor> Steps::output(size_t index) const {
  rung_tensor from;
  if (rung_code code = rung_stream_output(stream_.get(), index, &from))
    return lastError(code);
  return copyTensor(from);
}

} // namespace rung::tools
