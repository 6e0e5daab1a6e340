//===- ExpandCellsTest.cpp - a body computes what its cell does -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/Passes.h"
#include "tests/unit/runtime/reference/RunGraph.h"
#include "tests/unit/support/ParsedModule.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <algorithm>

using namespace rung;
using namespace rung::test;

namespace {

/// 2 heads x 3 units, 4 inputs.
struct Variant {
  std::string reset = "after", update = "keep", direction = "forward";
  bool inputBias = true, recurrentBias = true, lengths = false;
  std::string gate = "sigmoid", candidate = "tanh";
  double clip = 0; // 0: none

  bool bidirectional() const { return direction == "bidirectional"; }
};

/// A function of one rnn.gru, its weights arguments, and inputs to run it on.
class GruFunction {
public:
  explicit GruFunction(const Variant &variant)
      : variant_(variant), directions_(variant.bidirectional() ? 2 : 1) {
    std::string groups = argument("x", "?x?x4", {kSteps, kBatch, 4}, "f32");
    groups += " weights(" + perDirection("w", "18x4", {18, 4}) + ")";
    groups += " recurrent(" + perDirection("u", "2x9x3", {2, 9, 3}) + ")";
    if (variant.inputBias)
      groups += " input_bias(" + perDirection("bw", "18", {18}) + ")";
    if (variant.recurrentBias)
      groups += " recurrent_bias(" + perDirection("bu", "18", {18}) + ")";
    groups += " initial(" + perDirection("h", "?x6", {kBatch, 6}) + ")";
    if (variant.lengths) {
      groups += " lengths(" + argument("n", "?", {kBatch}, "i32") + ")";
      inputs_.back() = tensor({kBatch}, {5, 0, 2, 1}, ScalarType::I32);
    }
    text_ = write(groups);
  }

  const std::string &text() const { return text_; }
  std::vector<reference::Tensor> run(ParsedModule &module) const {
    return RunnableModel(module.toModel()).run(inputs_, kSteps, kBatch);
  }

private:
  static constexpr int64_t kSteps = 5, kBatch = 4;

  std::string argument(const std::string &name, const std::string &shape,
                       std::vector<int64_t> dims, const std::string &element) {
    std::string type = "tensor<" + shape + "x" + element + ">";
    arguments_ += (arguments_.empty() ? "%" : ", %") + name + ": " + type +
                  " {rnn.name = \"" + name + "\"}";
    types_ += (types_.empty() ? "" : ", ") + type;
    inputs_.push_back(randomTensor(std::move(dims), inputs_.size() + 1));
    return "%" + name;
  }
  std::string perDirection(const std::string &name, const std::string &shape,
                           const std::vector<int64_t> &dims) {
    std::string names = argument(name, shape, dims, "f32");
    if (directions_ == 2)
      names += ", " + argument(name + "r", shape, dims, "f32");
    return names;
  }

  std::string write(const std::string &groups) const {
    std::string pair = "#rnn.activation<" + variant_.gate +
                       ">, #rnn.activation<" + variant_.candidate + ">";
    std::string state = "tensor<?x6xf32>";
    std::string results = directions_ == 1
                              ? "tensor<?x?x6xf32>, " + state
                              : "tensor<?x?x12xf32>, " + state + ", " + state;
    std::string names = directions_ == 1 ? "%r:2" : "%r:3";
    std::string values = directions_ == 1 ? "%r#0, %r#1" : "%r#0, %r#1, %r#2";
    std::string ports = directions_ == 1
                            ? "tensor<?x?x6xf32> {rnn.name = \"y\"}, "
                            : "tensor<?x?x12xf32> {rnn.name = \"y\"}, ";
    ports += state + " {rnn.name = \"hn\"}";
    if (directions_ == 2)
      ports += ", " + state + " {rnn.name = \"hnr\"}";
    std::string clip =
        variant_.clip == 0
            ? ""
            : " {clip = " + std::to_string(variant_.clip) + " : f64}";
    return "func.func @f(" + arguments_ + ") -> (" + ports + ") {\n  " + names +
           " = rnn.gru " + groups + " reset(" + variant_.reset + ") update(" +
           variant_.update + ") direction(" + variant_.direction +
           ") activations([" + pair + (directions_ == 2 ? ", " + pair : "") +
           "])" + clip + " : (" + types_ + ") -> (" + results + ")\n  return " +
           values + " : " + results + "\n}\n";
  }

  Variant variant_;
  unsigned directions_;
  std::string arguments_, types_, text_;
  std::vector<reference::Tensor> inputs_;
};

void expand(ParsedModule &module, bool simplify) {
  mlir::PassManager passes(module.context());
  passes.addPass(createExpandCells());
  if (simplify) {
    passes.addPass(mlir::createCanonicalizerPass());
    passes.addPass(mlir::createCSEPass());
  }
  ASSERT_TRUE(mlir::succeeded(passes.run(module.module()))) << module.said();
  ASSERT_EQ(module.said(), "");
}

/// Largest difference, relative to values of more than 1: some activations let
/// a state grow.
double largestError(const reference::Tensor &a, const reference::Tensor &b) {
  EXPECT_EQ(a.dims, b.dims);
  EXPECT_EQ(a.values.size(), b.values.size());
  double largest = 0;
  for (size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i)
    largest = std::max(largest, std::abs(a.values[i] - b.values[i]) /
                                    std::max(1.0, std::abs(b.values[i])));
  return largest;
}

/// The reference knows rnn.gru by its equations, and a body by its operations.
/// Both are in double precision: what differs is the order of roundings.
void expectSame(const Variant &variant, double tolerance = 1e-12) {
  GruFunction function(variant);
  SCOPED_TRACE(function.text());
  ParsedModule named(function.text());
  auto expected = function.run(named);
  for (bool simplify : {false, true}) {
    ParsedModule expanded(function.text());
    expand(expanded, simplify);
    auto actual = function.run(expanded);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i)
      EXPECT_LT(largestError(actual[i], expected[i]), tolerance) << i;
  }
}

TEST(ExpandCells, KeepsWhatAnyVariantComputes) {
  for (const char *reset : {"before", "after"})
    for (const char *update : {"keep", "take"})
      for (const char *direction : {"forward", "reverse", "bidirectional"})
        for (int biases = 0; biases < 4; ++biases)
          for (bool lengths : {false, true})
            expectSame({.reset = reset,
                        .update = update,
                        .direction = direction,
                        .inputBias = (biases & 1) != 0,
                        .recurrentBias = (biases & 2) != 0,
                        .lengths = lengths});
}

/// As gate and as candidate, with both updates, clipped and not.
void expectSameActivation(const char *activation, double tolerance) {
  for (const char *update : {"keep", "take"})
    for (double clip : {0.0, 0.375}) {
      expectSame({.update = update, .candidate = activation, .clip = clip},
                 tolerance);
      expectSame({.update = update, .gate = activation, .clip = clip},
                 tolerance);
    }
}

TEST(ExpandCells, KeepsEveryActivation) {
  for (const char *activation :
       {"sigmoid", "tanh", "relu", "affine, alpha = 0.5, beta = 0.25",
        "leaky_relu, alpha = 0.25", "thresholded_relu",
        "thresholded_relu, alpha = 0.125",
        "scaled_tanh, alpha = 1.5, beta = 0.5",
        "hard_sigmoid, alpha = 0.375, beta = 0.25", "elu", "elu, alpha = 0.5",
        "softsign", "softplus", "identity"})
    expectSameActivation(activation, 1e-12);
  // 0.01 and 0.2 are no f32 numbers: a body holds the nearest, the cell a
  // double.
  for (const char *activation : {"leaky_relu", "hard_sigmoid"})
    expectSameActivation(activation, 1e-6);
}

} // namespace
