//===- Text.cpp - small helpers for messages ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"

#include <cstdint>

namespace rung {

namespace {
/// Bytes of the UTF-8 character that \p text begins with; 0 if there is none.
size_t characterLength(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80)
    return 1;
  size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length)
    return 0;
  uint32_t point = byte(0) & (0x7f >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
    point = point << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  bool surrogate = point >= 0xd800 && point < 0xe000;
  return point < kSmallest[length] || point > 0x10ffff || surrogate ? 0
                                                                    : length;
}
} // namespace

size_t validUtf8Prefix(std::string_view text) {
  size_t valid = 0;
  while (valid < text.size()) {
    size_t length = characterLength(text.substr(valid));
    if (length == 0)
      break;
    valid += length;
  }
  return valid;
}

/// \p text quoted, cut after \p longest bytes.
static std::string quoteUpTo(std::string_view text, size_t longest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string result = "'";
  size_t at = 0;
  while (at < text.size() && at < longest) {
    size_t length = characterLength(text.substr(at));
    auto byte = static_cast<unsigned char>(text[at]);
    if (length > 1 || (length == 1 && byte >= 0x20 && byte != 0x7f)) {
      result += text.substr(at, length);
      at += length;
    } else {
      result.append({'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]});
      ++at;
    }
  }
  result += at < text.size() ? "…'" : "'";
  return result;
}

std::string quote(std::string_view text) { return quoteUpTo(text, 80); }

std::string quotePath(std::string_view path) {
  return quoteUpTo(path, path.size());
}

} // namespace rung
