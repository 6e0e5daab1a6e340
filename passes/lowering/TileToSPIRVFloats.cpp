//===- TileToSPIRVFloats.cpp - f16 rounds as it is written ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/lowering/TileToSPIRVPatterns.h"

using namespace mlir;

static Type elementOf(Type type) {
  if (auto matrix = dyn_cast<spirv::CooperativeMatrixType>(type))
    return matrix.getElementType();
  return getElementTypeOrSelf(type);
}

void rung::protectHalfArithmetic(spirv::ModuleOp module) {
  module.walk([](Operation *op) {
    if (isa<spirv::FAddOp, spirv::FSubOp, spirv::FMulOp, spirv::GLFmaOp>(op) &&
        elementOf(op->getResult(0).getType()).isF16())
      op->setAttr("no_contraction", UnitAttr::get(op->getContext()));
  });
}
