//===- Text.h - small helpers for messages ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_TEXT_H
#define RUNG_RUNTIME_BASE_TEXT_H

#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

namespace rung {

/// The parts as text, one after the other; 8-bit integers and enums as numbers.
template <typename... Parts> std::string concat(const Parts &...parts) {
  std::ostringstream stream;
  auto append = [&](const auto &part) {
    using Part = std::remove_cvref_t<decltype(part)>;
    if constexpr (std::is_enum_v<Part>)
      stream << static_cast<long long>(part);
    else if constexpr (std::is_same_v<Part, signed char> ||
                       std::is_same_v<Part, unsigned char>)
      stream << static_cast<int>(part);
    else
      stream << part;
  };
  (append(parts), ...);
  return stream.str();
}

/// \p text in single quotes, control bytes and bytes that are no UTF-8 as \xNN
/// and long text cut short, so that a name from a damaged file prints on one
/// line.
std::string quote(std::string_view text);

/// Likewise and never cut: the path of a file is of use only as a whole.
std::string quotePath(std::string_view path);

/// The length of the longest prefix of \p text that is valid UTF-8.
size_t validUtf8Prefix(std::string_view text);
inline bool isUtf8(std::string_view text) {
  return validUtf8Prefix(text) == text.size();
}

/// "a, b, c" of any range of printable elements.
template <typename Range> std::string joined(const Range &range) {
  std::ostringstream stream;
  const char *separator = "";
  for (const auto &element : range) {
    stream << separator << concat(element);
    separator = ", ";
  }
  return stream.str();
}

} // namespace rung

#endif // RUNG_RUNTIME_BASE_TEXT_H
