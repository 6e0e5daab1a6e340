//===- Serialize.h - SPIR-V modules to words --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_SPIRV_SERIALIZE_H
#define RUNG_COMPILER_SPIRV_SERIALIZE_H

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"

namespace rung {

/// The module as a SPIR-V binary, or an error on \p module.
mlir::FailureOr<llvm::SmallVector<uint32_t>>
serialize(mlir::spirv::ModuleOp module);

} // namespace rung

#endif // RUNG_COMPILER_SPIRV_SERIALIZE_H
