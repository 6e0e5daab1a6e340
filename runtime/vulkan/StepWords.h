//===- StepWords.h - words that carry a step's number -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_STEPWORDS_H
#define RUNG_RUNTIME_VULKAN_STEPWORDS_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rung {

/// What a device may be writing to meanwhile.
template <typename T> T loadShared(const std::byte *at) {
  return std::atomic_ref(*reinterpret_cast<T *>(const_cast<std::byte *>(at)))
      .load(std::memory_order_acquire);
}

/// Elements whose 16-bit halves lie in words with a number above them.
class StepWords {
public:
  StepWords(const std::byte *words, uint64_t elements, uint32_t elementBytes,
            uint32_t number)
      : words_(words), elements_(elements), bytes_(elementBytes),
        number_(number) {}

  /// Takes what has come into \p to, in order; says whether it was all.
  bool take(std::byte *to) {
    if (bytes_ == 4 && elements_ % 2 == 0)
      return takePairs(to);
    for (; taken_ < elements_; ++taken_) {
      const uint32_t low = load<uint32_t>(taken_);
      uint32_t value = low & 0xffff;
      bool came = low >> 16 == number_;
      if (bytes_ > 2) {
        const uint32_t high = load<uint32_t>(elements_ + taken_);
        value |= high << 16;
        came &= high >> 16 == number_;
      }
      if (!came)
        return false;
      std::memcpy(to + taken_ * bytes_, &value, bytes_);
    }
    return true;
  }

private:
  template <typename T> T load(uint64_t word) const {
    return loadShared<T>(words_ + 4 * word);
  }

  bool takePairs(std::byte *to) {
    constexpr uint64_t kLow = 0x0000'ffff'0000'ffff;
    const uint64_t wanted = uint64_t(number_) << 48 | uint64_t(number_) << 16;
    for (; taken_ < elements_; taken_ += 2) {
      const uint64_t low = load<uint64_t>(taken_);
      const uint64_t high = load<uint64_t>(elements_ + taken_);
      if (((low ^ wanted) | (high ^ wanted)) & ~kLow)
        return false;
      const uint64_t values = (low & kLow) | (high & kLow) << 16;
      std::memcpy(to + taken_ * 4, &values, sizeof(values));
    }
    return true;
  }

  const std::byte *words_;
  uint64_t elements_;
  uint32_t bytes_, number_;
  uint64_t taken_ = 0;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_STEPWORDS_H
