//===- DescriptionTest.cpp - mistakes in descriptions ---------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/spec/Description.h"

#include <gtest/gtest.h>

namespace rung::spec {
namespace {

/// All that is said about `text`.
std::string errorsOf(std::string_view text) {
  DiagnosticsSink sink;
  auto description = parseDescription(text, FileDiagnostics(sink, "m"));
  EXPECT_EQ(description.has_value(), !sink.hasErrors());
  return sink.text();
}

/// A description whose only function has `layers`, from line 6 on.
std::string withLayers(const std::string &layers) {
  return "rung: 1\n"
         "name: m\n"
         "functions:\n"
         "  f:\n"
         "    layers:\n" +
         layers +
         "    inputs: {x: {type: f32, shape: [T, B, 4]},\n"
         "             n: {type: i32, shape: [B]}}\n"
         "    outputs: {y: a}\n";
}

/// What is said about a gru with `keys`, all on line 6.
std::string errorsOfGru(const std::string &keys) {
  return errorsOf(
      withLayers("    - {name: a, op: gru, lengths: n, " + keys + "}\n"));
}

const char kWeights[] = "weights: {convention: pytorch, prefix: p.}";

std::string gruError(const std::string &keys) {
  return errorsOfGru(keys + (keys.empty() ? "" : ", ") + kWeights);
}

TEST(DescriptionTest, ReadsEveryKeyOfAGru) {
  DiagnosticsSink sink;
  auto description = parseDescription(
      withLayers("    - name: a\n"
                 "      op: gru\n"
                 "      hidden: 8\n"
                 "      layers: 2\n"
                 "      heads: 4\n"
                 "      reset: before\n"
                 "      update: take\n"
                 "      direction: bidirectional\n"
                 "      activations: [{name: hard_sigmoid, alpha: .2}, tanh]\n"
                 "      clip: 0.5\n"
                 "      lengths: n\n"
                 "      state: h\n"
                 "      weights:\n"
                 "        convention: rung\n"
                 "        prefix: 'p{layer}.'\n"
                 "        names: {input: w}\n"
                 "        reverse_names: {input: v}\n"
                 "        order: [n, r, z]\n"
                 "        transposed: true\n"),
      FileDiagnostics(sink, "m"));
  ASSERT_TRUE(description) << sink.text();
  const Layer &layer = description->functions[0].layers[0];
  EXPECT_EQ(layer.inputs[0].value, "x"); // the only one that is no lengths
  const auto &gru = std::get<GruLayer>(layer.parameters);
  EXPECT_EQ(gru.hidden.value, 8);
  EXPECT_EQ(gru.layers.value, 2);
  EXPECT_EQ(gru.heads.value, 4);
  EXPECT_EQ(gru.reset, Reset::Before);
  EXPECT_EQ(gru.update, Update::Take);
  EXPECT_EQ(gru.direction, Direction::Bidirectional);
  ASSERT_EQ(gru.activations.size(), 2u);
  EXPECT_EQ(gru.activations[0].alpha->value, .2);
  EXPECT_FALSE(gru.activations[0].beta);
  EXPECT_EQ(gru.clip, 0.5);
  EXPECT_EQ(gru.lengths->value, "n");
  EXPECT_EQ(gru.state.value, "h");
  EXPECT_EQ(gru.weights.prefix, "p{layer}.");
  EXPECT_EQ(gru.weights.names.at(Role::Input).value, "w");
  EXPECT_EQ(gru.weights.reverseNames.at(Role::Input).value, "v");
  EXPECT_EQ(gru.weights.order, (std::array<int, 3>{2, 1, 0}));
  EXPECT_EQ(gru.weights.transposed, true);
}

TEST(DescriptionTest, RefusesUnknownAndMissingKeys) {
  EXPECT_EQ(errorsOf("rung: 1\nname: m\nfuncions: {}\n"),
            "m:3:1: error: description has the unknown key 'funcions'; did "
            "you mean 'functions'?\n"
            "m:1:1: error: description has no 'functions'\n");
  EXPECT_EQ(gruError("hiden: 8"),
            "m:6:38: error: layer 'a' has the unknown key 'hiden'; did you "
            "mean 'hidden'?\n"
            "m:6:7: error: layer 'a' has no 'hidden'\n");
  EXPECT_EQ(errorsOf(withLayers("    - {name: a, input: x}\n")),
            "m:6:7: error: layer has no 'op'\n");
  EXPECT_EQ(errorsOf(withLayers("    - {name: a, op: grru}\n")),
            "m:6:21: error: 'op' of a layer is 'grru'; the choices are "
            "'embedding', 'linear', 'gru', 'rms_norm', 'activation', "
            "'softmax', 'argmax', 'add' and 'concat'; did you mean 'gru'?\n");
}

TEST(DescriptionTest, RefusesOtherVersions) {
  EXPECT_NE(errorsOf("rung: 2\nname: m\nfunctions: {}\n")
                .find("m:1:7: error: description is of version 2; version 1 "
                      "is the only one\n"),
            std::string::npos);
}

TEST(DescriptionTest, RefusesWrongTypes) {
  EXPECT_EQ(gruError("hidden: wide"),
            "m:6:46: error: 'hidden' of layer 'a' is 'wide', not an integer "
            "from 1 to 65536\n");
  EXPECT_EQ(gruError("hidden: '8'"),
            "m:6:46: error: 'hidden' of layer 'a' is the text '8', not an "
            "integer from 1 to 65536\n");
  EXPECT_EQ(gruError("hidden: 0"),
            "m:6:46: error: 'hidden' of layer 'a' is '0', not an integer from "
            "1 to 65536\n");
  EXPECT_EQ(gruError("hidden: 99999999999999999999"),
            "m:6:46: error: 'hidden' of layer 'a' is '99999999999999999999', "
            "not an integer from 1 to 65536\n");
  EXPECT_EQ(gruError("hidden: [8]"),
            "m:6:46: error: 'hidden' of layer 'a' is a sequence, not an "
            "integer from 1 to 65536\n");
  EXPECT_EQ(gruError("hidden: "),
            "m:6:38: error: 'hidden' of layer 'a' has no value\n");
  EXPECT_EQ(gruError("hidden: 8, reset: never"),
            "m:6:56: error: 'reset' of layer 'a' is 'never'; the choices are "
            "'before' and 'after'\n");
  EXPECT_EQ(errorsOfGru("hidden: 8, weights: p"),
            "m:6:58: error: 'weights' of layer 'a' is 'p', not a mapping\n");
  EXPECT_EQ(errorsOf("[1, 2]"),
            "m:1:1: error: description is a sequence, not a mapping\n");
  EXPECT_EQ(errorsOf(withLayers("    - gru\n")),
            "m:6:7: error: layer is 'gru', not a mapping\n");
}

TEST(DescriptionTest, RefusesBadHeadsAndClip) {
  EXPECT_EQ(gruError("hidden: 8, heads: 3"),
            "m:6:56: error: 3 heads do not divide the hidden size 8 of layer "
            "'a'\n");
  EXPECT_EQ(gruError("hidden: 8, clip: .nan"),
            "m:6:55: error: 'clip' of layer 'a' is '.nan', not a finite "
            "number\n");
  EXPECT_EQ(gruError("hidden: 8, clip: inf"),
            "m:6:55: error: 'clip' of layer 'a' is 'inf', not a finite "
            "number\n");
  EXPECT_EQ(gruError("hidden: 8, clip: -1"),
            "m:6:55: error: 'clip' of layer 'a' is -1; it must be over 0\n");
}

TEST(DescriptionTest, RefusesBadActivations) {
  EXPECT_EQ(gruError("hidden: 8, activations: [sigmoid]"),
            "m:6:62: error: 'activations' of layer 'a' has 1 entries; it needs "
            "2, of the gates and of the candidate\n");
  EXPECT_NE(gruError("hidden: 8, activations: [sigmoid, tanhh]")
                .find("m:6:72: error: activation is 'tanhh'; the choices are"),
            std::string::npos);
  EXPECT_EQ(gruError("hidden: 8, activations: [sigmoid, {name: tanh, alpha: "
                     "1}]"),
            "m:6:92: error: activation 'tanh' has no alpha\n");
}

TEST(DescriptionTest, RefusesBadWeightsKeys) {
  EXPECT_EQ(errorsOfGru("hidden: 8, weights: {}"),
            "m:6:58: error: 'weights' of layer 'a' has neither 'convention', "
            "'prefix' nor 'names'\n");
  EXPECT_EQ(errorsOfGru("hidden: 8, weights: {convention: torch}"),
            "m:6:71: error: 'convention' of 'weights' of layer 'a' is "
            "'torch'; the choices are 'rung', 'pytorch', 'keras' and 'onnx'\n");
  EXPECT_EQ(errorsOfGru("hidden: 8, weights: {prefix: p, order: [z, r]}"),
            "m:6:77: error: 'order' has 2 gates; it needs the 3 of z, r and "
            "n\n");
  EXPECT_EQ(errorsOfGru("hidden: 8, weights: {prefix: p, order: [z, r, z]}"),
            "m:6:84: error: gate 'z' stands twice in 'order'\n");
  EXPECT_EQ(errorsOfGru("hidden: 8, weights: {names: {inputs: w}}"),
            "m:6:67: error: 'names' has the unknown key 'inputs'; did you mean "
            "'input'?\n");
}

TEST(DescriptionTest, RefusesNamesThatDoNotResolve) {
  const std::string next = "    - {name: b, op: softmax}\n";
  EXPECT_EQ(errorsOf(withLayers("    - {name: a, op: softmax, input: xx}\n")),
            "m:6:37: error: layer 'a' reads 'xx', which is neither an input "
            "nor a layer of function 'f'\n");
  EXPECT_EQ(errorsOf(withLayers("    - {name: a, op: softmax, input: a}\n")),
            "m:6:37: error: layer 'a' reads itself\n");
  EXPECT_EQ(
      errorsOf(withLayers("    - {name: a, op: softmax, input: b}\n" + next)),
      "m:6:37: error: layer 'a' reads 'b', which comes later (line 7); a layer "
      "reads layers above it, so that there is no cycle\n");
  EXPECT_EQ(errorsOf(withLayers("    - {name: a, op: softmax}\n"
                                "    - {name: a, op: softmax}\n")),
            "m:7:14: error: name 'a' is given twice in function 'f'; the first "
            "is at line 6\n");
  EXPECT_EQ(errorsOf(withLayers("    - {name: aa, op: softmax}\n")),
            "m:9:18: error: output 'y' reads 'a', which is neither an input "
            "nor a layer of function 'f'; did you mean 'aa'?\n");
  EXPECT_EQ(errorsOf(withLayers("    - {name: a b, op: softmax}\n")),
            "m:6:14: error: 'name' of layer 'a b' is 'a b', not a name (a "
            "letter or '_', then at most 127 letters, digits, '_', '.' and "
            "'-')\n");
}

TEST(DescriptionTest, WarnsOfWhatIsNotUsed) {
  EXPECT_EQ(errorsOf(withLayers("    - {name: a, op: softmax}\n"
                                "    - {name: b, op: softmax}\n")),
            "m:9:14: warning: input 'n' is read by no layer\n"
            "m:7:14: warning: layer 'b' is read by no layer and no output\n");
}

TEST(DescriptionTest, RefusesBadShapes) {
  auto shape = [](const std::string &type, const std::string &shape) {
    return errorsOf("rung: 1\nname: m\nfunctions:\n  f:\n"
                    "    inputs: {x: {type: " +
                    type + ", shape: " + shape +
                    "}}\n"
                    "    layers: [{name: a, op: softmax}]\n"
                    "    outputs: {y: a}\n");
  };
  EXPECT_EQ(shape("f32", "[B, T, 4]"),
            "m:5:36: error: f32 input 'x' has another shape than [T, B, N] (a "
            "sequence) or [B, N] (rows)\n");
  EXPECT_EQ(shape("i32", "[T, B, 4]"),
            "m:5:36: error: i32 input 'x' has another shape than [T, B] (ids) "
            "or [B] (lengths)\n");
  EXPECT_EQ(shape("f32", "[T, B, N]"),
            "m:5:43: error: a size of input 'x', unless T or B, is 'N', not an "
            "integer from 1 to 1048576\n");
  EXPECT_EQ(shape("f64", "[T, B, 4]"),
            "m:5:24: error: 'type' of input 'x' is 'f64'; the choices are "
            "'f32' and 'i32'\n");
}

TEST(DescriptionTest, RefusesBadGenerateSections) {
  auto generate = [](const std::string &keys) {
    return errorsOf(withLayers("    - {name: a, op: gru, hidden: 4, lengths: "
                               "n, weights: {prefix: p}}\n") +
                    "generate: {" + keys + "}\n");
  };
  EXPECT_EQ(generate("step: f"),
            "m:10:11: error: 'generate' has neither 'token_output' nor "
            "'logits'\n");
  EXPECT_EQ(generate("step: g, logits: y"),
            "m:10:18: error: 'step' of 'generate' is 'g'; the functions are "
            "'f'\n");
  EXPECT_EQ(generate("step: f, logits: y, prompt: f"),
            "m:10:11: error: 'generate' has a 'prompt' function but no 'start' "
            "token\n");
  EXPECT_EQ(generate("step: f, logits: y, input_vocabulary: v"),
            "m:10:50: error: 'input_vocabulary' of 'generate' is 'v', but "
            "there are no 'vocabularies'\n");
  EXPECT_EQ(generate("step: f, logits: y, max_steps: 0"),
            "m:10:43: error: 'max_steps' of 'generate' is '0', not an integer "
            "from 1 to 1000000\n");
}

TEST(DescriptionTest, RefusesYamlBeyondPlainData) {
  EXPECT_EQ(errorsOf("a: &x [1]\nb: *x\n"),
            "m:1:4: error: an anchor ('&x') is not accepted here\n");
  EXPECT_EQ(errorsOf("rung: !!int 1\n"),
            "m:1:7: error: a tag ('tag:yaml.org,2002:int') is not accepted "
            "here\n");
  EXPECT_EQ(errorsOf("name: a\nname: b\n"),
            "m:2:1: error: key 'name' is given twice; the first is at line "
            "1\n");
  EXPECT_EQ(errorsOf("[a]: b\n"),
            "m:1:1: error: a key is a sequence or a mapping; only plain names "
            "are accepted\n");
  EXPECT_EQ(errorsOf("a: 1\n---\nb: 2\n"),
            "m:3:1: error: a second document follows; a description is one "
            "document\n");
  EXPECT_EQ(errorsOf(""), "m: error: description is empty\n");
}

TEST(DescriptionTest, RefusesBadText) {
  EXPECT_EQ(errorsOf("name: a\nb: \xff\n"),
            "m:2:4: error: byte 0xff is not valid UTF-8\n");
  EXPECT_EQ(errorsOf(std::string_view("a: \0b\n", 6)),
            "m:1:4: error: control character 0x00 is not accepted\n");
  EXPECT_NE(errorsOf("a: [1\nb: 2\n").find("m:"), std::string::npos);
}

TEST(DescriptionTest, RefusesDeepNestingAndWideMappings) {
  EXPECT_EQ(errorsOf("a: " + std::string(100, '[') + std::string(100, ']')),
            "m:1:19: error: values are nested deeper than 16\n");
  EXPECT_NE(errorsOf(std::string(100000, '[')).find("error"),
            std::string::npos);
  std::string wide;
  for (int i = 0; i < 5000; ++i)
    wide += "k" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(errorsOf(wide),
            "m:4097:1: error: a mapping has more than 4096 keys\n");
}

} // namespace
} // namespace rung::spec
