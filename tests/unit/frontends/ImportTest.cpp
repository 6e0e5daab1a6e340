//===- ImportTest.cpp - descriptions as modules ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/frontends/TestFiles.h"

#include "dialects/rnn/RnnOps.h"

#include <cmath>
#include <gtest/gtest.h>

namespace rung {
namespace {

using test::Folder;
using test::Import;
using test::SafetensorsWriter;
using Values = std::vector<float>;

/// A function of f32 [T, B, 4] and i32 inputs with `layers`, the first of
/// them on line 9.
std::string model(const std::string &layers, const std::string &output = "a") {
  return "rung: 1\nname: m\nweights: m.safetensors\nfunctions:\n  f:\n"
         "    inputs: {x: {type: f32, shape: [T, B, 4]},\n"
         "             ids: {type: i32, shape: [T, B]}}\n"
         "    layers:\n" +
         layers + "    outputs: {y: " + output + "}\n";
}

/// Tensors that the layers below use.
std::string tensors() {
  SafetensorsWriter writer;
  writer.addRange("table", {5, 4});
  writer.addRange("matrix", {2, 4});
  writer.addRange("turned", {4, 2});
  writer.addRange("bias", {2});
  writer.addRange("scale", {4});
  writer.addRaw("count", "I64", {1}, std::string(8, '\0'));
  return writer.bytes();
}

std::string errorsOf(const std::string &layers) {
  Folder folder;
  Import import(folder, model(layers), tensors());
  EXPECT_FALSE(import.good());
  // Which inputs are read is not what these tests are about.
  std::string errors;
  for (size_t at = 0, end; at < import.messages.size(); at = end + 1) {
    end = import.messages.find('\n', at);
    std::string line = import.messages.substr(at, end - at + 1);
    if (line.find("warning") == std::string::npos)
      errors += line;
  }
  return errors;
}

TEST(ImportTest, BuildsEveryLayer) {
  Folder folder;
  Import import(
      folder,
      model("    - {name: e, op: embedding, input: ids, weight: table}\n"
            "    - {name: s, op: add, inputs: [e, x]}\n"
            "    - {name: n, op: rms_norm, weight: scale, epsilon: 1e-6}\n"
            "    - {name: l, op: linear, weight: matrix, bias: bias}\n"
            "    - {name: k, op: linear, input: n, weight: turned, "
            "transposed: true}\n"
            "    - {name: c, op: concat, inputs: [l, k]}\n"
            "    - {name: t, op: activation, function: {name: elu, alpha: 2}}\n"
            "    - {name: p, op: softmax}\n"
            "    - {name: a, op: argmax}\n"),
      tensors());
  ASSERT_TRUE(import.good()) << import.messages;
  EXPECT_EQ(import.messages, "");
  std::vector<std::string> ops;
  import.function("f").walk([&](mlir::Operation *op) {
    if (!mlir::isa<rnn::LoadWeightOp>(op))
      ops.push_back(op->getName().getStringRef().str());
  });
  EXPECT_EQ(ops, (std::vector<std::string>{
                     "rnn.embedding", "rnn.add", "rnn.rms_norm", "rnn.linear",
                     "rnn.linear", "rnn.concat", "rnn.activation",
                     "rnn.softmax", "rnn.argmax", "func.return", "func.func"}));
  EXPECT_EQ(import.weight("turned"), (Values{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(import.weightShape("turned"), (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(import.model->extras.sources.size(), 2u);
}

TEST(ImportTest, SharesWeightsAndKeepsArrangementsApart) {
  SafetensorsWriter writer;
  writer.addRange("w", {4, 4});
  Folder folder;
  Import import(folder,
                model("    - {name: a1, op: linear, input: x, weight: w}\n"
                      "    - {name: a2, op: linear, weight: w}\n"
                      "    - {name: a3, op: linear, weight: w, transposed: "
                      "true}\n"
                      "    - {name: e, op: embedding, input: ids, weight: w}\n"
                      "    - {name: a, op: add, inputs: [a3, e]}\n"),
                writer.bytes());
  ASSERT_TRUE(import.good()) << import.messages;
  std::vector<std::string> symbols;
  for (auto weight : import.model->module->getOps<rnn::WeightOp>())
    symbols.push_back(weight.getSymName().str());
  EXPECT_EQ(symbols, (std::vector<std::string>{"w", "w.1"}));
  EXPECT_EQ(import.weight("w")[1], 1);
  EXPECT_EQ(import.weight("w.1")[1], 4);
}

TEST(ImportTest, LargeWeightsAreResources) {
  SafetensorsWriter writer;
  writer.addRange("w", {32, 4});
  Folder folder;
  Import import(folder,
                model("    - {name: a, op: linear, input: x, weight: w}\n"),
                writer.bytes());
  ASSERT_TRUE(import.good()) << import.messages;
  auto op = import.model->module->lookupSymbol<rnn::WeightOp>("w");
  EXPECT_TRUE(mlir::isa<mlir::DenseResourceElementsAttr>(op.getValue()));
  EXPECT_EQ(import.weight("w")[127], 127);
}

TEST(ImportTest, StatesArePortsOfBothSides) {
  SafetensorsWriter writer;
  writer.addRange("input", {12, 4});
  writer.addRange("recurrent", {12, 4});
  Folder folder;
  Import import(folder,
                model("    - {name: a, op: gru, input: x, hidden: 4, weights: "
                      "{convention: rung}}\n"),
                writer.bytes());
  ASSERT_TRUE(import.good()) << import.messages;
  auto func = import.function("f");
  ASSERT_EQ(func.getNumArguments(), 3u);
  EXPECT_EQ(func.getArgAttrOfType<mlir::StringAttr>(2, rnn::kStateAttr),
            "a.state");
  ASSERT_EQ(func.getNumResults(), 2u);
  EXPECT_EQ(func.getResultAttrOfType<mlir::StringAttr>(1, rnn::kStateAttr),
            "a.state");
}

TEST(ImportTest, RefusesTypesThatDoNotFit) {
  EXPECT_EQ(errorsOf("    - {name: a, op: embedding, input: x, weight: "
                     "table}\n"),
            "m.yaml:9:39: error: layer 'a' reads 'x' of type f32 [T, B, 4]; "
            "'embedding' needs i32 [T, B]\n");
  EXPECT_EQ(errorsOf("    - {name: a, op: softmax, input: ids}\n"),
            "m.yaml:9:37: error: layer 'a' reads 'ids' of type i32 [T, B]; "
            "'softmax' needs f32\n");
  EXPECT_EQ(errorsOf("    - {name: a, op: add, inputs: [x, ids]}\n"),
            "m.yaml:9:38: error: layer 'a' adds 'x' of type f32 [T, B, 4] and "
            "'ids' of type i32 [T, B]; both must be of one type\n");
  EXPECT_EQ(errorsOf("    - {name: a, op: gru, input: x, lengths: ids, "
                     "hidden: 4, weights: {convention: rung}}\n"),
            "m.yaml:9:45: error: 'lengths' of layer 'a' is 'ids' of type i32 "
            "[T, B]; it must be i32 [B]\n");
}

TEST(ImportTest, RefusesTensorsThatDoNotFit) {
  EXPECT_EQ(errorsOf("    - {name: a, op: linear, input: x, weight: turned}\n"),
            "m.yaml:9:47: error: tensor 'turned' of 'm.safetensors' has shape "
            "[4, 2]; layer 'a' needs [outputs, 4] for its input of type f32 "
            "[T, B, 4]\n");
  EXPECT_EQ(errorsOf("    - {name: a, op: linear, input: x, weight: matrix, "
                     "bias: scale}\n"),
            "m.yaml:9:61: error: tensor 'scale' of 'm.safetensors' has shape "
            "[4]; layer 'a' needs [2]\n");
  EXPECT_EQ(errorsOf("    - {name: a, op: linear, input: x, weight: matix}\n"),
            "m.yaml:9:47: error: layer 'a' needs tensor 'matix', which is not "
            "in 'm.safetensors'; did you mean 'matrix'?\n");
  EXPECT_EQ(errorsOf("    - {name: a, op: linear, input: x, weight: count}\n"),
            "m.yaml:9:47: error: tensor 'count' of 'm.safetensors' has dtype "
            "I64; weights are F32, F16, BF16 or F64\n");
}

TEST(ImportTest, RefusesConcatenationsThatExplode) {
  std::string layers = "    - {name: c0, op: softmax, input: x}\n", last = "c0";
  for (int i = 1; i < 30; ++i) {
    std::string next = "c" + std::to_string(i);
    layers += "    - {name: " + next + ", op: concat, inputs: [" + last + ", " +
              last + "]}\n";
    last = next;
  }
  layers += "    - {name: a, op: softmax}\n";
  EXPECT_EQ(errorsOf(layers), "m.yaml:28:14: error: layer 'c19' is 2097152 "
                              "wide, more than 1048576\n");
}

TEST(ImportTest, RefusesStateNamesThatCollide) {
  EXPECT_EQ(errorsOf("    - {name: a, op: gru, input: x, state: ids, hidden: "
                     "4, weights: {convention: rung}}\n"),
            "m.yaml:9:43: error: state 'ids' of layer 'a' has the name of an "
            "input\n");
}

TEST(ImportTest, WarnsOfValuesThatAreNotFinite) {
  SafetensorsWriter writer;
  writer.add("w", {2, 4}, {0, 0, 0, 0, 0, NAN, INFINITY, 0});
  Folder folder;
  Import import(folder,
                model("    - {name: e, op: softmax, input: x}\n"
                      "    - {name: a, op: linear, weight: w}\n"),
                writer.bytes());
  EXPECT_TRUE(import.good());
  EXPECT_NE(import.messages.find(
                "m.yaml:10:37: warning: tensor 'w' of 'm.safetensors' has 2 "
                "values that are not finite, the first at [1, 1]\n"),
            std::string::npos)
      << import.messages;
}

TEST(ImportTest, RefusesDoublesBeyondFloat) {
  SafetensorsWriter writer;
  const double doubles[4] = {0, 1e300, 0, 0};
  writer.addRaw("w", "F64", {1, 4},
                {reinterpret_cast<const char *>(doubles), sizeof(doubles)});
  Folder folder;
  Import import(folder,
                model("    - {name: a, op: linear, input: x, weight: w}\n"),
                writer.bytes());
  EXPECT_FALSE(import.good());
  EXPECT_NE(import.messages.find("tensor 'w' of 'm.safetensors' has 1 values "
                                 "beyond the range of f32, the first not "
                                 "finite as f32 at [0, 1]"),
            std::string::npos)
      << import.messages;
}

TEST(ImportTest, SaysWhichFileCannotBeRead) {
  Folder folder;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  auto messagesOf = [&](const std::string &name, const std::string &weights) {
    DiagnosticsSink sink;
    EXPECT_TRUE(failed(importModel(context, folder.path(name), weights, sink)));
    return sink.text().substr(folder.path("").size());
  };
  EXPECT_EQ(messagesOf("m.onx", ""), "m.onx: error: file ending '.onx' is "
                                     "unknown; a model is a '.yaml' "
                                     "description\n");
  EXPECT_EQ(messagesOf("no.yaml", ""), "no.yaml: error: file can't be read: No "
                                       "such file or directory\n");
  folder.write("m.yaml",
               model("    - {name: a, op: linear, input: x, weight: w}\n"));
  EXPECT_NE(
      messagesOf("m.yaml", "")
          .find("m.safetensors: error: file can't be read: No such file or "
                "directory\n"),
      std::string::npos);
  EXPECT_NE(messagesOf("m.yaml", "")
                .find(":3:10: note: the weights are named "
                      "here\n"),
            std::string::npos);
  EXPECT_NE(messagesOf("m.yaml", folder.path("other.safetensors"))
                .find("other.safetensors: error: file can't be read"),
            std::string::npos);
}

} // namespace
} // namespace rung
