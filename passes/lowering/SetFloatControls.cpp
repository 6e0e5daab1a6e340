//===- SetFloatControls.cpp - a device's promises about f16 ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Lowering.h"
#include "passes/lowering/ProfileOption.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

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

bool isHalf(Type type) {
  if (auto matrix = dyn_cast<spirv::CooperativeMatrixType>(type))
    return matrix.getElementType().isF16();
  return getElementTypeOrSelf(type).isF16();
}

/// Whether \p kernel adds, multiplies or compares f16, or has functions of
/// them. Matrix products, which have no modes, and conversions do not count.
bool computesInHalf(spirv::ModuleOp kernel) {
  auto found = kernel.walk([](Operation *op) {
    StringRef name = op->getName().getStringRef();
    bool computes = isa<spirv::FAddOp, spirv::FSubOp, spirv::FMulOp,
                        spirv::FDivOp, spirv::FNegateOp>(op) ||
                    name.starts_with("spirv.FOrd") ||
                    name.starts_with("spirv.FUnord") ||
                    name.starts_with("spirv.GL.");
    return computes && llvm::any_of(op->getOperandTypes(), isHalf)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Whether a device must know f16.
bool hasHalves(spirv::ModuleOp kernel) {
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
      if (!hasHalves(kernel))
        continue;
      if (target->has(Feature::Float16RoundToNearest))
        ask(kernel, spirv::ExecutionMode::RoundingModeRTE,
            spirv::Capability::RoundingModeRTE);
      // In conversions devices keep them unasked; asked, some make
      // all of a kernel's arithmetic in f32 keep its subnormals, too, and slow.
      if (computesInHalf(kernel) &&
          target->has(Feature::Float16PreserveDenormals))
        ask(kernel, spirv::ExecutionMode::DenormPreserve,
            spirv::Capability::DenormPreserve);
    }
  }
};

} // namespace
} // namespace rung
