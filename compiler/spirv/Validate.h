//===- Validate.h - SPIRV-Tools on kernels ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_SPIRV_VALIDATE_H
#define RUNG_COMPILER_SPIRV_VALIDATE_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <span>
#include <string>

namespace rung {

/// Whether SPIRV-Tools knows all capabilities of the module. The packaged
/// 2025.1 knows none of SPV_KHR_bfloat16, so that modules with bf16
/// cooperative matrices can be neither validated nor disassembled.
bool isKnownToSpirvTools(std::span<const uint32_t> words);

/// Validates for Vulkan 1.3. An error holds the validator's message. Modules
/// that SPIRV-Tools doesn't know pass: MLIR's verifier has seen them.
Status validate(std::span<const uint32_t> words);

/// Assembly text with friendly names.
Result<std::string> disassemble(std::span<const uint32_t> words);

} // namespace rung

#endif // RUNG_COMPILER_SPIRV_VALIDATE_H
