//===- LowerInt8PwlTest.cpp - integers follow the floats they stand for ---===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/Passes.h"
#include "passes/precision/AttachCalibration.h"
#include "tests/unit/runtime/reference/RunGraph.h"
#include "tests/unit/support/ParsedModule.h"

#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

using namespace rung;
using namespace rung::test;

namespace {

using Tensors = std::vector<reference::Tensor>;

/// Rows whose largest number is 127/128, all of them whole numbers of 1/128:
/// bytes hold them exactly, so that only arithmetic differs.
std::string exactRows(const std::string &name, const std::string &type,
                      size_t rows, size_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> values;
  for (size_t i = 0; i < rows * columns; ++i)
    values.push_back(i % columns == i / columns % columns
                         ? 127.0f / 128
                         : (float(random() % 255) - 127) / 128);
  std::string bytes;
  const char *digits = "0123456789ABCDEF";
  for (float value : values)
    for (size_t i = 0; i < sizeof(float); ++i) {
      auto byte = reinterpret_cast<const unsigned char *>(&value)[i];
      bytes += {digits[byte >> 4], digits[byte & 15]};
    }
  return "rnn.weight @" + name + " : tensor<" + type + "xf32> = dense<\"0x" +
         bytes + "\">\n";
}

/// A GRU of 2 heads x 2 with 4 inputs, whose update takes about 2 % a step.
std::string gru(const std::string &reset, const std::string &update,
                const std::string &attributes = "") {
  std::string bias = update == "keep" ? "4.0" : "-4.0";
  for (int i = 1; i < 12; ++i)
    bias += i < 4 ? (update == "keep" ? ", 4.0" : ", -4.0") : ", 0.25";
  return exactRows("w", "12x4", 12, 4, 1) + exactRows("u", "2x6x2", 12, 2, 2) +
         "rnn.weight @b : tensor<12xf32> = dense<[" + bias + R"(]>
    func.func @run(%x: tensor<?x?x4xf32> {rnn.name = "x"},
        %h0: tensor<?x4xf32> {rnn.name = "h", rnn.state = "h"})
        -> (tensor<?x?x4xf32> {rnn.name = "y"},
            tensor<?x4xf32> {rnn.name = "h", rnn.state = "h"}) {
      %w = rnn.load_weight @w : tensor<12x4xf32>
      %u = rnn.load_weight @u : tensor<2x6x2xf32>
      %b = rnn.load_weight @b : tensor<12xf32>
      %y, %hn = rnn.gru %x weights(%w) recurrent(%u) input_bias(%b)
          recurrent_bias(%b) initial(%h0)
          reset()" +
         reset + ") update(" + update + R"() direction(forward)
          activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>]))" +
         attributes + R"(
          : (tensor<?x?x4xf32>, tensor<12x4xf32>, tensor<2x6x2xf32>,
             tensor<12xf32>, tensor<12xf32>, tensor<?x4xf32>)
          -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
      return %y, %hn : tensor<?x?x4xf32>, tensor<?x4xf32>
    })";
}

std::string cell(const std::string &name) {
  std::ifstream file(std::string(RUNG_SOURCE_DIR) + "/tests/e2e/cells/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A calibration of one linear, with inputs of -1 .. 1, and one recurrence.
Calibration calibrated(std::vector<double> states) {
  Calibration calibration;
  FunctionCalibration &function = calibration.functions["run"];
  function.linears = {{-1, 1}};
  function.recurrences.emplace_back();
  for (double state : states)
    function.recurrences[0].states.push_back({-state, state});
  return calibration;
}

/// What \p text computes in the integers that \p options choose.
Tensors runInIntegers(const std::string &text, const Calibration &calibration,
                      const LowerInt8PwlOptions &options, Tensors inputs,
                      int64_t steps, int64_t batch) {
  ParsedModule module(text);
  mlir::PassManager passes(module.context());
  AnnotatePrecisionOptions annotate;
  annotate.precision = "int8";
  passes.addPass(createAnnotatePrecision(annotate));
  passes.addPass(createExpandCells());
  EXPECT_TRUE(mlir::succeeded(passes.run(module.module()))) << module.said();
  EXPECT_TRUE(mlir::succeeded(attachCalibration(module.module(), calibration)))
      << module.said();
  mlir::PassManager lowering(module.context());
  lowering.addPass(createLowerInt8Pwl(options));
  EXPECT_TRUE(mlir::succeeded(lowering.run(module.module()))) << module.said();
  return RunnableModel(module.toModel()).run(std::move(inputs), steps, batch);
}

void expectClose(const std::string &text, const Calibration &calibration,
                 const LowerInt8PwlOptions &options, const Tensors &inputs,
                 int64_t steps, int64_t batch, double tolerance) {
  Tensors expected =
      RunnableModel(ParsedModule(text).toModel()).run(inputs, steps, batch);
  Tensors actual =
      runInIntegers(text, calibration, options, inputs, steps, batch);
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_LT(largestDifference(actual[i], expected[i]), tolerance) << i;
}

struct Choice {
  LowerInt8PwlOptions options;
  double tolerance;
};

LowerInt8PwlOptions pieces(int count, std::string state = "s32") {
  LowerInt8PwlOptions options;
  options.pieces = count;
  options.state = std::move(state);
  return options;
}

LowerInt8PwlOptions with(std::string activation, int bytes) {
  LowerInt8PwlOptions options;
  options.activation = std::move(activation);
  options.operandBytes = bytes;
  return options;
}

// Fewer pieces, a shorter state or operand err more, and by no more than this.
TEST(LowerInt8Pwl, FollowsEveryGru) {
  constexpr int64_t steps = 200, batch = 3;
  Tensors inputs = {randomTensor({steps, batch, 4}, 5),
                    randomTensor({batch, 4}, 6)};
  for (const Choice &choice :
       {Choice{pieces(8), 1e-2}, Choice{pieces(32), 6e-4},
        Choice{pieces(64), 3e-4}, Choice{pieces(64, "s16"), 1e-3},
        Choice{with("table-linear", 2), 2e-3}, Choice{with("table", 2), 4e-2},
        Choice{with("piecewise", 1), 3e-2}})
    for (const char *reset : {"before", "after"})
      for (const char *update : {"keep", "take"}) {
        SCOPED_TRACE(std::string(reset) + " " + update + " " +
                     std::to_string(choice.options.pieces) + " " +
                     choice.options.state + " " + choice.options.activation);
        expectClose(gru(reset, update), calibrated({1}), choice.options, inputs,
                    steps, batch, choice.tolerance);
      }
}

// A clip that nothing reaches changes no bit, however large it is.
TEST(LowerInt8Pwl, FollowsClippedActivations) {
  constexpr int64_t steps = 30, batch = 3;
  Tensors inputs = {randomTensor({steps, batch, 4}, 5),
                    randomTensor({batch, 4}, 6)};
  auto run = [&](const std::string &clip) {
    return runInIntegers(gru("after", "keep", clip), calibrated({1}),
                         pieces(32), inputs, steps, batch);
  };
  expectClose(gru("after", "keep", " {clip = 0.75 : f64}"), calibrated({1}),
              pieces(32), inputs, steps, batch, 1e-3);
  Tensors wide = run(" {clip = 1.0e30 : f64}"), none = run("");
  for (size_t i = 0; i < none.size(); ++i)
    EXPECT_EQ(wide.at(i).values, none[i].values) << i;
}

// Weights of two digits lose up to half a byte's step each.
TEST(LowerInt8Pwl, FollowsAnLstm) {
  constexpr int64_t steps = 40, batch = 3;
  Tensors inputs = {randomTensor({steps, batch, 4}, 1),
                    tensor({batch}, {40, 0, 17}, ScalarType::I32),
                    randomTensor({batch, 6}, 2), randomTensor({batch, 6}, 3)};
  for (const char *state : {"s16", "s32"})
    expectClose(cell("lstm.mlir"), calibrated({1, 4}), pieces(32, state),
                inputs, steps, batch, 2e-2);
}

// A body of choices, and a state that calibration bounds.
TEST(LowerInt8Pwl, FollowsAMinimalGru) {
  constexpr int64_t steps = 40, batch = 2;
  Tensors inputs = {randomTensor({steps, batch, 3}, 1),
                    randomTensor({batch, 5}, 2)};
  expectClose(cell("mingru.mlir"), calibrated({3}), pieces(32), inputs, steps,
              batch, 2e-2);
}

// From ids to logits: embedding, norm, cell, residual sum, norm, linear.
TEST(LowerInt8Pwl, FollowsAWholeModel) {
  constexpr int64_t steps = 60, batch = 2;
  std::string text = exactRows("table", "7x4", 7, 4, 3) +
                     exactRows("w", "8x4", 8, 4, 1) +
                     exactRows("head", "7x4", 7, 4, 4) + R"(
    rnn.weight @scale : tensor<4xf32> = dense<[1.0, 0.5, 1.25, 0.75]>
    rnn.weight @bias : tensor<7xf32> = dense<0.25>
    func.func @run(%ids: tensor<?x?xi32> {rnn.name = "ids"},
        %h0: tensor<?x4xf32> {rnn.name = "h", rnn.state = "h"})
        -> (tensor<?x?x7xf32> {rnn.name = "logits"},
            tensor<?x4xf32> {rnn.name = "h", rnn.state = "h"}) {
      %table = rnn.load_weight @table : tensor<7x4xf32>
      %scale = rnn.load_weight @scale : tensor<4xf32>
      %w = rnn.load_weight @w : tensor<8x4xf32>
      %head = rnn.load_weight @head : tensor<7x4xf32>
      %bias = rnn.load_weight @bias : tensor<7xf32>
      %x = rnn.embedding %ids, %table
          : (tensor<?x?xi32>, tensor<7x4xf32>) -> tensor<?x?x4xf32>
      %n = rnn.rms_norm %x, %scale : tensor<?x?x4xf32>, tensor<4xf32>
      %xp = rnn.linear %n, %w
          : (tensor<?x?x4xf32>, tensor<8x4xf32>) -> tensor<?x?x8xf32>
      %y, %hn = rnn.recurrence direction(forward) heads(1)
          sequences(%xp) weights() initial(%h0) {
      ^bb0(%p: tensor<8xf32>, %h: tensor<4xf32>):
        %pz = tensor.extract_slice %p[0] [4] [1]
            : tensor<8xf32> to tensor<4xf32>
        %u = rnn.sigmoid %pz : tensor<4xf32>
        %pn = tensor.extract_slice %p[4] [4] [1]
            : tensor<8xf32> to tensor<4xf32>
        %c = math.tanh %pn : tensor<4xf32>
        %d = arith.subf %c, %h : tensor<4xf32>
        %s = arith.mulf %u, %d : tensor<4xf32>
        %next = arith.addf %h, %s : tensor<4xf32>
        rnn.yield outputs(%next : tensor<4xf32>) states(%next : tensor<4xf32>)
      } : (tensor<?x?x8xf32>, tensor<?x4xf32>)
          -> (tensor<?x?x4xf32>, tensor<?x4xf32>)
      %sum = rnn.add %y, %x : tensor<?x?x4xf32>
      %last = rnn.rms_norm %sum, %scale : tensor<?x?x4xf32>, tensor<4xf32>
      %logits = rnn.linear %last, %head, %bias
          : (tensor<?x?x4xf32>, tensor<7x4xf32>, tensor<7xf32>)
          -> tensor<?x?x7xf32>
      return %logits, %hn : tensor<?x?x7xf32>, tensor<?x4xf32>
    })";
  std::vector<double> ids;
  for (int i = 0; i < steps * batch; ++i)
    ids.push_back(i * i % 7);
  Tensors inputs = {tensor({steps, batch}, ids, ScalarType::I32),
                    randomTensor({batch, 4}, 6)};
  LowerInt8PwlOptions options = pieces(64);
  expectClose(text, {}, options, inputs, steps, batch, 2e-3);
  options.all = true;
  expectClose(text, {}, options, inputs, steps, batch, 1e-2);
}

TEST(LowerInt8Pwl, LeavesStatesOnTheirGrid) {
  constexpr int64_t steps = 9, batch = 2;
  Tensors inputs = {randomTensor({steps, batch, 4}, 5),
                    randomTensor({batch, 4}, 6)};
  for (auto [state, bits] : {std::pair("s16", 15), std::pair("s32", 24)}) {
    Tensors results = runInIntegers(gru("after", "keep"), calibrated({1}),
                                    pieces(16, state), inputs, steps, batch);
    ASSERT_EQ(results.size(), 2u);
    for (double value : results[1].values)
      EXPECT_EQ(std::ldexp(value, bits), std::rint(std::ldexp(value, bits)));
  }
}

// A call that goes on where another ended gives what one call would.
TEST(LowerInt8Pwl, CarriesItsStateExactly) {
  constexpr int64_t steps = 16, batch = 2;
  Tensors inputs = {randomTensor({steps, batch, 4}, 5),
                    randomTensor({batch, 4}, 6)};
  std::string text = gru("before", "keep");
  Calibration calibration = calibrated({1});
  Tensors whole =
      runInIntegers(text, calibration, pieces(16), inputs, steps, batch);
  auto part = [&](size_t first, size_t count, reference::Tensor state) {
    const std::vector<double> &x = inputs[0].values;
    size_t step = batch * 4;
    return runInIntegers(
        text, calibration, pieces(16),
        {tensor({int64_t(count), batch, 4},
                {x.begin() + first * step, x.begin() + (first + count) * step}),
         std::move(state)},
        int64_t(count), batch);
  };
  Tensors begin = part(0, 5, inputs[1]);
  Tensors end = part(5, 11, begin.at(1));
  EXPECT_EQ(end.at(1).values, whole.at(1).values);
}

} // namespace
