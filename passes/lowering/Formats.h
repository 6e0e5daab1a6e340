//===- Formats.h - what a kernel may not hold -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_FORMATS_H
#define RUNG_PASSES_LOWERING_FORMATS_H

#include "mlir/IR/Operation.h"

namespace rung {

/// Fails, with an error on the first operation inside \p kernel that has a
/// format which the kernel's `rung.forbid` keeps out of it. \p name is the
/// kernel's, for the error.
mlir::LogicalResult verifyFormats(mlir::Operation *kernel,
                                  llvm::StringRef name);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_FORMATS_H
