//===- Vocabulary.cpp - text to tokens and back ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Vocabulary.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <utility>

namespace rung::tools {
namespace {

// Such as "<end>": never a piece of ordinary text.
bool isMark(std::string_view symbol) {
  return symbol.size() > 2 && symbol.front() == '<' && symbol.back() == '>';
}

} // namespace

size_t characterLength(std::string_view text) {
  auto first = static_cast<unsigned char>(text.front());
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return std::min(length, text.size());
}

Result<std::string> unescape(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
      continue;
    }
    char next = ++i < text.size() ? text[i] : '\0';
    switch (next) {
    case 'n':
      result += '\n';
      break;
    case 't':
      result += '\t';
      break;
    case 's':
      result += ' ';
      break;
    case '\\':
      result += '\\';
      break;
    default:
      return Status(StatusCode::InvalidArgument,
                    concat("a backslash in ", quote(text),
                           " is not followed by n, t, s or a backslash"));
    }
  }
  return result;
}

Result<Vocabulary> Vocabulary::parse(std::string_view text) {
  Vocabulary vocabulary;
  bool characters = true;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    auto token = static_cast<int32_t>(vocabulary.symbols_.size());
    auto where = concat("line ", token + 1, " of the vocabulary");
    if (line.empty())
      return Status(StatusCode::InvalidData, where + " is empty");
    RUNG_ASSIGN_OR_RETURN(std::string symbol,
                          unescape(line).while_("reading " + where));
    if (!vocabulary.tokens_.emplace(symbol, token).second)
      return Status(StatusCode::InvalidData,
                    concat(where, " repeats the symbol ", quote(symbol)));
    vocabulary.longest_ = std::max(vocabulary.longest_, symbol.size());
    if (symbol == "<unk>" || symbol == "<unknown>")
      vocabulary.unknown_ = token;
    characters &= isMark(symbol) || characterLength(symbol) == symbol.size();
    vocabulary.symbols_.push_back(std::move(symbol));
  }
  if (vocabulary.symbols_.empty())
    return Status(StatusCode::InvalidData, "vocabulary has no symbols");
  vocabulary.separator_ = characters ? "" : " ";
  return vocabulary;
}

Result<std::vector<int32_t>> Vocabulary::encode(std::string_view text) const {
  std::vector<int32_t> tokens;
  for (size_t at = 0; at < text.size();) {
    std::string_view rest = text.substr(at);
    size_t length = std::min(longest_, rest.size());
    auto found = tokens_.end();
    for (; length > 0 && found == tokens_.end(); --length)
      found = tokens_.find(std::string(rest.substr(0, length)));
    if (found != tokens_.end()) {
      tokens.push_back(found->second);
      at += found->first.size();
      continue;
    }
    size_t skipped = characterLength(rest);
    if (rest.front() != ' ') {
      if (unknown_ < 0)
        return Status(StatusCode::InvalidArgument,
                      concat("character ", quote(rest.substr(0, skipped)),
                             " at byte ", at,
                             " of the prompt is not in the vocabulary"));
      tokens.push_back(unknown_);
    }
    at += skipped;
  }
  return tokens;
}

Result<std::string> Vocabulary::symbol(int64_t token) const {
  if (token >= 0 && token < static_cast<int64_t>(symbols_.size()))
    return symbols_[token];
  return Status(StatusCode::InvalidData,
                concat("token ", token, " is not in the vocabulary of ",
                       symbols_.size(), " symbols"));
}

} // namespace rung::tools
