//===- File.cpp - mapped and atomically written files ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"

#include "runtime/base/Text.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace rung {

namespace {
constexpr std::align_val_t kAlignment{64};

/// "cannot <verb> '<path>': No such file or directory".
Status systemError(std::string_view verb, const std::string &path, int error) {
  StatusCode code = error == ENOENT ? StatusCode::NotFound : StatusCode::Io;
  return Status(code, concat("cannot ", verb, " ", quotePath(path), ": ",
                             std::generic_category().message(error)));
}

/// A descriptor that closes itself.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value >= 0)
      ::close(value);
  }
};

int openRetrying(const char *path, int flags, mode_t mode = 0) {
  int descriptor;
  do
    descriptor = ::open(path, flags | O_CLOEXEC, mode);
  while (descriptor < 0 && errno == EINTR);
  return descriptor;
}
} // namespace

//===- AlignedBytes -------------------------------------------------------===//

AlignedBytes::AlignedBytes(size_t size)
    : data_(static_cast<std::byte *>(::operator new(size, kAlignment))),
      size_(size) {
  if (size)
    std::memset(data_, 0, size);
}

AlignedBytes::AlignedBytes(AlignedBytes &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

AlignedBytes &AlignedBytes::operator=(AlignedBytes &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

AlignedBytes::~AlignedBytes() {
  if (data_)
    ::operator delete(data_, kAlignment);
}

//===- MappedFile ---------------------------------------------------------===//

Result<MappedFile> MappedFile::open(const std::string &path) {
  // Without O_NONBLOCK, opening a pipe waits for someone to write to it.
  Descriptor file{openRetrying(path.c_str(), O_RDONLY | O_NONBLOCK)};
  if (file.value < 0)
    return systemError("open", path, errno);
  struct stat info;
  if (::fstat(file.value, &info) != 0)
    return systemError("query", path, errno);
  if (!S_ISREG(info.st_mode))
    return Status(StatusCode::InvalidArgument,
                  concat(quotePath(path), " is not a regular file"));
  MappedFile result;
  if (info.st_size == 0) // mmap refuses an empty range.
    return result;
  auto size = static_cast<size_t>(info.st_size);
  void *data =
      ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value, /*offset=*/0);
  if (data == MAP_FAILED)
    return systemError("map", path, errno);
  result.data_ = static_cast<const std::byte *>(data);
  result.size_ = size;
  return result;
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_)
    ::munmap(const_cast<std::byte *>(data_), size_);
}

Result<std::string> readTextFile(const std::string &path) {
  Descriptor file{openRetrying(path.c_str(), O_RDONLY)};
  if (file.value < 0)
    return systemError("open", path, errno);
  std::string text;
  char block[65536];
  while (true) {
    ssize_t count = ::read(file.value, block, sizeof(block));
    if (count == 0)
      return text;
    if (count > 0)
      text.append(block, static_cast<size_t>(count));
    else if (errno != EINTR)
      return systemError("read", path, errno);
  }
}

//===- AtomicFile ---------------------------------------------------------===//

Result<AtomicFile> AtomicFile::create(const std::string &path) {
  AtomicFile file;
  file.path_ = path;
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode))
      return systemError("write", path, EISDIR);
    if (!S_ISREG(info.st_mode)) {
      // A pipe or a device: nothing to rename over.
      file.descriptor_ = openRetrying(path.c_str(), O_WRONLY);
      if (file.descriptor_ < 0)
        return systemError("write", path, errno);
      return file;
    }
    // Replace what a symbolic link points to, not the link.
    if (char *resolved = ::realpath(path.c_str(), nullptr)) {
      file.path_ = resolved;
      std::free(resolved);
    }
  }
  static std::atomic<uint32_t> counter{0};
  do {
    file.temporary_ =
        concat(file.path_, ".", ::getpid(), ".", counter++, ".tmp");
    file.descriptor_ = openRetrying(file.temporary_.c_str(),
                                    O_WRONLY | O_CREAT | O_EXCL, 0666);
  } while (file.descriptor_ < 0 && errno == EEXIST);
  if (file.descriptor_ < 0) {
    int error = errno;
    file.temporary_.clear();
    return systemError("write", path, error);
  }
  return file;
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (descriptor_ >= 0)
    ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty())
    ::unlink(std::exchange(temporary_, {}).c_str());
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count >= 0)
      bytes = bytes.subspan(static_cast<size_t>(count));
    else if (errno != EINTR)
      return systemError("write", path_, errno);
  }
  return Status::ok();
}

Status AtomicFile::commit() {
  if (::close(std::exchange(descriptor_, -1)) != 0)
    return systemError("write", path_, errno);
  if (temporary_.empty())
    return Status::ok();
  if (::rename(temporary_.c_str(), path_.c_str()) != 0)
    return systemError("write", path_, errno);
  temporary_.clear();
  return Status::ok();
}

Status writeFile(const std::string &path, std::span<const std::byte> bytes) {
  RUNG_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::create(path));
  RUNG_RETURN_IF_ERROR(file.write(bytes));
  return file.commit();
}

Status writeFile(const std::string &path, std::string_view text) {
  return writeFile(path, std::as_bytes(std::span(text.data(), text.size())));
}

} // namespace rung
