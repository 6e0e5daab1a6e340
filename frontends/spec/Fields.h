//===- Fields.h - typed access to a mapping ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SPEC_FIELDS_H
#define RUNG_FRONTENDS_SPEC_FIELDS_H

#include "frontends/spec/Yaml.h"

#include <cstdint>

namespace rung::spec {

enum class Need { Required, Optional };

/// The keys of one mapping. Every reader reports what is wrong with its value
/// and leaves the target as it was; `good()` tells whether anything was, so
/// that one pass over a mapping finds all of its mistakes.
class Fields {
public:
  /// `what` names the mapping in messages ("layer 'rnn'"). Reports keys that
  /// are not among `known`.
  Fields(const YamlNode &node, std::string what,
         std::vector<std::string_view> known, const FileDiagnostics &report);

  bool good() const { return good_; }
  const std::string &what() const { return what_; }
  SourceLocation location() const { return node_.location; }

  bool has(std::string_view key) const { return findEntry(key); }
  /// The value of `key`. Null when it is absent, which is an error if it is
  /// required, or when it is empty, which always is one.
  const YamlNode *find(std::string_view key, Need need);
  /// As `find`, and a sequence or a mapping; anything else is an error.
  const YamlNode *sequence(std::string_view key, Need need);
  const YamlNode *map(std::string_view key, Need need);

  void text(std::string_view key, Located<std::string> &out, Need need);
  /// A name of a layer, function or port: a letter or `_`, then letters,
  /// digits, `_`, `.` and `-`.
  void name(std::string_view key, Located<std::string> &out, Need need);
  void integer(std::string_view key, Located<int64_t> &out, int64_t least,
               int64_t most, Need need);
  void number(std::string_view key, Located<double> &out, Need need);
  void flag(std::string_view key, bool &out);
  /// One of `names`, as its index.
  std::optional<size_t> choice(std::string_view key,
                               const std::vector<std::string_view> &names,
                               Need need);

  /// Reports at `location` and makes the mapping bad.
  void error(SourceLocation location, std::string message);
  /// Makes the mapping bad, for a mistake that is reported already.
  void fail() { good_ = false; }

private:
  const YamlEntry *findEntry(std::string_view key) const;

  const YamlNode &node_;
  std::string what_;
  const FileDiagnostics &report_;
  bool good_ = true;
};

/// Values of nodes that stand alone, such as items of a sequence; `what` names
/// the value. Each reports and returns false when the node is something else.
bool readText(const YamlNode &node, std::string_view what,
              Located<std::string> &out, const FileDiagnostics &report);
bool readName(const YamlNode &node, std::string_view what,
              Located<std::string> &out, const FileDiagnostics &report);
bool readInteger(const YamlNode &node, std::string_view what, int64_t least,
                 int64_t most, Located<int64_t> &out,
                 const FileDiagnostics &report);
bool readNumber(const YamlNode &node, std::string_view what,
                Located<double> &out, const FileDiagnostics &report);
std::optional<size_t> readChoice(const YamlNode &node, std::string_view what,
                                 const std::vector<std::string_view> &names,
                                 const FileDiagnostics &report);

} // namespace rung::spec

#endif // RUNG_FRONTENDS_SPEC_FIELDS_H
