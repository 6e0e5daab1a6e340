//===- Validate.cpp - SPIRV-Tools on kernels ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/spirv/Validate.h"

#include <spirv-tools/libspirv.hpp>

namespace rung {

namespace {

constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kOpCapability = 17;
// SPV_KHR_bfloat16: BFloat16TypeKHR, BFloat16DotProductKHR,
// BFloat16CooperativeMatrixKHR.
constexpr uint32_t kFirstBFloat16 = 5116, kLastBFloat16 = 5118;

} // namespace

bool isKnownToSpirvTools(std::span<const uint32_t> words) {
  // Capabilities come first, two words each.
  for (size_t i = kHeaderWords; i + 1 < words.size(); i += 2) {
    if ((words[i] & 0xffff) != kOpCapability)
      return true;
    if (words[i + 1] >= kFirstBFloat16 && words[i + 1] <= kLastBFloat16)
      return false;
  }
  return true;
}

Status validate(std::span<const uint32_t> words) {
  if (!isKnownToSpirvTools(words))
    return Status::ok();
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string message;
  tools.SetMessageConsumer([&](spv_message_level_t, const char *,
                               const spv_position_t &position,
                               const char *text) {
    message =
        std::string(text) + " (word " + std::to_string(position.index) + ")";
  });
  if (tools.Validate(words.data(), words.size()))
    return Status::ok();
  return Status(StatusCode::InvalidData, message);
}

Result<std::string> disassemble(std::span<const uint32_t> words) {
  if (!isKnownToSpirvTools(words))
    return std::string("; uses SPV_KHR_bfloat16, which this SPIRV-Tools does "
                       "not know; --emit=spirv shows the module\n");
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string text;
  if (!tools.Disassemble(words.data(), words.size(), &text,
                         SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES |
                             SPV_BINARY_TO_TEXT_OPTION_INDENT))
    return Status(StatusCode::InvalidData,
                  "SPIRV-Tools cannot disassemble the module");
  return text;
}

} // namespace rung
