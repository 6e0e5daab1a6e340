//===- ReadFile.cpp - files into memory -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/ReadFile.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <format>

namespace rung {

std::unique_ptr<llvm::MemoryBuffer>
readFile(const std::string &path, std::string &error, uint64_t limit) {
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status)) {
    error = code.message();
    return nullptr;
  }
  // A pipe or a device may have no end.
  if (!llvm::sys::fs::is_regular_file(status)) {
    error = llvm::sys::fs::is_directory(status) ? "it is a directory"
                                                : "it is not a regular file";
    return nullptr;
  }
  if (status.getSize() > limit) {
    error = std::format("it has {} bytes, more than the limit of {}",
                        status.getSize(), limit);
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    error = buffer.getError().message();
    return nullptr;
  }
  return std::move(*buffer);
}

size_t firstInvalidUtf8(std::string_view text) {
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const llvm::UTF8 *position = begin;
  const llvm::UTF8 *end = begin + text.size();
  llvm::isLegalUTF8String(&position, end);
  return static_cast<size_t>(position - begin);
}

} // namespace rung
