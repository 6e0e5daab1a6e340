//===- Vocabulary.h - text to tokens and back -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_VOCABULARY_H
#define RUNG_TOOLS_RUNG_RUN_VOCABULARY_H

#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rung::tools {

/// The symbols of a model, one a line; the line's number, from 0, is the token.
/// In a line `\n`, `\t`, `\s` and `\\` stand for newline, tab, space and
/// backslash.
///
/// Symbols of text are single characters or words. A vocabulary of characters
/// (marks such as "<end>" aside) writes them one after the other; any other
/// puts a space between two.
class Vocabulary {
public:
  /// Without symbols.
  Vocabulary() = default;

  /// Fails on an empty line and on a symbol that occurs twice.
  static Result<Vocabulary> parse(std::string_view text);

  size_t size() const { return symbols_.size(); }

  /// The tokens of `text`, at each place the longest symbol that fits. Where
  /// nothing fits, a space is passed over if it is no symbol itself, and a
  /// character becomes the token of "<unk>" or "<unknown>" if there is one;
  /// else it is an error that names the character and its place.
  Result<std::vector<int32_t>> encode(std::string_view text) const;

  /// Fails on a token that is no line of the file.
  Result<std::string> symbol(int64_t token) const;

  /// What stands between two symbols of text: "" or " ".
  const std::string &separator() const { return separator_; }

private:
  std::vector<std::string> symbols_;
  std::unordered_map<std::string, int32_t> tokens_;
  size_t longest_ = 0;
  int32_t unknown_ = -1;
  std::string separator_;
};

/// `text` with the escapes of a vocabulary's lines put in; a backslash before
/// any other character is an error.
Result<std::string> unescape(std::string_view text);

/// The bytes of the UTF-8 character that `text` begins with; 1 for a byte that
/// begins none.
size_t characterLength(std::string_view text);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_VOCABULARY_H
