//===- File.h - mapped and atomically written files -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_FILE_H
#define RUNG_RUNTIME_BASE_FILE_H

#include "runtime/base/Status.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace rung {

/// Bytes at a 64-byte aligned address, zero at first. Movable; the address
/// stays the same across a move.
class AlignedBytes {
public:
  AlignedBytes() = default;
  explicit AlignedBytes(size_t size);
  AlignedBytes(AlignedBytes &&other) noexcept;
  AlignedBytes &operator=(AlignedBytes &&other) noexcept;
  ~AlignedBytes();

  std::span<std::byte> bytes() { return {data_, size_}; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }

private:
  std::byte *data_ = nullptr;
  size_t size_ = 0;
};

/// A file's bytes, read-only, at a page-aligned address. Movable; the address
/// stays the same across a move.
class MappedFile {
public:
  MappedFile() = default;
  static Result<MappedFile> open(const std::string &path);
  MappedFile(MappedFile &&other) noexcept;
  MappedFile &operator=(MappedFile &&other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }

private:
  const std::byte *data_ = nullptr;
  size_t size_ = 0;
};

/// The whole file at \p path as text.
Result<std::string> readTextFile(const std::string &path);

/// A file that appears under its name only when it is complete: written beside
/// it under a temporary name and renamed by commit(). Without
/// commit() nothing is left and an older file stays as it was.
class AtomicFile {
public:
  static Result<AtomicFile> create(const std::string &path);
  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&) = delete;
  ~AtomicFile();

  Status write(std::span<const std::byte> bytes);
  Status write(std::string_view text) {
    return write(std::as_bytes(std::span(text.data(), text.size())));
  }
  /// Call once, last.
  Status commit();

private:
  AtomicFile() = default;
  void discard();

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
};

/// AtomicFile in one call.
Status writeFile(const std::string &path, std::span<const std::byte> bytes);
Status writeFile(const std::string &path, std::string_view text);

} // namespace rung

#endif // RUNG_RUNTIME_BASE_FILE_H
