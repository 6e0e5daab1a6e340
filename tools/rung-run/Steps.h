//===- Steps.h - a function, step by step -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_STEPS_H
#define RUNG_TOOLS_RUNG_RUN_STEPS_H

#include "tools/rung-run/Model.h"

namespace rung::tools {

/// A stream of the library's. The session must outlive it.
class Steps {
public:
  /// \p states are inputs of the function that are states.
  static Result<Steps> open(const Session &session, const Function &function,
                            const NamedTensors &states);

  /// Does one step; the milliseconds that it took.
  Result<double> step(const NamedTensors &inputs);
  /// An output of the last step.
  Result<Tensor> output(size_t index) const;

private:
  struct Close {
    void operator()(rung_stream *stream) const { rung_stream_close(stream); }
  };
  std::unique_ptr<rung_stream, Close> stream_;
};

/// Tensors as the library takes them; they point into `tensors`.
class TensorViews {
public:
  explicit TensorViews(const NamedTensors &tensors);
  const rung_tensor *data() const { return views_.data(); }
  size_t size() const { return views_.size(); }

private:
  std::vector<std::vector<int64_t>> shapes_;
  std::vector<rung_tensor> views_;
};

/// A copy of what the library shows.
Tensor copyTensor(const rung_tensor &from);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_STEPS_H
