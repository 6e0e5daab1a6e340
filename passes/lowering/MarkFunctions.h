//===- MarkFunctions.h - attributes that ask for something ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_MARKFUNCTIONS_H
#define RUNG_PASSES_LOWERING_MARKFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace rung {

/// Sets the unit \p attribute on the function \p name of \p module, or on all
/// of them if \p name is empty. Fails, with an error on the module, where it
/// has none of that name.
mlir::LogicalResult markFunctions(mlir::ModuleOp module, llvm::StringRef name,
                                  llvm::StringRef attribute);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_MARKFUNCTIONS_H
