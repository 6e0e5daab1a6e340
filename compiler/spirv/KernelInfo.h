//===- KernelInfo.h - what a kernel asks of a device ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_SPIRV_KERNELINFO_H
#define RUNG_COMPILER_SPIRV_KERNELINFO_H

#include "dialects/tile/TileOps.h"
#include "runtime/base/Profile.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"

namespace rung {

/// What a kernel binds, and what a device must have to run it.
struct KernelInfo {
  std::string entry;
  uint32_t localSize = 1;
  /// The size that cooperative matrices were laid out for; 0 without any.
  uint32_t subgroupSize = 0;
  uint32_t bindings = 0, pushBytes = 0, sharedBytes = 0;
  std::vector<tile::Access> access; ///< Of each binding.
  std::vector<Feature> features;    ///< Ascending.
  std::vector<CooperativeShape> shapes;
};

/// Reads off a kernel's module, as `tile-to-spirv` leaves it. Fails, with an
/// error on \p module, on one that lacks what that pass leaves.
mlir::FailureOr<KernelInfo> inspectKernel(mlir::spirv::ModuleOp module);

} // namespace rung

#endif // RUNG_COMPILER_SPIRV_KERNELINFO_H
