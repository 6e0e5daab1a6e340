//===- TextTest.cpp - arrays, bindings and vocabularies as text -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Binding.h"
#include "tools/rung-run/Literal.h"
#include "tools/rung-run/Vocabulary.h"

#include <gtest/gtest.h>

using namespace rung;
using namespace rung::tools;

namespace {

std::vector<double> valuesOf(const Tensor &tensor) {
  auto values = tensor.values<double>();
  return {values.begin(), values.end()};
}

TEST(Literal, GivesShapeAndValues) {
  auto tensor = parseLiteral(" [[1, 2.5], [-3e2, +4] ] ");
  ASSERT_TRUE(tensor.isOk()) << tensor.status().message();
  EXPECT_EQ(tensor->shape, (std::vector<uint64_t>{2, 2}));
  EXPECT_EQ(valuesOf(*tensor), (std::vector<double>{1, 2.5, -300, 4}));
}

TEST(Literal, MayBeANumberOrEmpty) {
  EXPECT_TRUE(parseLiteral("7")->shape.empty());
  EXPECT_EQ(parseLiteral("[]")->shape, std::vector<uint64_t>{0});
  EXPECT_EQ(parseLiteral("[[], []]")->shape, (std::vector<uint64_t>{2, 0}));
}

std::string literalError(std::string_view text) {
  return parseLiteral(text).status().message();
}

TEST(Literal, SaysWhereItIsWrong) {
  EXPECT_EQ(literalError("[1, 2"),
            "array '[1, 2' is wrong at character 6: ']' or ',' is missing");
  EXPECT_EQ(literalError("[[1], [2, 3]]"),
            "array '[[1], [2, 3]]' is wrong at character 13: a list of 2 "
            "follows one of 1");
  EXPECT_EQ(literalError("[1, [2]]"),
            "array '[1, [2]]' is wrong at character 6: a list stands where a "
            "number stood before");
  EXPECT_EQ(literalError("[[1], 2]"),
            "array '[[1], 2]' is wrong at character 7: a number stands where "
            "lists of 1 stood before");
  EXPECT_EQ(literalError("[1] 2"),
            "array '[1] 2' is wrong at character 5: more text follows the "
            "array");
  EXPECT_EQ(literalError("[1, x]"),
            "array '[1, x]' is wrong at character 5: a number is missing");
  EXPECT_EQ(literalError(""),
            "array '' is wrong at character 1: a number is missing");
  EXPECT_EQ(literalError("1e999"),
            "array '1e999' is wrong at character 1: the number is out of "
            "range");
  EXPECT_EQ(literalError("[[[[[[[[[1]]]]]]]]]"),
            "array '[[[[[[[[[1]]]]]]]]]' is wrong at character 10: lists are "
            "nested more than 8 deep");
}

TEST(Binding, HasFiveForms) {
  EXPECT_EQ(parseBinding("x=@a/x.npy")->path, "a/x.npy");
  EXPECT_EQ(parseBinding("x=@x.npy")->port, "x");
  auto member = parseBinding("h.0=@all.npz:h");
  EXPECT_EQ(member->port, "h.0");
  EXPECT_EQ(member->path, "all.npz");
  EXPECT_EQ(member->key, "h");
  auto archive = parseBinding("@all.npz");
  EXPECT_TRUE(archive->port.empty() && archive->isArchive());
  EXPECT_EQ(parseBinding("x=[1]")->literal, "[1]");
}

TEST(Binding, RefusesOtherForms) {
  auto error = [](std::string_view text) {
    return parseBinding(text).status().message();
  };
  EXPECT_EQ(error("x"), "'x' is not NAME=@FILE, NAME=[NUMBERS] or @FILE.npz");
  EXPECT_EQ(error("=[1]"),
            "'=[1]' is not NAME=@FILE, NAME=[NUMBERS] or @FILE.npz");
  EXPECT_EQ(error("x="), "'x=' has nothing behind '='");
  EXPECT_EQ(error("x=@"), "'x=@' names no file");
  EXPECT_EQ(error("x=@a.npz:"), "'x=@a.npz:' names no array of the archive");
  EXPECT_EQ(error("@x.npy"), "'@x.npy' names no port; only a whole .npz "
                             "archive needs none");
  EXPECT_EQ(parseBindings({"x=[1]", "x=[2]"}).status().message(),
            "'x' is given twice");
}

Vocabulary vocabulary(std::string_view text) {
  auto result = Vocabulary::parse(text);
  EXPECT_TRUE(result.isOk()) << result.status().message();
  return result.isOk() ? std::move(*result) : *Vocabulary::parse("x");
}

TEST(Vocabulary, ReadsEscapesAndKeepsLineNumbers) {
  Vocabulary v = vocabulary("a\n\\s\n\\n\n\\t\n\\\\\n<end>\n\xc3\xa4\r\n");
  EXPECT_EQ(v.size(), 7u);
  EXPECT_EQ(*v.symbol(1), " ");
  EXPECT_EQ(*v.symbol(2), "\n");
  EXPECT_EQ(*v.symbol(3), "\t");
  EXPECT_EQ(*v.symbol(4), "\\");
  EXPECT_EQ(*v.symbol(6), "\xc3\xa4");
  EXPECT_EQ(v.separator(), "");
}

TEST(Vocabulary, TakesTheLongestSymbolThatFits) {
  Vocabulary v = vocabulary("a\nab\n<end>\nb\n");
  EXPECT_EQ(*v.encode("aba<end>b"), (std::vector<int32_t>{1, 0, 2, 3}));
}

TEST(Vocabulary, SeparatesWordsBySpaces) {
  Vocabulary v = vocabulary("AE2\nK\nAE\n");
  EXPECT_EQ(v.separator(), " ");
  EXPECT_EQ(*v.encode("AE2 K  AE"), (std::vector<int32_t>{0, 1, 2}));
}

TEST(Vocabulary, KnowsWhatIsUnknown) {
  EXPECT_EQ(vocabulary("a\nb\n").encode("ab\xc3\xa4").status().message(),
            "character '\xc3\xa4' at byte 2 of the prompt is not in the "
            "vocabulary");
  EXPECT_EQ(*vocabulary("<unk>\na\n").encode("a\xc3\xa4"),
            (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(vocabulary("a\n").symbol(7).status().message(),
            "token 7 is not in the vocabulary of 1 symbols");
}

TEST(Vocabulary, RefusesBadFiles) {
  auto error = [](std::string_view text) {
    return Vocabulary::parse(text).status().message();
  };
  EXPECT_EQ(error(""), "vocabulary has no symbols");
  EXPECT_EQ(error("a\n\nb\n"), "line 2 of the vocabulary is empty");
  EXPECT_EQ(error("a\nb\na\n"),
            "line 3 of the vocabulary repeats the symbol 'a'");
  EXPECT_EQ(error("\\q\n"),
            "a backslash in '\\q' is not followed by n, t, s or a backslash\n"
            "  while reading line 1 of the vocabulary");
}

} // namespace
