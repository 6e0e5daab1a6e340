//===- Mutate.h - damaged copies of good files ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_SUPPORT_MUTATE_H
#define RUNG_TESTS_UNIT_SUPPORT_MUTATE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rung::test {

/// Makes damaged copies of a file; the same seed makes the same ones on every
/// platform. One copy has one to four faults, so that some go deep.
class Mutator {
public:
  explicit Mutator(uint64_t seed) : state_(seed) {}

  /// A number below \p bound, which is at least 1.
  uint64_t below(uint64_t bound) { return next() % bound; }

  /// Faults of any kind in binary data; may change the length.
  std::vector<std::byte> bytes(std::span<const std::byte> original) {
    std::vector<std::byte> copy(original.begin(), original.end());
    for (uint64_t faults = 1 + below(4); faults > 0; --faults)
      damage(copy);
    return copy;
  }

  /// As bytes(), the length kept: bits, bytes and whole numbers only.
  std::vector<std::byte> sameLength(std::span<const std::byte> original) {
    std::vector<std::byte> copy(original.begin(), original.end());
    for (uint64_t faults = 1 + below(4); faults > 0 && !copy.empty(); --faults)
      damageInPlace(copy);
    return copy;
  }

  /// One bit flipped.
  std::vector<std::byte> bitFlip(std::span<const std::byte> original) {
    std::vector<std::byte> copy(original.begin(), original.end());
    copy[below(copy.size())] ^= std::byte(1u << below(8));
    return copy;
  }

  /// Shorter by at least one byte.
  std::vector<std::byte> truncation(std::span<const std::byte> original) {
    auto part = original.first(below(original.size()));
    return {part.begin(), part.end()};
  }

  /// Faults in text: those of bytes(), lines dropped, doubled and swapped, and
  /// numbers and words replaced by \p tokens (the format's own words, numbers
  /// at limits), so that many copies still parse and reach the later checks.
  std::string text(std::string_view original,
                   std::span<const std::string_view> tokens) {
    std::string copy(original);
    for (uint64_t faults = 1 + below(4); faults > 0 && !copy.empty(); --faults)
      damageText(copy, tokens);
    return copy;
  }

private:
  /// SplitMix64.
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

  /// A value at which lengths, offsets and indices go wrong.
  uint64_t awkwardNumber() {
    constexpr std::array<uint64_t, 14> kNumbers = {
        0,          1,          2,          0x7f,       0x80,
        0xff,       0xffff,     0x10000,    0x7fffffff, 0x80000000,
        0xfffffffe, 0xffffffff, 1ull << 63, ~0ull};
    return kNumbers[below(kNumbers.size())];
  }

  void damageInPlace(std::vector<std::byte> &copy) {
    size_t at = below(copy.size());
    size_t width = size_t(1) << below(4);
    switch (below(4)) {
    case 0:
      copy[at] ^= std::byte(1u << below(8));
      return;
    case 1:
      copy[at] = std::byte(below(256));
      return;
    default:
      break;
    }
    // A whole number, aligned as files align them, replaced or moved a little.
    at = at / width * width;
    if (at + width > copy.size())
      return;
    uint64_t number = 0;
    std::memcpy(&number, &copy[at], width);
    number = below(2) ? awkwardNumber() : number + below(17) - 8;
    std::memcpy(&copy[at], &number, width);
  }

  void damage(std::vector<std::byte> &copy) {
    if (copy.empty())
      return;
    size_t at = below(copy.size());
    size_t length = std::min<size_t>(1 + below(64), copy.size() - at);
    switch (below(8)) {
    case 0:
      copy.resize(at);
      return;
    case 1:
      copy.erase(copy.begin() + at, copy.begin() + at + length);
      return;
    case 2: { // A piece twice.
      std::vector<std::byte> piece(copy.begin() + at,
                                   copy.begin() + at + length);
      copy.insert(copy.begin() + at, piece.begin(), piece.end());
      return;
    }
    case 3:
      std::fill_n(copy.begin() + at, length, std::byte(below(256)));
      return;
    default:
      damageInPlace(copy);
    }
  }

  void damageText(std::string &copy, std::span<const std::string_view> tokens) {
    uint64_t kind = below(4);
    if (kind == 0) {
      auto view = std::as_bytes(std::span(copy.data(), copy.size()));
      std::vector<std::byte> raw(view.begin(), view.end());
      damage(raw);
      copy.assign(reinterpret_cast<const char *>(raw.data()), raw.size());
    } else if (kind == 1) {
      damageLine(copy);
    } else {
      damageWord(copy, tokens);
    }
  }

  void damageLine(std::string &copy) {
    size_t begin = copy.rfind('\n', below(copy.size()));
    begin = begin == std::string::npos ? 0 : begin + 1;
    size_t end = copy.find('\n', begin);
    end = end == std::string::npos ? copy.size() : end + 1;
    std::string line = copy.substr(begin, end - begin);
    switch (below(4)) {
    case 0:
      copy.erase(begin, end - begin);
      return;
    case 1:
      copy.insert(begin, line);
      return;
    case 2: // Elsewhere.
      copy.erase(begin, end - begin);
      copy.insert(below(copy.size() + 1), line);
      return;
    default: // Another depth of indentation.
      if (below(2) || line.empty() || line[0] != ' ')
        copy.insert(begin, "  ");
      else
        copy.erase(begin, 1);
    }
  }

  void damageWord(std::string &copy, std::span<const std::string_view> tokens) {
    auto isWord = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
             (c >= 'a' && c <= 'z') || c == '_' || c == '.' || c == '-';
    };
    size_t begin = below(copy.size());
    while (begin < copy.size() && !isWord(copy[begin]))
      ++begin;
    while (begin > 0 && begin < copy.size() && isWord(copy[begin - 1]))
      --begin;
    size_t end = begin;
    while (end < copy.size() && isWord(copy[end]))
      ++end;
    std::string word;
    if (tokens.empty() || below(2))
      word = std::to_string(static_cast<int64_t>(awkwardNumber()));
    else
      word = tokens[below(tokens.size())];
    copy.replace(begin, end - begin, word);
  }

  uint64_t state_;
};

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_SUPPORT_MUTATE_H
