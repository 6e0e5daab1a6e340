//===- MutationTest.cpp - damaged files give errors, never crashes --------===//
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/frontends/TestFiles.h"
#include "tests/unit/support/Mutate.h"

#include "mlir/IR/Verifier.h"

#include <array>
#include <gtest/gtest.h>
#include <span>

namespace rung {
namespace {

using test::Folder;
using test::Mutator;
using test::SafetensorsWriter;

constexpr unsigned kCount = 1200;

/// A description that uses nearly every key.
const char kDescription[] = R"(rung: 1
name: everything
weights: m.safetensors
vocabularies: {letters: letters.txt}
functions:
  encode:
    inputs:
      ids: {type: i32, shape: [T, B]}
      lens: {type: i32, shape: [B]}
    layers:
      - {name: emb, op: embedding, input: ids, weight: table}
      - name: rnn
        op: gru
        hidden: 4
        layers: 2
        heads: 2
        reset: before
        update: take
        direction: bidirectional
        activations: [{name: hard_sigmoid, alpha: .2, beta: .5}, tanh]
        clip: 0.5
        lengths: lens
        weights: {convention: rung, prefix: "enc{layer}."}
        state: g
    outputs: {states: rnn}
  decode:
    inputs: {ids: {type: i32, shape: [T, B]}}
    layers:
      - {name: emb, op: embedding, weight: table}
      - {name: norm, op: rms_norm, weight: scale, epsilon: 1.0e-6}
      - {name: both, op: add, inputs: [emb, norm]}
      - {name: wide, op: concat, inputs: [both, norm, emb]}
      - {name: soft, op: activation, function: {name: elu, alpha: 1.5}}
      - {name: down, op: linear, weight: down, transposed: true}
      - name: rnn
        op: gru
        hidden: 4
        weights:
          names: {input: w, recurrent: u, input_bias: b, recurrent_bias: b}
          order: [r, z, n]
        state: h
      - {name: scores, op: linear, weight: table, bias: bias}
      - {name: shares, op: softmax}
      - {name: next, op: argmax, input: scores}
    outputs: {logits: scores, shares: shares, token: next}
generate:
  step: decode
  token_input: ids
  token_output: token
  logits: logits
  start: 2
  stop: 3
  append: [2, 1]
  max_steps: 20
  input_vocabulary: letters
  output_vocabulary: letters
)";

/// Words of the two formats, and pieces that YAML and JSON give a meaning to.
constexpr std::array<std::string_view, 48> kTokens = {
    "gru",   "linear",  "embedding", "argmax", "concat", "add",     "x",
    "ids",   "lens",    "rnn",       "emb",    "table",  "down",    "bias",
    "scale", "pytorch", "keras",     "onnx",   "rung",   "before",  "reverse",
    "z",     "true",    "T",         "B",      "f32",    "F16",     "BF16",
    "F64",   "I64",     "dtype",     "shape",  "null",   "~",       ".nan",
    "1e999", "[",       "]",         "{",      "}",      "&a [*a]", "!!int 1",
    "\"a\"", "'",       "| x",       "- - -",  "? :",    "{layer}"};

SafetensorsWriter tensors() {
  SafetensorsWriter writer;
  writer.addRange("table", {5, 4});
  writer.addRange("scale", {4});
  writer.addRange("down", {12, 4});
  writer.addRange("bias", {5});
  writer.addRange("w", {12, 4});
  writer.addRange("u", {12, 4});
  writer.addRange("b", {12});
  for (std::string layer : {"enc0.", "enc1."})
    for (std::string direction : {"", "_reverse"}) {
      writer.addRange(layer + "input" + direction,
                      {12, layer == "enc0." ? 4 : 8});
      writer.addRange(layer + "recurrent" + direction, {2, 6, 2});
      writer.addRange(layer + "input_bias" + direction, {12});
      writer.addRange(layer + "recurrent_bias" + direction, {12});
    }
  return writer;
}

struct MutationTest : testing::Test {
  MutationTest() { folder.write("letters.txt", "a\nb\nc\nd\ne\n"); }

  /// Imports, and holds the result to its promise: a module that verifies, or
  /// an error that says something.
  bool import(const std::string &yaml, const std::string &weights) {
    std::string path = folder.write("m.yaml", yaml);
    folder.write("m.safetensors", weights);
    DiagnosticsSink sink;
    auto model = importModel(context, path, "", sink);
    EXPECT_EQ(mlir::succeeded(model), !sink.hasErrors()) << sink.text();
    for (const Diagnostic &diagnostic : sink.diagnostics())
      EXPECT_FALSE(diagnostic.message.empty() || diagnostic.file.empty());
    if (mlir::succeeded(model)) {
      EXPECT_TRUE(mlir::succeeded(mlir::verify(*model->module)));
    }
    return mlir::succeeded(model);
  }

  Folder folder;
  // One for all: making it takes longer than an import.
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

TEST_F(MutationTest, TheUndamagedModelImports) {
  EXPECT_TRUE(import(kDescription, tensors().bytes()));
}

TEST_F(MutationTest, DamagedDescriptions) {
  std::string weights = tensors().bytes();
  unsigned refused = 0;
  for (unsigned seed = 0; seed < kCount; ++seed) {
    SCOPED_TRACE(seed);
    refused += !import(Mutator(seed).text(kDescription, kTokens), weights);
  }
  // Damage to a comment or a number is none; most damage is.
  EXPECT_GT(refused, kCount / 2);
  EXPECT_LT(refused, kCount);
}

TEST_F(MutationTest, DamagedSafetensors) {
  std::string whole = tensors().bytes();
  size_t headerLength = static_cast<unsigned char>(whole[0]) |
                        static_cast<unsigned char>(whole[1]) << 8;
  std::string header = whole.substr(8, headerLength);
  std::string data = whole.substr(8 + headerLength);
  unsigned refused = 0;
  for (unsigned seed = 0; seed < kCount; ++seed) {
    SCOPED_TRACE(seed);
    Mutator mutator(seed);
    // Half the damage is behind a right header length, where it gets further.
    if (seed % 2) {
      std::string text = mutator.text(header, kTokens);
      refused += !import(kDescription, test::safetensorsBytes(text, data));
      continue;
    }
    auto bytes = mutator.bytes(std::as_bytes(std::span(whole)));
    refused +=
        !import(kDescription,
                {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  }
  EXPECT_GT(refused, kCount / 3);
  EXPECT_LT(refused, kCount);
}

TEST_F(MutationTest, EveryTruncation) {
  std::string whole = tensors().bytes();
  for (size_t length = 0; length < whole.size(); length += 7) {
    SCOPED_TRACE(length);
    EXPECT_FALSE(import(kDescription, whole.substr(0, length)));
  }
}

} // namespace
} // namespace rung
