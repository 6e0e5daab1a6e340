//===- PairedCellsTest.cpp - cells in pairs of f16 against the same in f64 ===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/Passes.h"
#include "tests/unit/runtime/reference/RunGraph.h"
#include "tests/unit/support/ParsedModule.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace rung;
using namespace rung::test;

namespace {

constexpr int64_t kSteps = 6, kBatch = 4, kHeads = 2, kHeadWidth = 4,
                  kWidth = kHeads * kHeadWidth, kInputs = 5;

/// Random numbers with as many digits as f32 has.
std::string dense(size_t count, uint64_t seed) {
  std::ostringstream text;
  text << "dense<[";
  for (float value : randomNumbers(count, seed))
    text << (text.tellp() > 7 ? ", " : "") << std::scientific << value;
  text << "]>";
  return text.str();
}

/// Recurrent matrices with one power of two a row, so that sums of products are
/// exact, and what pairs lose is seen alone.
std::string sparseMatrices() {
  std::ostringstream text;
  text << "dense<[";
  for (int64_t head = 0; head < kHeads; ++head) {
    text << (head ? ", [" : "[");
    for (int64_t row = 0; row < 3 * kHeadWidth; ++row) {
      text << (row ? ", [" : "[");
      for (int64_t column = 0; column < kHeadWidth; ++column) {
        bool here = column == (3 * row + head) % kHeadWidth;
        const char *value = row % 3 == 0   ? "0.5"
                            : row % 3 == 1 ? "-1.0"
                                           : "1.0";
        text << (column ? ", " : "") << (here ? value : "0.0");
      }
      text << "]";
    }
    text << "]";
  }
  text << "]>";
  return text.str();
}

struct Cell {
  std::string reset = "after", update = "keep", direction = "forward";
  bool bias = true;
  std::string gate = "sigmoid", candidate = "tanh";
  double clip = 0; // 0: none
  std::string round = "nearest";

  std::string text() const {
    std::ostringstream out;
    out << "rnn.weight @u : tensor<2x12x4xf32> = " << sparseMatrices() << "\n";
    if (bias)
      out << "rnn.weight @b : tensor<24xf32> = " << dense(24, 3) << "\n";
    out << "func.func @f(%x: tensor<?x?x5xf32> {rnn.name = \"x\"}, "
           "%w: tensor<24x5xf32> {rnn.name = \"w\"}, "
           "%h: tensor<?x8xf32> {rnn.name = \"h\"}) -> "
           "(tensor<?x?x8xf32> {rnn.name = \"y\"}, "
           "tensor<?x8xf32> {rnn.name = \"hn\"}) {\n"
           "  %u = rnn.load_weight @u : tensor<2x12x4xf32>\n";
    if (bias)
      out << "  %b = rnn.load_weight @b : tensor<24xf32>\n";
    out << "  %y, %hn = rnn.gru %x weights(%w) recurrent(%u)"
        << (bias ? " recurrent_bias(%b)" : "") << " initial(%h) reset(" << reset
        << ") update(" << update << ") direction(" << direction
        << ") activations([#rnn.activation<" << gate << ">, #rnn.activation<"
        << candidate << ">]) precision(<operand = f16, accumulate = f16, "
        << "state = f16x2, round = " << round << ">)";
    if (clip != 0)
      out << " {clip = " << clip << " : f64}";
    out << " : (tensor<?x?x5xf32>, tensor<24x5xf32>, tensor<2x12x4xf32>"
        << (bias ? ", tensor<24xf32>" : "")
        << ", tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>)\n"
           "  return %y, %hn : tensor<?x?x8xf32>, tensor<?x8xf32>\n}\n";
    return out.str();
  }
};

/// Runs \p text, in pairs or in double precision.
std::vector<reference::Tensor> run(const std::string &text, bool paired,
                                   std::vector<reference::Tensor> inputs,
                                   int64_t steps, int64_t batch) {
  ParsedModule module(text);
  mlir::PassManager passes(module.context());
  passes.addPass(createAnnotatePrecision({"fp16x2"})); // Where there is none.
  passes.addPass(createExpandCells());
  if (paired) {
    passes.addPass(createExpandPairedFp16());
    passes.addPass(createInsertStochasticRounding());
    passes.addPass(mlir::createCSEPass());
  }
  EXPECT_TRUE(mlir::succeeded(passes.run(module.module()))) << module.said();
  return RunnableModel(module.toModel()).run(std::move(inputs), steps, batch);
}

void expectClose(const Cell &cell, double tolerance) {
  std::string text = cell.text();
  SCOPED_TRACE(text);
  std::vector<reference::Tensor> inputs{
      randomTensor({kSteps, kBatch, kInputs}, 1),
      randomTensor({3 * kWidth, kInputs}, 2),
      randomTensor({kBatch, kWidth}, 4)};
  auto expected = run(text, /*paired=*/false, inputs, kSteps, kBatch);
  auto actual = run(text, /*paired=*/true, inputs, kSteps, kBatch);
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    double largest = 1;
    for (double value : expected[i].values)
      largest = std::max(largest, std::abs(value));
    EXPECT_LT(largestDifference(actual[i], expected[i]), largest * tolerance)
        << "result " << i << ", which reaches " << largest;
  }
}

TEST(PairedCells, KeepWhatAnyVariantComputes) {
  for (const char *reset : {"before", "after"})
    for (const char *update : {"keep", "take"})
      for (const char *direction : {"forward", "reverse"})
        for (bool bias : {false, true})
          expectClose({.reset = reset,
                       .update = update,
                       .direction = direction,
                       .bias = bias},
                      0x1p-17);
}

TEST(PairedCells, KeepEveryActivationButSoftplus) {
  for (const char *activation :
       {"sigmoid", "relu", "affine, alpha = 0.5, beta = 0.25",
        "leaky_relu, alpha = 0.25", "thresholded_relu, alpha = 0.125",
        "scaled_tanh, alpha = 1.5, beta = 0.5",
        "hard_sigmoid, alpha = 0.375, beta = 0.25", "elu, alpha = 0.5",
        "softsign", "identity"})
    for (double clip : {0.0, 0.375}) {
      expectClose({.candidate = activation, .clip = clip}, 0x1p-15);
      expectClose({.update = "take", .gate = activation, .clip = clip},
                  0x1p-15);
    }
}

/// A cell that no pass knows by name, from the end-to-end tests.
void expectCloseCell(const char *name, std::vector<reference::Tensor> inputs,
                     double tolerance) {
  std::ifstream file(std::string(RUNG_SOURCE_DIR "/tests/e2e/cells/") + name);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  auto expected = run(text, /*paired=*/false, inputs, kSteps, kBatch);
  auto actual = run(text, /*paired=*/true, inputs, kSteps, kBatch);
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_LT(largestDifference(actual[i], expected[i]), tolerance) << i;
}

TEST(PairedCells, KeepAMinimalGru) {
  expectCloseCell(
      "mingru.mlir",
      {randomTensor({kSteps, kBatch, 3}, 1), randomTensor({kBatch, 5}, 2)},
      0x1p-18);
}

TEST(PairedCells, KeepALongShortTermMemory) {
  // Its recurrent weights are rounded to f16, and so are its sums.
  expectCloseCell("lstm.mlir",
                  {randomTensor({kSteps, kBatch, 4}, 1),
                   tensor({kBatch}, {6, 0, 3, 5}, ScalarType::I32),
                   randomTensor({kBatch, 6}, 2), randomTensor({kBatch, 6}, 3)},
                  1e-3);
}

/// A state that moves by less than half of 2^-24 a step, from 0 towards 1/4.
double meanAfter(int64_t steps, int64_t batch, const std::string &round) {
  std::string text = R"(
func.func @f(%a: tensor<?x?x8xf32> {rnn.name = "a"},
             %h: tensor<?x8xf32> {rnn.name = "h"})
    -> (tensor<?x8xf32> {rnn.name = "hn"}) {
  %hn = rnn.recurrence direction(forward) heads(1) sequences(%a) weights()
      initial(%h) precision(<operand = f16, accumulate = f16, state = f16x2,
                             round = )" +
                     round + R"(>) {
  ^bb0(%pa: tensor<8xf32>, %ph: tensor<8xf32>):
    %u = rnn.sigmoid %pa : tensor<8xf32>
    %n = arith.constant dense<0.25> : tensor<8xf32>
    %d = arith.subf %n, %ph : tensor<8xf32>
    %s = arith.mulf %u, %d : tensor<8xf32>
    %next = arith.addf %ph, %s : tensor<8xf32>
    rnn.yield outputs() states(%next : tensor<8xf32>)
  } : (tensor<?x?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %hn : tensor<?x8xf32>
})";
  std::vector<double> values(steps * batch * 8, -16), zeros(batch * 8, 0.0);
  std::vector<reference::Tensor> inputs{tensor({steps, batch, 8}, values),
                                        tensor({batch, 8}, zeros)};
  if (round == "stochastic") {
    std::vector<double> random(batch * 3, 0.0);
    for (int64_t row = 0; row < batch; ++row)
      random[3 * row + 1] = double(row);
    inputs.push_back(tensor({batch, 3}, random, ScalarType::I32));
  }
  auto outputs = run(text, /*paired=*/true, inputs, steps, batch);
  double mean = 0;
  for (double value : outputs.front().values)
    mean += value / double(batch * 8);
  return mean;
}

TEST(PairedCells, StochasticRoundingMovesWhatNearestHolds) {
  constexpr int64_t kMany = 500, kRows = 32;
  EXPECT_EQ(meanAfter(kMany, kRows, "nearest"), 0);
  // u = sigmoid(-16), half of 2^-24 times 3.8; a step is 0.47 of 2^-24.
  double expected = 0.25 * kMany / (1 + std::exp(16.0));
  double share = expected / kMany * 0x1p24;
  double standardError = std::sqrt(share * (1 - share) * kMany / (kRows * 8));
  EXPECT_NEAR(meanAfter(kMany, kRows, "stochastic") * 0x1p24, expected * 0x1p24,
              4 * standardError);
}

TEST(PairedCells, APairPassesABoundaryExactly) {
  Cell cell;
  std::vector<reference::Tensor> inputs{
      randomTensor({kSteps, kBatch, kInputs}, 1),
      randomTensor({3 * kWidth, kInputs}, 2),
      randomTensor({kBatch, kWidth}, 4)};
  auto whole = run(cell.text(), /*paired=*/true, inputs, kSteps, kBatch);
  reference::Tensor state = inputs[2];
  size_t row = kBatch * kInputs;
  for (int64_t step = 0; step < kSteps; ++step) {
    auto begin = inputs[0].values.begin() + step * row;
    auto one = run(
        cell.text(), /*paired=*/true,
        {tensor({1, kBatch, kInputs}, {begin, begin + row}), inputs[1], state},
        1, kBatch);
    state = one[1];
  }
  EXPECT_EQ(state.values, whole[1].values);
}

} // namespace
