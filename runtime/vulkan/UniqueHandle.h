//===- UniqueHandle.h - one owner for every handle --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_UNIQUEHANDLE_H
#define RUNG_RUNTIME_VULKAN_UNIQUEHANDLE_H

#include <utility>

namespace rung {

/// Owns a handle and destroys it once. \p Deleter is called with the handle and
/// knows what else destroying needs. A value-initialized handle is none.
///
/// Wrap a handle at the call that creates it, so that no early return leaks it.
template <typename Handle, typename Deleter> class UniqueHandle {
public:
  UniqueHandle() = default;
  UniqueHandle(Handle handle, Deleter deleter)
      : handle_(handle), deleter_(std::move(deleter)) {}
  UniqueHandle(UniqueHandle &&other) noexcept
      : handle_(std::exchange(other.handle_, Handle())),
        deleter_(std::move(other.deleter_)) {}
  UniqueHandle &operator=(UniqueHandle &&other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, Handle());
      deleter_ = std::move(other.deleter_);
    }
    return *this;
  }
  ~UniqueHandle() { reset(); }

  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != Handle(); }

  /// Destroys the handle, if there is one.
  void reset() {
    if (Handle handle = std::exchange(handle_, Handle()); handle != Handle())
      deleter_(handle);
  }

  /// Gives the handle up without destroying it.
  [[nodiscard]] Handle release() { return std::exchange(handle_, Handle()); }

private:
  Handle handle_{};
  [[no_unique_address]] Deleter deleter_{};
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_UNIQUEHANDLE_H
