//===- ParseDescription.cpp - the top of a description --------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/Suggest.h"
#include "frontends/spec/Parse.h"

#include <algorithm>
#include <format>

namespace rung::spec {

constexpr int64_t kMaxId = 1 << 30;
constexpr int64_t kMaxSteps = 1'000'000;

const Function *Description::findFunction(std::string_view name) const {
  auto function =
      std::find_if(functions.begin(), functions.end(),
                   [&](const Function &f) { return f.name.value == name; });
  return function == functions.end() ? nullptr : &*function;
}

std::optional<Generate> parseGenerate(const YamlNode &node,
                                      const FileDiagnostics &report) {
  Generate generate;
  generate.location = node.location;
  Fields fields(node, "'generate'",
                {"prompt", "step", "token_input", "token_output", "logits",
                 "start", "stop", "append", "max_steps", "input_vocabulary",
                 "output_vocabulary"},
                report);
  auto optionalName = [&](std::string_view key, std::optional<Name> &out) {
    if (fields.has(key))
      fields.name(key, out.emplace(), Need::Required);
  };
  optionalName("prompt", generate.prompt);
  fields.name("step", generate.step, Need::Required);
  optionalName("token_input", generate.tokenInput);
  optionalName("token_output", generate.tokenOutput);
  optionalName("logits", generate.logits);
  if (fields.good() && !generate.tokenOutput && !generate.logits)
    fields.error(node.location,
                 "'generate' has neither 'token_output' nor 'logits'");
  if (fields.has("start"))
    fields.integer("start", generate.start.emplace(), 0, kMaxId,
                   Need::Required);
  else if (generate.prompt)
    fields.error(node.location,
                 "'generate' has a 'prompt' function but no 'start' token");
  if (fields.has("stop"))
    fields.integer("stop", generate.stop.emplace(), 0, kMaxId, Need::Required);
  fields.integer("max_steps", generate.maxSteps, 1, kMaxSteps, Need::Optional);
  if (const YamlNode *list = fields.sequence("append", Need::Optional))
    for (const YamlNode &item : list->items)
      if (!readInteger(item, "a token of 'append'", 0, kMaxId,
                       generate.append.emplace_back(), report))
        fields.fail();
  optionalName("input_vocabulary", generate.inputVocabulary);
  optionalName("output_vocabulary", generate.outputVocabulary);
  if (!fields.good())
    return std::nullopt;
  return generate;
}

namespace {

class Parser {
public:
  Parser(const YamlNode &root, const FileDiagnostics &report)
      : report_(report), fields_(root, "description",
                                 {"rung", "name", "weights", "vocabularies",
                                  "functions", "generate"},
                                 report) {}

  std::optional<Description> parse();

private:
  void parseVersion();
  void parseVocabularies();
  void parseFunctions();
  void parseGeneration();
  void checkFunctionName(const Name &name, std::string_view key);
  void checkVocabularyName(const Name &name, std::string_view key);

  const FileDiagnostics &report_;
  Fields fields_;
  Description description_;
};

void Parser::parseVersion() {
  Located<int64_t> version{1, {}};
  fields_.integer("rung", version, 0, kMaxId, Need::Required);
  if (version.value != 1)
    fields_.error(version.location,
                  std::format("description is of version {}; version 1 is the "
                              "only one",
                              version.value));
}

void Parser::parseVocabularies() {
  const YamlNode *node = fields_.map("vocabularies", Need::Optional);
  if (!node)
    return;
  for (const YamlEntry &entry : node->entries) {
    Vocabulary &vocabulary = description_.vocabularies.emplace_back();
    vocabulary.name = {entry.key, entry.location};
    if (!readText(entry.value, std::format("vocabulary '{}'", entry.key),
                  vocabulary.path, report_))
      fields_.fail();
  }
}

void Parser::parseFunctions() {
  const YamlNode *node = fields_.map("functions", Need::Required);
  if (!node)
    return;
  if (node->entries.empty())
    fields_.error(node->location, "'functions' has no function");
  for (const YamlEntry &entry : node->entries) {
    Name name;
    auto function =
        readName(entry.keyNode(), "the name of a function", name, report_)
            ? parseFunction(entry.key, entry.location, entry.value, report_)
            : std::nullopt;
    if (function)
      description_.functions.push_back(std::move(*function));
    else
      fields_.fail();
  }
}

void Parser::checkFunctionName(const Name &name, std::string_view key) {
  if (description_.findFunction(name.value))
    return;
  std::vector<std::string_view> names;
  for (const Function &function : description_.functions)
    names.push_back(function.name.value);
  fields_.error(name.location,
                std::format("'{}' of 'generate' is '{}'; the functions are "
                            "{}{}",
                            key, name.value, quotedList(names),
                            didYouMean(name.value, names)));
}

void Parser::checkVocabularyName(const Name &name, std::string_view key) {
  std::vector<std::string_view> names;
  for (const Vocabulary &vocabulary : description_.vocabularies)
    names.push_back(vocabulary.name.value);
  if (std::find(names.begin(), names.end(), name.value) != names.end())
    return;
  if (names.empty())
    return fields_.error(
        name.location,
        std::format("'{}' of 'generate' is '{}', but there are no "
                    "'vocabularies'",
                    key, name.value));
  fields_.error(name.location,
                std::format("'{}' of 'generate' is '{}'; the vocabularies are "
                            "{}{}",
                            key, name.value, quotedList(names),
                            didYouMean(name.value, names)));
}

void Parser::parseGeneration() {
  const YamlNode *node = fields_.find("generate", Need::Optional);
  if (!node)
    return;
  description_.generate = parseGenerate(*node, report_);
  if (!description_.generate)
    return fields_.fail();
  // A function that failed to parse is missing for that reason alone.
  if (!fields_.good())
    return;
  const Generate &generate = *description_.generate;
  checkFunctionName(generate.step, "step");
  if (generate.prompt)
    checkFunctionName(*generate.prompt, "prompt");
  if (generate.inputVocabulary)
    checkVocabularyName(*generate.inputVocabulary, "input_vocabulary");
  if (generate.outputVocabulary)
    checkVocabularyName(*generate.outputVocabulary, "output_vocabulary");
}

std::optional<Description> Parser::parse() {
  parseVersion();
  Name name;
  fields_.name("name", name, Need::Required);
  description_.name = name.value;
  if (fields_.has("weights"))
    fields_.text("weights", description_.weights.emplace(), Need::Required);
  parseVocabularies();
  parseFunctions();
  parseGeneration();
  if (!fields_.good())
    return std::nullopt;
  return std::move(description_);
}

} // namespace

std::optional<Description> parseDescription(std::string_view text,
                                            const FileDiagnostics &report) {
  std::optional<YamlNode> root = parseYaml(text, report);
  if (!root)
    return std::nullopt;
  return Parser(*root, report).parse();
}

} // namespace rung::spec
