//===- GenerationTest.cpp - the section 'generate' against its functions --===//
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/frontends/TestFiles.h"

#include <gtest/gtest.h>

namespace rung {
namespace {

using test::Folder;
using test::Import;
using test::SafetensorsWriter;

/// Letters (5 of them) to sounds (7): `generate` is on line 23.
std::string model(const std::string &generate,
                  const std::string &promptState = "h") {
  return R"(rung: 1
name: m
weights: m.safetensors
vocabularies: {letters: letters.txt, sounds: sounds.txt}
functions:
  read:
    inputs: {letters: {type: i32, shape: [T, B]}}
    layers:
      - {name: e, op: embedding, weight: letters}
      - {name: r, op: gru, hidden: 4, state: )" +
         promptState + R"(, weights: {convention: rung}}
    outputs: {y: r}
  say:
    inputs: {ids: {type: i32, shape: [T, B]}}
    layers:
      - {name: e, op: embedding, weight: sounds}
      - {name: r, op: gru, hidden: 4, state: h, weights: {convention: rung}}
      - {name: s, op: linear, weight: sounds}
      - {name: a, op: argmax}
    outputs:
      scores: s
      token: a
generate:
  {)" + generate +
         "}\n";
}

std::string tensors() {
  SafetensorsWriter writer;
  writer.addRange("letters", {5, 4});
  writer.addRange("sounds", {7, 4});
  writer.addRange("input", {12, 4});
  writer.addRange("recurrent", {12, 4});
  return writer.bytes();
}

struct GenerationTest : testing::Test {
  GenerationTest() {
    folder.write("letters.txt", "a\nb\nc\nd\ne\n");
    folder.write("sounds.txt", "A\nB\nC\r\nD\nE\nF\nG");
  }
  std::string errorsOf(const std::string &generate,
                       const std::string &promptState = "h") {
    Import import(folder, model(generate, promptState), tensors());
    EXPECT_FALSE(import.good());
    return import.messages;
  }
  Folder folder;
};

const char kGood[] = "prompt: read, step: say, token_output: token, start: 1";

TEST_F(GenerationTest, FindsItsPorts) {
  Import import(folder,
                model(std::string(kGood) +
                      ", logits: scores, stop: 6, append: [4, 0], max_steps: "
                      "9, input_vocabulary: letters, output_vocabulary: "
                      "sounds"),
                tensors());
  ASSERT_TRUE(import.good()) << import.messages;
  EXPECT_EQ(import.messages, "");
  const Generation &generation = *import.model->extras.generation;
  EXPECT_EQ(generation.function, "say");
  EXPECT_EQ(generation.promptFunction, "read");
  EXPECT_EQ(generation.promptInput, "letters");
  EXPECT_EQ(generation.tokenInput, "ids");
  EXPECT_EQ(generation.tokenOutput, "token");
  EXPECT_EQ(generation.logitsOutput, "scores");
  EXPECT_EQ(generation.start, 1);
  EXPECT_EQ(generation.stop, 6);
  EXPECT_EQ(generation.maxSteps, 9u);
  EXPECT_EQ(generation.append, (std::vector<int32_t>{4, 0}));
  ASSERT_EQ(import.model->extras.assets.size(), 2u);
  EXPECT_EQ(import.model->extras.assets[1].name, "sounds");
  EXPECT_EQ(import.model->extras.assets[1].bytes, "A\nB\nC\nD\nE\nF\nG\n");
}

TEST_F(GenerationTest, WithoutAPromptTheStepReadsIt) {
  Import import(folder, model("step: say, logits: scores"), tensors());
  ASSERT_TRUE(import.good()) << import.messages;
  const Generation &generation = *import.model->extras.generation;
  EXPECT_EQ(generation.promptFunction, "");
  EXPECT_EQ(generation.start, -1);
  EXPECT_EQ(generation.stop, -1);
}

TEST_F(GenerationTest, RefusesPortsThatAreNotThere) {
  EXPECT_EQ(errorsOf("step: say, token_output: tokn"),
            "m.yaml:23:29: error: 'token_output' is 'tokn', which is no output "
            "of function 'say'; its outputs are 'scores' and 'token'; did you "
            "mean 'token'?\n");
  EXPECT_EQ(errorsOf("step: say, token_output: scores"),
            "m.yaml:23:29: error: 'token_output' is 'scores' of type f32 [T, "
            "B, 7]; it must be i32 [T, B], as an 'argmax' gives; scores are "
            "named by 'logits'\n");
  EXPECT_EQ(errorsOf("step: say, token_output: token, token_input: id"),
            "m.yaml:23:49: error: 'token_input' is 'id', which is no input of "
            "function 'say'; its inputs are 'ids'; did you mean 'ids'?\n");
}

TEST_F(GenerationTest, RefusesStatesThatDoNotMeet) {
  EXPECT_EQ(errorsOf(kGood, "g"),
            "m.yaml:23:12: error: state 'h' of function 'say' is no state of "
            "the prompt function 'read'; its states are 'g'\n");
}

TEST_F(GenerationTest, RefusesTokensOutOfRange) {
  std::string base = "prompt: read, step: say, token_output: token, start: ";
  EXPECT_EQ(errorsOf(base + "7"),
            "m.yaml:23:57: error: 'start' is 7, beyond the 7 rows of the "
            "embedding that reads it\n");
  EXPECT_EQ(errorsOf(base + "1, stop: 7"),
            "m.yaml:23:66: error: 'stop' is 7, beyond the 7 classes of "
            "tokens\n");
  EXPECT_EQ(errorsOf(base + "1, append: [5]"),
            "m.yaml:23:69: error: a token of 'append' is 5, beyond the 5 rows "
            "of the embedding that reads it\n");
}

TEST_F(GenerationTest, RefusesVocabulariesOfOtherSizes) {
  std::string base(kGood);
  EXPECT_EQ(errorsOf(base + ", input_vocabulary: sounds"),
            "m.yaml:23:78: error: vocabulary 'sounds' has 7 symbols, but the "
            "embedding that reads them has 5 rows\n");
  EXPECT_EQ(errorsOf(base + ", output_vocabulary: letters"),
            "m.yaml:23:79: error: vocabulary 'letters' has 5 symbols for 7 "
            "classes of tokens\n");
}

TEST_F(GenerationTest, RefusesBadVocabularyFiles) {
  folder.write("letters.txt", "a\nb\na\n");
  EXPECT_EQ(errorsOf(kGood), "letters.txt:3:1: error: symbol 'a' is given "
                             "twice; the first is at line 1\n");
  folder.write("letters.txt", "a\n\nb\n");
  EXPECT_EQ(errorsOf(kGood), "letters.txt:2:1: error: symbol is empty\n");
  folder.write("letters.txt", "a\nb\xc3\n");
  EXPECT_EQ(errorsOf(kGood),
            "letters.txt:2:2: error: byte 0xc3 is not valid UTF-8\n");
  folder.write("letters.txt", "");
  EXPECT_EQ(errorsOf(kGood), "letters.txt: error: vocabulary has no symbols\n");
}

TEST_F(GenerationTest, FindsVocabulariesBesideTheWeights) {
  Folder other;
  std::string weights = folder.write("m.safetensors", tensors());
  std::string path = other.write("m.yaml", model(kGood));
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  DiagnosticsSink sink;
  auto result = importModel(context, path, weights, sink);
  EXPECT_TRUE(mlir::succeeded(result)) << sink.text();
}

} // namespace
} // namespace rung
