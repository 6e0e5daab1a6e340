//===- SingleDispatch.h - programs of one dispatch --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A function that asks to run in one dispatch carries `rung.single_dispatch`;
// once a profile is known, with what the dispatch may have,
//
//   rung.single_dispatch = {groups = 132, shared_bytes = 49152}
//
// and so does the program made of it.

#ifndef RUNG_PASSES_LOWERING_SINGLEDISPATCH_H
#define RUNG_PASSES_LOWERING_SINGLEDISPATCH_H

#include "compiler/tiling/SingleDispatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace rung {

inline constexpr llvm::StringLiteral kSingleDispatchAttr =
    "rung.single_dispatch";

/// What the attribute on \p op says; none if it has none. Fails, with an error
/// on \p op, on one that lacks something.
mlir::FailureOr<std::optional<tiling::SingleDispatch>>
getSingleDispatch(mlir::Operation *op);
void setSingleDispatch(mlir::Operation *op,
                       const tiling::SingleDispatch &dispatch);

#define GEN_PASS_DECL
#include "passes/lowering/SingleDispatch.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/lowering/SingleDispatch.h.inc"

} // namespace rung

#endif // RUNG_PASSES_LOWERING_SINGLEDISPATCH_H
