//===- Stream.h - functions that run ahead of their input -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A function that asks for it carries `rung.stream`. A program made of one that
// may have it runs a step of one row: one dispatch in a repeat over T, whose
// iteration is the number that the step awaits; see StreamStep.cpp.

#ifndef RUNG_PASSES_LOWERING_STREAM_H
#define RUNG_PASSES_LOWERING_STREAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace rung {

/// On a function.
inline constexpr llvm::StringLiteral kStreamAttr = "rung.stream";
/// On an output's `tile.buffer`: it holds one row as tagged words, 16 bits of
/// an element in the low half of each, the step's number above. Wider elements
/// take two words, those of all low halves first.
inline constexpr llvm::StringLiteral kWordsAttr = "rung.words";

/// Whether the function that \p op is in is a stream.
inline bool isInStream(mlir::Operation *op) {
  auto function = op->getParentOfType<mlir::func::FuncOp>();
  return function && function->hasAttr(kStreamAttr);
}

#define GEN_PASS_DECL
#include "passes/lowering/Stream.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/lowering/Stream.h.inc"

} // namespace rung

#endif // RUNG_PASSES_LOWERING_STREAM_H
