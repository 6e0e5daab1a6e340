//===- Fields.cpp - typed access to a mapping -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/spec/Fields.h"
#include "frontends/Suggest.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <format>

namespace rung::spec {

using Kind = YamlNode::Kind;

//===----------------------------------------------------------------------===//
// Single values
//===----------------------------------------------------------------------===//

/// The plain text of a number, a flag or a choice; quotes make it text.
static bool isPlain(const YamlNode &node) {
  return node.kind == Kind::Scalar && !node.quoted;
}

static std::string shown(const YamlNode &node) {
  return (node.quoted ? "the text " : "") + node.describe();
}

bool readText(const YamlNode &node, std::string_view what,
              Located<std::string> &out, const FileDiagnostics &report) {
  if (node.kind != Kind::Scalar || node.text.empty())
    return report.error(node.location, std::format("{} is {}, not a name", what,
                                                   node.describe()));
  out = {node.text, node.location};
  return true;
}

bool readName(const YamlNode &node, std::string_view what,
              Located<std::string> &out, const FileDiagnostics &report) {
  if (!readText(node, what, out, report))
    return false;
  auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  auto follows = [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
  };
  if (node.text.size() <= 128 && letter(node.text[0]) &&
      std::all_of(node.text.begin(), node.text.end(), follows))
    return true;
  return report.error(
      node.location,
      std::format("{} is {}, not a name (a letter or '_', then at most 127 "
                  "letters, digits, '_', '.' and '-')",
                  what, node.describe()));
}

bool readInteger(const YamlNode &node, std::string_view what, int64_t least,
                 int64_t most, Located<int64_t> &out,
                 const FileDiagnostics &report) {
  int64_t value = 0;
  const char *end = node.text.data() + node.text.size();
  auto [stop, code] = std::from_chars(node.text.data(), end, value);
  bool whole = isPlain(node) && code == std::errc() && stop == end;
  if (!whole || value < least || value > most)
    return report.error(node.location,
                        std::format("{} is {}, not an integer from {} to {}",
                                    what, shown(node), least, most));
  out = {value, node.location};
  return true;
}

bool readNumber(const YamlNode &node, std::string_view what,
                Located<double> &out, const FileDiagnostics &report) {
  double value = 0;
  const char *end = node.text.data() + node.text.size();
  auto [stop, code] = std::from_chars(node.text.data(), end, value);
  bool whole = isPlain(node) && code == std::errc() && stop == end;
  if (!whole || !std::isfinite(value))
    return report.error(
        node.location,
        std::format("{} is {}, not a finite number", what, shown(node)));
  out = {value, node.location};
  return true;
}

std::optional<size_t> readChoice(const YamlNode &node, std::string_view what,
                                 const std::vector<std::string_view> &names,
                                 const FileDiagnostics &report) {
  if (node.kind == Kind::Scalar) {
    auto position = std::find(names.begin(), names.end(), node.text);
    if (position != names.end())
      return static_cast<size_t>(position - names.begin());
  }
  report.error(node.location,
               std::format("{} is {}; the choices are {}{}", what,
                           node.describe(), quotedList(names),
                           node.kind == Kind::Scalar
                               ? didYouMean(node.text, names)
                               : ""));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

Fields::Fields(const YamlNode &node, std::string what,
               std::vector<std::string_view> known,
               const FileDiagnostics &report)
    : node_(node), what_(std::move(what)), report_(report) {
  if (node.kind != Kind::Map) {
    error(node.location,
          std::format("{} is {}, not a mapping", what_, node.describe()));
    return;
  }
  for (const YamlEntry &entry : node.entries)
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      error(entry.location,
            std::format("{} has the unknown key '{}'{}", what_, entry.key,
                        didYouMean(entry.key, known)));
}

void Fields::error(SourceLocation location, std::string message) {
  good_ = report_.error(location, std::move(message));
}

const YamlEntry *Fields::findEntry(std::string_view key) const {
  for (const YamlEntry &entry : node_.entries)
    if (entry.key == key)
      return &entry;
  return nullptr;
}

const YamlNode *Fields::find(std::string_view key, Need need) {
  const YamlEntry *entry = findEntry(key);
  if (!entry) {
    // A node of another kind has been reported already.
    if (need == Need::Required && node_.kind == Kind::Map)
      error(node_.location, std::format("{} has no '{}'", what_, key));
    return nullptr;
  }
  if (entry->value.kind == Kind::Null) {
    error(entry->location, std::format("'{}' of {} has no value", key, what_));
    return nullptr;
  }
  return &entry->value;
}

static std::string keyOf(std::string_view key, const std::string &what) {
  return std::format("'{}' of {}", key, what);
}

const YamlNode *Fields::sequence(std::string_view key, Need need) {
  const YamlNode *node = find(key, need);
  if (!node || node->kind == Kind::Sequence)
    return node;
  error(node->location, std::format("{} is {}, not a sequence",
                                    keyOf(key, what_), node->describe()));
  return nullptr;
}

const YamlNode *Fields::map(std::string_view key, Need need) {
  const YamlNode *node = find(key, need);
  if (!node || node->kind == Kind::Map)
    return node;
  error(node->location, std::format("{} is {}, not a mapping",
                                    keyOf(key, what_), node->describe()));
  return nullptr;
}

void Fields::text(std::string_view key, Located<std::string> &out, Need need) {
  if (const YamlNode *node = find(key, need))
    good_ &= readText(*node, keyOf(key, what_), out, report_);
}

void Fields::name(std::string_view key, Located<std::string> &out, Need need) {
  if (const YamlNode *node = find(key, need))
    good_ &= readName(*node, keyOf(key, what_), out, report_);
}

void Fields::integer(std::string_view key, Located<int64_t> &out, int64_t least,
                     int64_t most, Need need) {
  if (const YamlNode *node = find(key, need))
    good_ &= readInteger(*node, keyOf(key, what_), least, most, out, report_);
}

void Fields::number(std::string_view key, Located<double> &out, Need need) {
  if (const YamlNode *node = find(key, need))
    good_ &= readNumber(*node, keyOf(key, what_), out, report_);
}

void Fields::flag(std::string_view key, bool &out) {
  const YamlNode *node = find(key, Need::Optional);
  if (!node)
    return;
  if (isPlain(*node) && (node->text == "true" || node->text == "false")) {
    out = node->text == "true";
    return;
  }
  error(node->location, std::format("{} is {}, neither true nor false",
                                    keyOf(key, what_), shown(*node)));
}

std::optional<size_t> Fields::choice(std::string_view key,
                                     const std::vector<std::string_view> &names,
                                     Need need) {
  const YamlNode *node = find(key, need);
  if (!node)
    return std::nullopt;
  auto index = readChoice(*node, keyOf(key, what_), names, report_);
  good_ &= index.has_value();
  return index;
}

} // namespace rung::spec
