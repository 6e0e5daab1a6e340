//===- Serialize.cpp - SPIR-V modules to words ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/spirv/Serialize.h"

#include "mlir/Target/SPIRV/Serialization.h"

using namespace mlir;

namespace rung {

FailureOr<SmallVector<uint32_t>> serialize(spirv::ModuleOp module) {
  SmallVector<uint32_t> words;
  spirv::SerializationOptions options;
  options.emitDebugInfo = false;
  if (failed(spirv::serialize(module, words, options)))
    return module.emitError("module cannot be written as SPIR-V");
  return words;
}

} // namespace rung
