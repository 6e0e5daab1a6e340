//===- Text.cpp - small helpers for messages ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"

namespace rung {

std::string quoted(std::string_view text) {
  constexpr size_t kLongest = 80;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string result = "'";
  for (char c : text.substr(0, kLongest)) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f)
      result += c;
    else
      result.append({'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]});
  }
  result += text.size() > kLongest ? "…'" : "'";
  return result;
}

} // namespace rung
