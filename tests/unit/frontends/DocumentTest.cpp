//===- DocumentTest.cpp - docs/model-format.md is right -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/frontends/TestFiles.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace rung {
namespace {

using test::Folder;
using test::SafetensorsWriter;

std::string document() {
  std::ifstream file(RUNG_SOURCE_DIR "/docs/model-format.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> examples() {
  std::vector<std::string> result;
  const std::string text = document(), open = "```yaml\n", close = "```\n";
  for (size_t at = text.find(open); at != std::string::npos;
       at = text.find(open, at)) {
    at += open.size();
    size_t end = text.find(close, at);
    result.push_back(text.substr(at, end - at));
    at = end + close.size();
  }
  return result;
}

/// The tensors that the examples name.
std::string tensors() {
  SafetensorsWriter writer;
  writer.addRange("table", {11, 8});
  for (std::string name : {"gru.weight_ih_l0", "gru.weight_hh_l0", "w"})
    writer.addRange(name, {24, 8});
  for (std::string name : {"gru.bias_ih_l0", "gru.bias_hh_l0", "b"})
    writer.addRange(name, {24});
  writer.addRange("fc.weight", {5, 8});
  writer.addRange("fc.bias", {5});
  writer.addRange("u", {24, 2});
  writer.addRange("scale", {8});
  for (std::string direction : {"bi/forward/", "bi/backward/"}) {
    writer.addRange(direction + "kernel", {8, 12});
    writer.addRange(direction + "recurrent_kernel", {4, 12});
    writer.addRange(direction + "bias", {2, 12});
  }
  return writer.bytes();
}

TEST(DocumentTest, EveryExampleImportsWithoutAWord) {
  std::vector<std::string> all = examples();
  ASSERT_EQ(all.size(), 3u);
  Folder folder;
  folder.write("example.safetensors", tensors());
  folder.write("letters.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n");
  folder.write("sounds.txt", "A\nB\nC\nD\nE\n");
  for (const std::string &example : all) {
    SCOPED_TRACE(example);
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    DiagnosticsSink sink;
    auto model =
        importModel(context, folder.write("m.yaml", example), "", sink);
    EXPECT_TRUE(mlir::succeeded(model));
    EXPECT_EQ(sink.text(), "");
  }
}

/// Every key of the format; a new one belongs here and in the document.
TEST(DocumentTest, EveryKeyIsExplained) {
  const std::string text = document();
  for (std::string key : {"rung",
                          "name",
                          "weights",
                          "vocabularies",
                          "functions",
                          "generate",
                          "inputs",
                          "layers",
                          "outputs",
                          "type",
                          "shape",
                          "op",
                          "input",
                          "weight",
                          "bias",
                          "transposed",
                          "epsilon",
                          "function",
                          "hidden",
                          "heads",
                          "reset",
                          "update",
                          "direction",
                          "activations",
                          "clip",
                          "lengths",
                          "state",
                          "convention",
                          "prefix",
                          "names",
                          "reverse_names",
                          "order",
                          "prompt",
                          "step",
                          "token_input",
                          "token_output",
                          "logits",
                          "start",
                          "stop",
                          "append",
                          "max_steps",
                          "input_vocabulary",
                          "output_vocabulary",
                          "alpha",
                          "beta"})
    EXPECT_NE(text.find("`" + key + "`"), std::string::npos) << key;
}

} // namespace
} // namespace rung
