//===- SetFloatControls.cpp - a device's promises about f16 ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Lowering.h"
#include "passes/lowering/ProfileOption.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_SETFLOATCONTROLS
#include "passes/lowering/Lowering.h.inc"

namespace {

/// Adds the mode for 16 bits to the kernel's entry point.
void ask(spirv::ModuleOp kernel, spirv::ExecutionMode mode,
         spirv::Capability capability) {
  spirv::VerCapExtAttr triple = *kernel.getVceTriple();
  SmallVector<spirv::Capability> capabilities(triple.getCapabilities());
  capabilities.push_back(capability);
  SmallVector<spirv::Extension> extensions(triple.getExtensions());
  kernel.setVceTripleAttr(spirv::VerCapExtAttr::get(
      triple.getVersion(), capabilities, extensions, kernel.getContext()));
  auto function = *kernel.getOps<spirv::FuncOp>().begin();
  auto b = ImplicitLocOpBuilder::atBlockEnd(kernel.getLoc(), kernel.getBody());
  spirv::ExecutionModeOp::create(b, function, mode, ArrayRef<int32_t>{16});
}

/// Whether a device must be able to compute in f16.
bool hasHalfArithmetic(spirv::ModuleOp kernel) {
  std::optional<spirv::VerCapExtAttr> triple = kernel.getVceTriple();
  return triple && llvm::is_contained(triple->getCapabilities(),
                                      spirv::Capability::Float16);
}

struct SetFloatControls : impl::SetFloatControlsBase<SetFloatControls> {
  using SetFloatControlsBase::SetFloatControlsBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<spirv::ModuleOp>()) {
      if (!hasHalfArithmetic(kernel))
        continue;
      if (target->has(Feature::Float16RoundToNearest))
        ask(kernel, spirv::ExecutionMode::RoundingModeRTE,
            spirv::Capability::RoundingModeRTE);
      if (target->has(Feature::Float16PreserveDenormals))
        ask(kernel, spirv::ExecutionMode::DenormPreserve,
            spirv::Capability::DenormPreserve);
    }
  }
};

} // namespace
} // namespace rung
