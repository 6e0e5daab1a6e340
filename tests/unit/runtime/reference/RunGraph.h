//===- RunGraph.h - a function of a test's own, interpreted -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_RUNTIME_REFERENCE_RUNGRAPH_H
#define RUNG_TESTS_UNIT_RUNTIME_REFERENCE_RUNGRAPH_H

#include "runtime/reference/Program.h"
#include "tests/unit/support/ModelBuilder.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace rung::test {

inline reference::Tensor tensor(std::vector<int64_t> dims,
                                std::vector<double> values,
                                ScalarType element = ScalarType::F32) {
  return {element, std::move(dims), std::move(values)};
}

inline reference::Tensor randomTensor(std::vector<int64_t> dims,
                                      uint64_t seed) {
  size_t count = 1;
  for (int64_t dim : dims)
    count *= static_cast<size_t>(dim);
  std::vector<float> values = randomNumbers(count, seed);
  return tensor(std::move(dims), {values.begin(), values.end()});
}

/// A bundle and the program of its first function.
class RunnableModel {
public:
  explicit RunnableModel(
      ModelBuilder model,
      reference::CarriedState carried = reference::CarriedState::Exact) {
    auto reader = model.read();
    if (!reader.isOk()) {
      status = reader.takeStatus();
      return;
    }
    bundle_ = std::make_unique<BundleReader>(std::move(*reader));
    weights_ = std::make_unique<reference::Weights>(*bundle_);
    auto program = reference::Program::make(
        *bundle_->root().functions()->Get(0)->graph(), *weights_, {carried});
    if (program.isOk())
      program_ =
          std::make_unique<reference::Program>(std::move(program).value());
    else
      status = program.takeStatus();
  }

  /// Runs, and fails the test where that fails.
  std::vector<reference::Tensor> run(std::vector<reference::Tensor> inputs,
                                     int64_t steps, int64_t batch) {
    EXPECT_TRUE(status.isOk()) << status.message();
    if (!program_)
      return {};
    auto outputs = program_->run(std::move(inputs), steps, batch);
    EXPECT_TRUE(outputs.isOk()) << outputs.status().message();
    return outputs.isOk() ? std::move(outputs).value()
                          : std::vector<reference::Tensor>();
  }

  /// The error of making the program, or of running it.
  std::string error(std::vector<reference::Tensor> inputs = {},
                    int64_t steps = 1, int64_t batch = 1) {
    if (!status.isOk())
      return status.message();
    return program_->run(std::move(inputs), steps, batch).status().message();
  }

  Status status;

private:
  std::unique_ptr<BundleReader> bundle_;
  std::unique_ptr<reference::Weights> weights_;
  std::unique_ptr<reference::Program> program_;
};

inline double largestDifference(const reference::Tensor &a,
                                const reference::Tensor &b) {
  EXPECT_EQ(a.dims, b.dims);
  double largest = 0;
  for (size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i)
    largest = std::max(largest, std::abs(a.values[i] - b.values[i]));
  return largest;
}

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_RUNTIME_REFERENCE_RUNGRAPH_H
