//===- GruWeightsTest.cpp - conventions of GRU weights --------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/frontends/TestFiles.h"

#include "dialects/rnn/RnnOps.h"

#include <gtest/gtest.h>

namespace rung {
namespace {

using test::Folder;
using test::Import;
using test::SafetensorsWriter;
using Values = std::vector<float>;
using Shape = std::vector<int64_t>;

constexpr int64_t kHidden = 2, kInput = 3, kRows = 3 * kHidden;

std::string model(const std::string &keys) {
  return "rung: 1\nname: m\nweights: m.safetensors\nfunctions:\n  f:\n"
         "    inputs: {x: {type: f32, shape: [T, B, 3]}}\n"
         "    layers: [{name: a, op: gru, hidden: 2, state: h, " +
         keys +
         "}]\n"
         "    outputs: {y: a}\n";
}

/// An element whose value tells what it is: gate block, output and column.
float element(int gate, int64_t output, int64_t column) {
  return static_cast<float>(100 * gate + 10 * output + column);
}

/// [3 rows, columns] with the gate blocks (0 z, 1 r, 2 n) in `order`.
Values matrix(std::array<int, 3> order, int64_t rows, int64_t columns) {
  Values values;
  for (int gate : order)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column)
        values.push_back(element(gate, row, column));
  return values;
}

Values transpose(const Values &values, int64_t rows, int64_t columns) {
  Values result;
  for (int64_t column = 0; column < columns; ++column)
    for (int64_t row = 0; row < rows; ++row)
      result.push_back(values[static_cast<size_t>(row * columns + column)]);
  return result;
}

const std::array<int, 3> kCanonical = {0, 1, 2}, kTorch = {1, 0, 2};
const Values kW = matrix(kCanonical, kHidden, kInput);
const Values kU = matrix(kCanonical, kHidden, kHidden);
const Values kB = matrix(kCanonical, kHidden, 1);

Values operator+(Values a, const Values &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

rnn::GruOp gruOf(Import &import) {
  rnn::GruOp found;
  import.function("f").walk([&](rnn::GruOp op) { found = op; });
  return found;
}

TEST(GruWeightsTest, PyTorchOrderBecomesCanonical) {
  SafetensorsWriter writer;
  writer.add("p.weight_ih_l0", {kRows, kInput},
             matrix(kTorch, kHidden, kInput));
  writer.add("p.weight_hh_l0", {kRows, kHidden},
             matrix(kTorch, kHidden, kHidden));
  writer.add("p.bias_ih_l0", {kRows}, matrix(kTorch, kHidden, 1));
  writer.add("p.bias_hh_l0", {kRows}, matrix(kTorch, kHidden, 1));
  Folder folder;
  Import import(folder, model("weights: {convention: pytorch, prefix: p.}"),
                writer.bytes());
  ASSERT_TRUE(import.good()) << import.messages;
  EXPECT_EQ(import.weight("p.weight_ih_l0"), kW);
  EXPECT_EQ(import.weight("p.weight_hh_l0"), kU);
  EXPECT_EQ(import.weightShape("p.weight_hh_l0"), (Shape{1, kRows, kHidden}));
  EXPECT_EQ(import.weight("p.bias_ih_l0"), kB);
  EXPECT_EQ(gruOf(import).getReset(), rnn::Reset::After);
}

TEST(GruWeightsTest, PyTorchCellHasNoLayerInItsNames) {
  SafetensorsWriter writer;
  writer.add("c.weight_ih", {kRows, kInput}, matrix(kTorch, kHidden, kInput));
  writer.add("c.weight_hh", {kRows, kHidden}, matrix(kTorch, kHidden, kHidden));
  Folder folder;
  Import import(folder, model("weights: {convention: pytorch, prefix: c.}"),
                writer.bytes());
  ASSERT_TRUE(import.good()) << import.messages;
  EXPECT_EQ(import.weight("c.weight_ih"), kW);
  EXPECT_TRUE(gruOf(import).getInputBias().empty());
}

TEST(GruWeightsTest, PyTorchBiasesComeInPairs) {
  SafetensorsWriter writer;
  writer.addRange("c.weight_ih_l0", {kRows, kInput});
  writer.addRange("c.weight_hh_l0", {kRows, kHidden});
  writer.addRange("c.bias_ih_l0", {kRows});
  Folder folder;
  Import import(folder, model("weights: {convention: pytorch, prefix: c.}"),
                writer.bytes());
  EXPECT_EQ(import.messages, "m.yaml:7:63: error: layer 'a' has tensor "
                             "'c.bias_ih_l0' but not the other bias\n");
}

TEST(GruWeightsTest, PyTorchStacksAndDirections) {
  SafetensorsWriter writer;
  for (std::string suffix : {"_l0", "_l0_reverse", "_l1", "_l1_reverse"}) {
    int64_t width = suffix[2] == '0' ? kInput : 2 * kHidden;
    writer.addRange("weight_ih" + suffix, {kRows, width});
    writer.addRange("weight_hh" + suffix, {kRows, kHidden});
  }
  Folder folder;
  Import import(folder,
                model("layers: 2, direction: bidirectional, "
                      "weights: {convention: pytorch}"),
                writer.bytes());
  ASSERT_TRUE(import.good()) << import.messages;
  auto func = import.function("f");
  std::vector<std::string> names;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    names.push_back(
        func.getArgAttrOfType<mlir::StringAttr>(i, rnn::kNameAttr).str());
  EXPECT_EQ(names, (std::vector<std::string>{"x", "h.0", "h.0.reverse", "h.1",
                                             "h.1.reverse"}));
}

TEST(GruWeightsTest, KerasKernelsAreTransposed) {
  SafetensorsWriter writer;
  writer.add("kernel", {kInput, kRows}, transpose(kW, kRows, kInput));
  writer.add("recurrent_kernel", {kHidden, kRows},
             transpose(kU, kRows, kHidden));
  writer.add("bias", {2, kRows}, kB + kB);
  Folder folder;
  Import import(folder, model("weights: {convention: keras}"), writer.bytes());
  ASSERT_TRUE(import.good()) << import.messages;
  EXPECT_EQ(import.weight("kernel"), kW);
  EXPECT_EQ(import.weight("recurrent_kernel"), kU);
  EXPECT_EQ(import.weight("bias.input"), kB);
  EXPECT_EQ(import.weight("bias.recurrent"), kB);
  EXPECT_EQ(gruOf(import).getReset(), rnn::Reset::After);
}

TEST(GruWeightsTest, KerasSingleBiasMeansResetBefore) {
  SafetensorsWriter writer;
  writer.add("kernel", {kInput, kRows}, transpose(kW, kRows, kInput));
  writer.add("recurrent_kernel", {kHidden, kRows},
             transpose(kU, kRows, kHidden));
  writer.add("bias", {kRows}, kB);
  Folder folder;
  Import import(folder, model("weights: {convention: keras}"), writer.bytes());
  ASSERT_TRUE(import.good()) << import.messages;
  rnn::GruOp gru = gruOf(import);
  EXPECT_EQ(gru.getReset(), rnn::Reset::Before);
  EXPECT_EQ(gru.getInputBias().size(), 1u);
  EXPECT_TRUE(gru.getRecurrentBias().empty());
}

TEST(GruWeightsTest, OnnxHasDirectionsInFront) {
  SafetensorsWriter writer;
  Values other(kW.size(), 7.0f);
  writer.add("W", {2, kRows, kInput}, kW + other);
  writer.add("R", {2, kRows, kHidden}, kU + Values(kU.size(), 8.0f));
  writer.add("B", {2, 2 * kRows},
             kB + Values(kB.size(), 1) + Values(kB.size(), 2) +
                 Values(kB.size(), 3));
  Folder folder;
  Import import(folder,
                model("direction: bidirectional, weights: {convention: onnx}"),
                writer.bytes());
  ASSERT_TRUE(import.good()) << import.messages;
  EXPECT_EQ(import.weight("W.forward"), kW);
  EXPECT_EQ(import.weight("W.reverse"), other);
  EXPECT_EQ(import.weight("R.reverse"), Values(kU.size(), 8.0f));
  EXPECT_EQ(import.weight("B.forward.input"), kB);
  EXPECT_EQ(import.weight("B.forward.recurrent"), Values(kB.size(), 1));
  EXPECT_EQ(import.weight("B.reverse.recurrent"), Values(kB.size(), 3));
  EXPECT_EQ(gruOf(import).getReset(), rnn::Reset::Before);
}

TEST(GruWeightsTest, NamesOneByOneWithTheirOrder) {
  const std::array<int, 3> order = {2, 0, 1};
  SafetensorsWriter writer;
  writer.add("a/w", {kInput, kRows},
             transpose(matrix(order, kHidden, kInput), kRows, kInput));
  writer.add("a/u", {kHidden, kRows},
             transpose(matrix(order, kHidden, kHidden), kRows, kHidden));
  writer.add("a/b", {kRows}, matrix(order, kHidden, 1));
  Folder folder;
  Import import(folder,
                model("weights: {names: {input: a/w, recurrent: a/u, "
                      "recurrent_bias: a/b}, order: [n, z, r], "
                      "transposed: true}"),
                writer.bytes());
  ASSERT_TRUE(import.good()) << import.messages;
  EXPECT_EQ(import.weight("a/w"), kW);
  EXPECT_EQ(import.weight("a/u"), kU);
  EXPECT_EQ(import.weight("a/b"), kB);
  EXPECT_TRUE(gruOf(import).getInputBias().empty());
}

TEST(GruWeightsTest, HeadsLieFlatOrOneByOne) {
  // Flat: row = gate, head, output; one unit a head.
  SafetensorsWriter flat, heads;
  flat.addRange("input", {kRows, kInput});
  flat.add("recurrent", {kRows, 1}, {0, 1, 10, 11, 20, 21});
  heads.addRange("input", {kRows, kInput});
  heads.add("recurrent", {2, 3, 1}, {0, 10, 20, 1, 11, 21});
  for (const SafetensorsWriter &writer : {flat, heads}) {
    Folder folder;
    Import import(folder, model("heads: 2, weights: {convention: rung}"),
                  writer.bytes());
    ASSERT_TRUE(import.good()) << import.messages;
    EXPECT_EQ(import.weight("recurrent"), (Values{0, 10, 20, 1, 11, 21}));
    EXPECT_EQ(import.weightShape("recurrent"), (Shape{2, 3, 1}));
  }
}

TEST(GruWeightsTest, SaysBothShapes) {
  SafetensorsWriter writer;
  writer.addRange("input", {kRows, kInput + 1});
  writer.addRange("recurrent", {kRows, kHidden});
  Folder folder;
  Import import(folder, model("weights: {convention: rung}"), writer.bytes());
  EXPECT_EQ(import.messages,
            "m.yaml:7:63: error: tensor 'input' of 'm.safetensors' has shape "
            "[6, 4]; layer 'a' needs [6, 3] (hidden 2, input 3, heads 1)\n");
}

TEST(GruWeightsTest, RefusesADenseMatrixForHeads) {
  SafetensorsWriter writer;
  writer.addRange("input", {kRows, kInput});
  writer.addRange("recurrent", {kRows, kHidden});
  Folder folder;
  Import import(folder, model("heads: 2, weights: {convention: rung}"),
                writer.bytes());
  EXPECT_EQ(import.messages,
            "m.yaml:7:73: error: tensor 'recurrent' of 'm.safetensors' has "
            "shape [6, 2]; layer 'a' needs [6, 1] or [2, 3, 1] (hidden 2, "
            "input 3, heads 2)\n");
}

TEST(GruWeightsTest, NamesMustTellLayersAndDirectionsApart) {
  SafetensorsWriter writer;
  writer.addRange("kernel", {kInput, kRows});
  Folder folder;
  Import stacked(folder, model("layers: 2, weights: {convention: keras}"),
                 writer.bytes());
  EXPECT_EQ(stacked.messages,
            "m.yaml:7:74: error: layer 'a' stacks 2 layers, but the tensor "
            "name 'kernel' has no '{layer}' to tell them apart\n");
  Import both(folder,
              model("direction: bidirectional, weights: {convention: keras}"),
              writer.bytes());
  EXPECT_EQ(both.messages,
            "m.yaml:7:89: error: layer 'a' is bidirectional, but the tensor "
            "name 'kernel' has no '{direction}' to tell the directions apart, "
            "and there is none in 'reverse_names'\n");
}

TEST(GruWeightsTest, SuggestsTensorNames) {
  SafetensorsWriter writer;
  writer.addRange("p.weight_ih_l0", {kRows, kInput});
  Folder folder;
  Import import(folder, model("weights: {convention: pytorch, prefix: q.}"),
                writer.bytes());
  EXPECT_EQ(import.messages,
            "m.yaml:7:63: error: layer 'a' needs tensor 'q.weight_ih_l0', "
            "which is not in 'm.safetensors'; did you mean "
            "'p.weight_ih_l0'?\n");
  Import missing(folder, model("weights: {names: {input: w}}"), writer.bytes());
  EXPECT_NE(missing.messages.find("needs tensor 'w', which is not in"),
            std::string::npos);
}

} // namespace
} // namespace rung
