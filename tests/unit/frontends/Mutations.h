//===- Mutations.h - seeded damage to files ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_TESTS_UNIT_FRONTENDS_MUTATIONS_H
#define RUNG_TESTS_UNIT_FRONTENDS_MUTATIONS_H

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace rung::test {

/// Damages text one to three times. The same seed gives the same damage on
/// every machine (no distribution of the standard library is used).
class Mutator {
public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string damage(std::string text) {
    for (size_t count = 1 + below(3); count-- > 0;)
      damageOnce(text);
    return text;
  }

  size_t below(size_t limit) { return limit ? random_() % limit : 0; }

private:
  void damageOnce(std::string &text) {
    static const char *const kPieces[] = {
        "-1", "0", "99999999999999999999", "1e999", ".nan", "[", "]", "{", "}",
        ": ", "\n", "\t", "\"", "'", "&a ", "*a", "!!x ", "- ", "#", "~", "\\",
        "\xff", "\xc3", "4294967296", "1.5", "true", ",", "|", ">", "%", "x"};
    size_t at = below(text.size() + 1);
    size_t length = below(text.size() - at < 12 ? text.size() - at + 1 : 12);
    switch (below(8)) {
    case 0: // another byte
      if (at < text.size())
        text[at] = static_cast<char>(below(256));
      break;
    case 1: // one bit
      if (at < text.size())
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3: // said twice
      text.insert(below(text.size() + 1), text.substr(at, length * 4));
      break;
    case 4:
      text.insert(at, kPieces[below(std::size(kPieces))]);
      break;
    case 5:
      text.replace(at, length, kPieces[below(std::size(kPieces))]);
      break;
    case 6: // cut off, seldom by much
      if (below(4) == 0)
        text.resize(at);
      break;
    case 7:
      replaceWord(text);
      break;
    }
  }

  /// One word of the text in another's place: damage that still parses.
  void replaceWord(std::string &text) {
    std::vector<std::pair<size_t, size_t>> words;
    auto isWord = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             (c >= '0' && c <= '9') || c == '_' || c == '.';
    };
    for (size_t i = 0; i < text.size();) {
      size_t end = i;
      while (end < text.size() && isWord(text[end]))
        ++end;
      if (end > i)
        words.emplace_back(i, end - i);
      i = end + 1;
    }
    if (words.empty())
      return;
    auto [from, fromLength] = words[below(words.size())];
    auto [to, toLength] = words[below(words.size())];
    text.replace(to, toLength, text.substr(from, fromLength));
  }

  std::mt19937 random_;
};

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_FRONTENDS_MUTATIONS_H
