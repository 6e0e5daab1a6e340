//===- Drift.h - how far states go from the exact ones ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_DRIFT_DRIFT_H
#define RUNG_TOOLS_DRIFT_DRIFT_H

#include "tools/drift/InputSource.h"
#include "tools/rung-run/Model.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rung::tools {

/// The devices that states are compared with: float64 with the float weights,
/// and float64 with the values that the rung's weights really have.
inline constexpr const char *kExact = "exact", *kExactOwn = "exact-own";

/// 1, 16, 256, 1024, 4096 and 16384 as far as they are below `steps`, and
/// `steps`, which is at least 1.
std::vector<uint64_t> driftMarks(uint64_t steps);

/// Told how many steps are done.
using StepsDone = std::function<void(uint64_t)>;

/// A function's float states after certain numbers of steps.
struct Trajectory {
  std::string device, variant, explanation;
  std::vector<std::string> names;          ///< Of the states.
  std::vector<std::vector<Tensor>> states; ///< By mark, then by state.
};

/// Runs `function` on `device` to the last of `marks`, which rise. All states
/// are fed on, from segment to segment; a segment ends at each mark, and
/// sooner where its outputs would take more than 16 MiB. Fails where the
/// function has no float state.
Result<Trajectory> follow(const Model &model, const Function &function,
                          const std::string &device, const InputRecipe &recipe,
                          const std::vector<uint64_t> &marks,
                          const StepsDone &done = {});

/// ||got - exact|| / ||exact|| of one state, or of all together.
struct StateDrift {
  std::string state;
  std::vector<double> total, arithmetic; ///< By mark.
};

/// ||got - exact|| / ||exact|| over the elements of all tensors; 0 where both
/// are zero, infinite where `exact` alone is.
double relativeError(const std::vector<Tensor> &got,
                     const std::vector<Tensor> &exact);

/// One entry a state. The trajectories are of one function and its marks.
std::vector<StateDrift> compareTrajectories(const Trajectory &got,
                                            const Trajectory &exact,
                                            const Trajectory &exactOwn);

/// All states as one.
StateDrift compareWhole(const Trajectory &got, const Trajectory &exact,
                        const Trajectory &exactOwn);

} // namespace rung::tools

#endif // RUNG_TOOLS_DRIFT_DRIFT_H
