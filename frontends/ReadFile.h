//===- ReadFile.h - files into memory ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_READFILE_H
#define RUNG_FRONTENDS_READFILE_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace rung {

/// Maps or reads the regular file `path`. Null and a reason in `error` when it
/// can't be read, is no regular file, or is longer than `limit` bytes.
std::unique_ptr<llvm::MemoryBuffer> readFile(const std::string &path,
                                             std::string &error,
                                             uint64_t limit = UINT64_MAX);

/// The offset of the first byte that is not part of well-formed UTF-8, or
/// `text.size()`.
size_t firstInvalidUtf8(std::string_view text);

} // namespace rung

#endif // RUNG_FRONTENDS_READFILE_H
