//===- Lowering.h - from graphs to kernels ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_LOWERING_H
#define RUNG_PASSES_LOWERING_LOWERING_H

#include "dialects/tile/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace rung {

#define GEN_PASS_DECL
#include "passes/lowering/Lowering.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/lowering/Lowering.h.inc"

} // namespace rung

#endif // RUNG_PASSES_LOWERING_LOWERING_H
