//===- VerifySpirv.cpp - the frame of a SPIR-V module ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/VerifyContext.h"

#include <array>
#include <optional>
#include <string_view>

namespace rung {

namespace {
using Words = flatbuffers::Vector<uint32_t>;

constexpr uint32_t kMagic = 0x07230203;
constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kOpEntryPoint = 15, kGLCompute = 5;
constexpr uint32_t kOpExecutionMode = 16, kLocalSize = 17;
constexpr uint32_t kMinVersion = 0x00010000, kMaxVersion = 0x00010600;

Status verifyHeader(const Words &words) {
  if (words.size() < kHeaderWords)
    return invalidBundle("the SPIR-V has ", words.size(),
                         " words, fewer than its header of ", kHeaderWords);
  if (words.Get(0) != kMagic)
    return invalidBundle("the SPIR-V begins with ", words.Get(0), ", not ",
                         kMagic);
  if (words.Get(1) < kMinVersion || words.Get(1) > kMaxVersion)
    return invalidBundle("SPIR-V version word ", words.Get(1),
                         " is not within 1.0 to 1.6");
  if (words.Get(3) == 0 || words.Get(4) != 0)
    return invalidBundle("the SPIR-V has id bound ", words.Get(3),
                         " and schema ", words.Get(4));
  return Status::ok();
}

/// Whether the words from \p at to \p end hold exactly \p text and its 0 as
/// SPIR-V packs strings, then anything.
bool startsWithString(const Words &words, uint32_t at, uint32_t end,
                      std::string_view text) {
  size_t needed = text.size() / 4 + 1;
  if (needed > end - at)
    return false;
  for (size_t i = 0; i < needed * 4; ++i) {
    auto byte = static_cast<char>(words.Get(at + i / 4) >> (i % 4 * 8) & 0xff);
    if (byte != (i < text.size() ? text[i] : '\0'))
      return false;
  }
  return true;
}

/// What the checks want to know about a module.
struct Module {
  std::optional<uint32_t> entry; ///< The id of the kernel's entry point.
  std::array<uint32_t, 3> localSize = {};
  bool hasLocalSize = false;
};

void readInstruction(const fb::Kernel &kernel, uint32_t at, uint32_t end,
                     Module &module) {
  const Words &words = *kernel.spirv();
  uint32_t opcode = words.Get(at) & 0xffff, count = end - at;
  if (opcode == kOpEntryPoint && count > 3 && words.Get(at + 1) == kGLCompute &&
      startsWithString(words, at + 3, end, kernel.entry()->string_view()))
    module.entry = words.Get(at + 2);
  if (opcode == kOpExecutionMode && count == 6 &&
      module.entry == words.Get(at + 1) && words.Get(at + 2) == kLocalSize) {
    module.hasLocalSize = true;
    module.localSize = {words.Get(at + 3), words.Get(at + 4),
                        words.Get(at + 5)};
  }
}
} // namespace

Status verifySpirv(const fb::Kernel &kernel) {
  const Words &words = *kernel.spirv();
  RUNG_RETURN_IF_ERROR(verifyHeader(words));
  Module module;
  for (uint32_t at = kHeaderWords; at < words.size();) {
    uint32_t count = words.Get(at) >> 16;
    if (count == 0 || count > words.size() - at)
      return invalidBundle("the SPIR-V instruction at word ", at, " has ",
                           count, " words, and ", words.size() - at,
                           " are left");
    readInstruction(kernel, at, at + count, module);
    at += count;
  }
  if (!module.entry)
    return invalidBundle("the SPIR-V has no compute entry point ",
                         quote(kernel.entry()->string_view()));
  std::array<uint32_t, 3> local = {kernel.local_x(), kernel.local_y(),
                                   kernel.local_z()};
  if (module.hasLocalSize && module.localSize != local)
    return invalidBundle("the SPIR-V has workgroup size ",
                         joined(module.localSize), ", and the kernel ",
                         joined(local));
  return Status::ok();
}

} // namespace rung
