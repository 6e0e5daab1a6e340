//===- Yaml.cpp - YAML as a tree with places ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/spec/Yaml.h"
#include "frontends/ReadFile.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <format>
#include <sstream>

namespace rung::spec {
namespace {

constexpr size_t kMaxDepth = 16;
/// Keys of one mapping; each is compared with those before it.
constexpr size_t kMaxKeys = 4096;

SourceLocation place(const YAML::Mark &mark) {
  if (mark.is_null())
    return {};
  return {static_cast<unsigned>(mark.line) + 1,
          static_cast<unsigned>(mark.column) + 1};
}

/// Builds the tree from the parser's events. Throws yaml-cpp's own exception,
/// to end the parse the way a syntax error does.
class TreeBuilder final : public YAML::EventHandler {
public:
  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark &) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &mark, YAML::anchor_t) override {
    add(mark, YamlNode::Kind::Null, "", false);
  }
  void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override {
    refuse(mark, "an alias ('*name') is not accepted here");
  }
  void OnAnchor(const YAML::Mark &mark, const std::string &name) override {
    refuse(mark, std::format("an anchor ('&{}') is not accepted here", name));
  }
  void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t,
                const std::string &value) override {
    checkTag(mark, tag);
    // yaml-cpp gives plain scalars the tag "?", quoted ones "!".
    add(mark, YamlNode::Kind::Scalar, value, tag == "!");
  }
  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag,
                       YAML::anchor_t, YAML::EmitterStyle::value) override {
    checkTag(mark, tag);
    open(mark, YamlNode::Kind::Sequence);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark &mark, const std::string &tag,
                  YAML::anchor_t, YAML::EmitterStyle::value) override {
    checkTag(mark, tag);
    open(mark, YamlNode::Kind::Map);
  }
  void OnMapEnd() override { close(); }

private:
  /// A collection that is being read; `haveKey` when a value is due.
  struct Level {
    YamlNode node;
    YamlEntry entry;
    bool haveKey = false;
  };

  [[noreturn]] void refuse(const YAML::Mark &mark, const std::string &message) {
    throw YAML::ParserException(mark, message);
  }
  void checkTag(const YAML::Mark &mark, const std::string &tag) {
    if (!tag.empty() && tag != "?" && tag != "!")
      refuse(mark, std::format("a tag ('{}') is not accepted here", tag));
  }
  bool keyIsDue() const {
    return !levels_.empty() &&
           levels_.back().node.kind == YamlNode::Kind::Map &&
           !levels_.back().haveKey;
  }

  void add(const YAML::Mark &mark, YamlNode::Kind kind, std::string text,
           bool quoted) {
    if (keyIsDue()) {
      if (kind == YamlNode::Kind::Null)
        refuse(mark, "a key is missing");
      return addKey(mark, std::move(text));
    }
    YamlNode node;
    node.kind = kind;
    node.text = std::move(text);
    node.quoted = quoted;
    node.location = place(mark);
    put(std::move(node));
  }
  void addKey(const YAML::Mark &mark, std::string key) {
    Level &level = levels_.back();
    for (const YamlEntry &entry : level.node.entries)
      if (entry.key == key)
        refuse(mark, std::format("key '{}' is given twice; the first is at "
                                 "line {}",
                                 key, entry.location.line));
    if (level.node.entries.size() == kMaxKeys)
      refuse(mark, std::format("a mapping has more than {} keys", kMaxKeys));
    level.entry = {std::move(key), place(mark), {}};
    level.haveKey = true;
  }
  void open(const YAML::Mark &mark, YamlNode::Kind kind) {
    if (keyIsDue())
      refuse(mark, "a key is a sequence or a mapping; only plain names are "
                   "accepted");
    if (levels_.size() == kMaxDepth)
      refuse(mark, std::format("values are nested deeper than {}", kMaxDepth));
    Level &level = levels_.emplace_back();
    level.node.kind = kind;
    level.node.location = place(mark);
  }
  void close() {
    YamlNode node = std::move(levels_.back().node);
    levels_.pop_back();
    put(std::move(node));
  }
  void put(YamlNode node) {
    if (levels_.empty()) {
      root_ = std::move(node);
      return;
    }
    Level &level = levels_.back();
    if (level.node.kind == YamlNode::Kind::Sequence) {
      level.node.items.push_back(std::move(node));
      return;
    }
    level.entry.value = std::move(node);
    level.node.entries.push_back(std::move(level.entry));
    level.haveKey = false;
  }

  YamlNode root_;
  std::vector<Level> levels_;
};

/// The place of byte `offset`.
SourceLocation placeOf(std::string_view text, size_t offset) {
  std::string_view before = text.substr(0, offset);
  size_t line =
      static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  size_t start = before.rfind('\n');
  size_t column = start == std::string_view::npos ? offset : offset - start - 1;
  return {static_cast<unsigned>(line) + 1, static_cast<unsigned>(column) + 1};
}

bool checkText(std::string_view text, const FileDiagnostics &report) {
  if (size_t offset = firstInvalidUtf8(text); offset != text.size())
    return report.error(placeOf(text, offset),
                        std::format("byte 0x{:02x} is not valid UTF-8",
                                    static_cast<unsigned char>(text[offset])));
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') ||
        byte == 0x7f)
      return report.error(
          placeOf(text, i),
          std::format("control character 0x{:02x} is not accepted", byte));
  }
  return true;
}

} // namespace

std::string YamlNode::describe() const {
  switch (kind) {
  case Kind::Null:
    return "nothing";
  case Kind::Scalar:
    // Long text would bury the message.
    return "'" + (text.size() > 60 ? text.substr(0, 57) + "..." : text) + "'";
  case Kind::Sequence:
    return "a sequence";
  case Kind::Map:
    return "a mapping";
  }
  return "";
}

YamlNode YamlEntry::keyNode() const {
  YamlNode node;
  node.kind = YamlNode::Kind::Scalar;
  node.text = key;
  node.location = location;
  return node;
}

std::optional<YamlNode> parseYaml(std::string_view text,
                                  const FileDiagnostics &report) {
  if (!checkText(text, report))
    return std::nullopt;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder builder;
    if (!parser.HandleNextDocument(builder)) {
      report.error({}, "description is empty");
      return std::nullopt;
    }
    YamlNode root = builder.take();
    TreeBuilder second;
    if (parser.HandleNextDocument(second)) {
      report.error(second.take().location,
                   "a second document follows; a description is one document");
      return std::nullopt;
    }
    return root;
  } catch (const YAML::Exception &exception) {
    report.error(place(exception.mark), exception.msg);
  } catch (const std::exception &exception) {
    report.error({}, std::string("description can't be parsed: ") +
                         exception.what());
  }
  return std::nullopt;
}

} // namespace rung::spec
