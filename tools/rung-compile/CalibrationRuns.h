//===- CalibrationRuns.h - runs that show a model's ranges ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_COMPILE_CALIBRATIONRUNS_H
#define RUNG_TOOLS_RUNG_COMPILE_CALIBRATIONRUNS_H

#include "runtime/base/Npy.h"
#include "runtime/bundle/Reader.h"
#include "runtime/reference/Calibrate.h"
#include "tools/rung-run/Sampler.h"
#include "tools/rung-run/Vocabulary.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace rung::tools {

/// Runs the functions of a bundle, compiled with precision fp32, on the
/// interpreter that watches how large their numbers get.
class CalibrationRuns {
public:
  /// At most `limit` steps of each function, 0 meaning as many as its inputs
  /// have; `progress` is told of them. The reader must outlive the object.
  CalibrationRuns(const BundleReader &bundle, uint64_t limit,
                  std::function<void(uint64_t)> progress)
      : bundle_(bundle), calibrator_(bundle), limit_(limit),
        progress_(std::move(progress)) {}

  /// Every function whose inputs `arrays` have: each input f.x of the function
  /// f as the array "f.x", or as "x". States may be left out. Fails where no
  /// function has all it needs.
  Status runArrays(const NamedTensors &arrays);

  /// The functions that are made for generating: reads `text`, chat for chat
  /// where it holds the mark that ends one; or, where another function reads
  /// prompts, generates for each line.
  Status runText(const std::string &text);

  /// The functions that are made for generating: draws from the model's own
  /// scores, anew from its start token each time it ends. All functions of a
  /// model that has none such: zeros for all inputs.
  Status runFree();

  const reference::Calibrator &calibrator() const { return calibrator_; }

private:
  using Tensor = reference::Tensor;
  using Tensors = std::map<std::string, Tensor>;

  Status runArraysOf(uint32_t index, const NamedTensors &arrays, bool &ran);
  Status readText(uint32_t index, const std::string &text);
  Status answerLines(uint32_t index, const std::string &text);
  Status generate(uint32_t index, int32_t token, Tensors states,
                  uint64_t steps);
  Status runFreely(uint32_t index);
  Status runZeros(uint32_t index);

  static bool isState(const fb::Function &function, uint32_t input);
  static bool holdsLengths(const fb::Function &function, uint32_t input);

  /// All steps of `inputs`, by segments; gives the states after them.
  Result<Tensors> runSegments(uint32_t index, Tensors inputs, int64_t steps,
                              int64_t batch);
  /// One run; states that are not given are zeros. Outputs by port.
  Result<std::vector<Tensor>> runOnce(uint32_t index, Tensors inputs,
                                      int64_t steps, int64_t batch);
  Tensors statesFor(uint32_t index, const Tensors &states) const;
  Result<Vocabulary> vocabularyOf(const fb::Function &function) const;
  const fb::Function &function(uint32_t index) const;
  uint64_t stepsOf(uint64_t available) const;

  const BundleReader &bundle_;
  reference::Calibrator calibrator_;
  uint64_t limit_;
  std::function<void(uint64_t)> progress_;
  uint64_t done_ = 0;
  Sampler sampler_{/*seed=*/0, /*temperature=*/1, /*topK=*/0};
};

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_COMPILE_CALIBRATIONRUNS_H
