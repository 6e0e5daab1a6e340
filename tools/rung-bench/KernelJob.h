//===- KernelJob.h - a kernel to time, with its buffers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_KERNELJOB_H
#define RUNG_TOOLS_RUNG_BENCH_KERNELJOB_H

#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"
#include "tools/rung-run/Comparison.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rung::tools {

/// One storage buffer of a kernel: where its contents come from, and what is
/// done with them afterwards. Paths are complete.
struct KernelBuffer {
  std::string file; ///< .npy; empty: what `type` and the members below say.
  ScalarType type = ScalarType::F32;
  uint64_t elements = 0; ///< A file is repeated to so many; 0: as it is.
  double value = 0;      ///< Every element, unless `random` is above 0.
  double random = 0;     ///< Elements from -random to random.
  uint64_t seed = 0;
  bool clear = false; ///< Zeroed before each run.

  std::string expected; ///< .npy: compared with the first elements; or empty.
  Tolerance tolerance;
  std::string dump; ///< The contents go there, as .npy; or empty.

  bool isZero() const { return file.empty() && random <= 0 && value == 0; }
  /// What the contents repeat, from the first element on: a file's, or at most
  /// 65521 elements.
  Result<Tensor> block() const;
};

struct KernelJob {
  std::string name, spirvPath, entry = "main";
  std::vector<uint32_t> spirv;
  std::array<uint32_t, 3> localSize{1, 1, 1}; ///< As the module has it.
  uint32_t subgroupSize = 0;                  ///< 0: the device's own.
  std::vector<KernelBuffer> buffers;          ///< In the order of bindings.
  std::vector<uint32_t> push;
  std::array<uint32_t, 3> groups{1, 1, 1};
  uint32_t dispatches = 1; ///< A run, with a barrier between each two.
  uint32_t repeat = 20, warmup = 3;
  double operations = 0, bytes = 0, steps = 0; ///< Of one run; 0: not told.
};

/// Reads a file of jobs:
///
///   {"kernels": [{
///     "name": "product", "spirv": "product.spv", "entry": "main",
///     "subgroup_size": 32, "groups": [64, 64, 1], "push": [4096, 4096],
///     "buffers": [
///       {"type": "f16", "elements": 16777216, "random": 0.5, "seed": 1},
///       {"file": "b.npy", "elements": 16777216},
///       {"type": "f32", "elements": 16777216, "value": 0, "clear": true,
///        "expect": "c.npy", "atol": 1e-3, "rtol": 1e-3, "dump": "got.npy"}],
///     "dispatches": 1, "repeat": 20, "warmup": 3,
///     "operations": 137e9, "bytes": 1e8, "steps": 1}]}
///
/// Paths are relative to the file's folder. All keys but name, spirv and
/// buffers may be left out; others are errors that name them.
Result<std::vector<KernelJob>> readKernelJobs(const std::string &path);

/// The size of a workgroup in a SPIR-V module of one entry point; an error
/// where the words are no such module.
Result<std::array<uint32_t, 3>>
readLocalSize(const std::vector<uint32_t> &spirv);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_KERNELJOB_H
