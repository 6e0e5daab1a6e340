//===- Yaml.h - YAML as a tree with places ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SPEC_YAML_H
#define RUNG_FRONTENDS_SPEC_YAML_H

#include "frontends/Diagnostics.h"

#include <optional>
#include <string_view>

namespace rung::spec {

struct YamlEntry;

/// A node of a document, with the place it starts at.
struct YamlNode {
  enum class Kind { Null, Scalar, Sequence, Map };

  Kind kind = Kind::Null;
  /// A scalar in quotes is text, whatever it looks like.
  bool quoted = false;
  std::string text;
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;
  SourceLocation location;

  /// The node as a message shows it: `'text'`, `a sequence`, `a mapping`,
  /// `nothing`.
  std::string describe() const;
};

struct YamlEntry {
  std::string key;
  SourceLocation location;
  YamlNode value;

  /// The key as a scalar.
  YamlNode keyNode() const;
};

/// Parses one document. Refused, each with its place: text that is not UTF-8
/// or has control characters, anchors, aliases and tags, keys that are no
/// plain names or stand twice in a mapping, more than 4096 keys in one mapping,
/// nesting deeper than 16, a second document.
std::optional<YamlNode> parseYaml(std::string_view text,
                                  const FileDiagnostics &report);

} // namespace rung::spec

#endif // RUNG_FRONTENDS_SPEC_YAML_H
