//===- TensorOpsTest.cpp - the ops around a recurrence --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/reference/RunGraph.h"

#include <cmath>
#include <limits>

using namespace rung;
using namespace rung::test;
using reference::Tensor;

namespace {

constexpr int32_t T = kDimT, B = kDimB;
using Values = std::vector<double>;

/// A function of one op: inputs as ports, weights behind them.
struct OneOp {
  ModelBuilder model;
  FunctionBuilder function{"main"};
  std::vector<uint32_t> operands;

  OneOp &input(const Type &type) {
    std::string name = "in" + std::to_string(operands.size());
    operands.push_back(function.input(name, type));
    return *this;
  }
  OneOp &weight(std::vector<int32_t> dims, const std::vector<float> &values) {
    int64_t index = model.weight("w" + std::to_string(operands.size()),
                                 std::move(dims), values);
    operands.push_back(model.load(function, index));
    return *this;
  }
  RunnableModel build(const char *op, Type result, Attributes list = {}) {
    function.output("out", result,
                    function.graph.op1(op, operands, result, std::move(list)));
    model.add(std::move(function));
    return RunnableModel(std::move(model));
  }
};

Values run(RunnableModel model, std::vector<Tensor> inputs, int64_t steps,
           int64_t batch) {
  auto outputs = model.run(std::move(inputs), steps, batch);
  return outputs.empty() ? Values() : outputs[0].values;
}

TEST(TensorOps, EmbeddingReadsRowsAndClampsIds) {
  auto model = OneOp()
                   .input(i32({T, B}))
                   .weight({3, 2}, {0, 1, 10, 11, 20, 21})
                   .build("rnn.embedding", f32({T, B, 2}));
  EXPECT_EQ(run(std::move(model),
                {tensor({2, 2}, {2, 0, -5, 99}, ScalarType::I32)}, 2, 2),
            (Values{20, 21, 0, 1, 0, 1, 20, 21}));
}

TEST(TensorOps, LinearMultipliesAndAddsTheBias) {
  auto model = OneOp()
                   .input(f32({T, B, 3}))
                   .weight({2, 3}, {1, 2, 3, -1, 0.5, 0})
                   .weight({2}, {100, 200})
                   .build("rnn.linear", f32({T, B, 2}));
  EXPECT_EQ(
      run(std::move(model), {tensor({1, 2, 3}, {1, 1, 1, 4, 2, 0})}, 1, 2),
      (Values{106, 199.5, 108, 197}));
}

TEST(TensorOps, LinearWithoutBiasTakesAState) {
  auto model = OneOp()
                   .input(f32({B, 1}))
                   .weight({2, 1}, {3, 4})
                   .build("rnn.linear", f32({B, 2}));
  EXPECT_EQ(run(std::move(model), {tensor({2, 1}, {1, 10})}, 1, 2),
            (Values{3, 4, 30, 40}));
}

TEST(TensorOps, LinearRoundsAHalfResult) {
  auto model = OneOp()
                   .input(f32({B, 1}))
                   .weight({1, 1}, {1})
                   .build("rnn.linear", {ScalarType::F16, {B, 1}});
  EXPECT_EQ(run(std::move(model), {tensor({1, 1}, {2049})}, 1, 1),
            Values{2048}); // halves above 2048 are even; ties go to even
}

TEST(TensorOps, RmsNormDividesByTheRootMeanSquare) {
  auto model = OneOp()
                   .input(f32({B, 2}))
                   .weight({2}, {1, 2})
                   .build("rnn.rms_norm", f32({B, 2}),
                          attributes(attribute("epsilon", 0.5)));
  double root = std::sqrt((9.0 + 16.0) / 2 + 0.5);
  Values y = run(std::move(model), {tensor({1, 2}, {3, 4})}, 1, 1);
  ASSERT_EQ(y.size(), 2u);
  EXPECT_NEAR(y[0], 3 / root, 1e-15);
  EXPECT_NEAR(y[1], 8 / root, 1e-15);
}

TEST(TensorOps, SoftmaxSurvivesLargeInputs) {
  auto model = OneOp().input(f32({B, 3})).build("rnn.softmax", f32({B, 3}));
  Values y = run(std::move(model),
                 {tensor({2, 3}, {1000, 1000, 1000, 0, std::log(3.0),
                                  -std::numeric_limits<double>::infinity()})},
                 1, 2);
  ASSERT_EQ(y.size(), 6u);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(y[i], 1.0 / 3, 1e-15);
  EXPECT_NEAR(y[3], 0.25, 1e-15);
  EXPECT_NEAR(y[4], 0.75, 1e-15);
  EXPECT_EQ(y[5], 0);
}

TEST(TensorOps, ArgmaxTakesTheLowestOfEquals) {
  auto model = OneOp().input(f32({T, B, 4})).build("rnn.argmax", i32({T, B}));
  EXPECT_EQ(run(std::move(model),
                {tensor({1, 3, 4}, {1, 5, 5, 2, -1, -1, -1, -1, 0, 0, 0, 9})},
                1, 3),
            (Values{1, 0, 3}));
}

TEST(TensorOps, ConcatJoinsTheLastAxis) {
  auto model = OneOp()
                   .input(f32({B, 1}))
                   .input(f32({B, 2}))
                   .build("rnn.concat", f32({B, 3}));
  EXPECT_EQ(run(std::move(model),
                {tensor({2, 1}, {1, 2}), tensor({2, 2}, {10, 11, 20, 21})}, 1,
                2),
            (Values{1, 10, 11, 2, 20, 21}));
}

TEST(TensorOps, CastRoundsToNearestEvenInEachFormat) {
  Values x = {1 + 0x1p-11, 1 + 0x1.8p-10, 65520, 0x1p-25, 1 + 0x1p-24};
  auto cast = [&](ScalarType type) {
    auto model = OneOp().input(f32({B, 5})).build("rnn.cast", {type, {B, 5}});
    return run(std::move(model), {tensor({1, 5}, x)}, 1, 1);
  };
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(cast(ScalarType::F16), (Values{1, 1 + 0x1p-9, infinity, 0, 1}));
  EXPECT_EQ(cast(ScalarType::BF16), (Values{1, 1, 65536, 0x1p-25, 1}));
  EXPECT_EQ(cast(ScalarType::F32),
            (Values{1 + 0x1p-11, 1 + 0x1.8p-10, 65520, 0x1p-25, 1}));
}

TEST(TensorOps, AddAndActivationArePointwise) {
  auto sum = OneOp()
                 .input(f32({B, 2}))
                 .input(f32({B, 2}))
                 .build("rnn.add", f32({B, 2}));
  EXPECT_EQ(run(std::move(sum),
                {tensor({1, 2}, {1, 2}), tensor({1, 2}, {10, 20})}, 1, 1),
            (Values{11, 22}));
  auto relu =
      OneOp()
          .input(f32({B, 2}))
          .build("rnn.activation", f32({B, 2}),
                 attributes(attribute("function", std::string("leaky_relu")),
                            attribute("alpha", 0.5)));
  EXPECT_EQ(run(std::move(relu), {tensor({1, 2}, {-3, 3})}, 1, 1),
            (Values{-1.5, 3}));
}

TEST(TensorOps, EmptyTensorsPassThrough) {
  auto model = OneOp()
                   .input(f32({T, B, 3}))
                   .weight({2, 3}, {1, 2, 3, 4, 5, 6})
                   .build("rnn.linear", f32({T, B, 2}));
  EXPECT_TRUE(run(std::move(model), {tensor({0, 4, 3}, {})}, 0, 4).empty());
}

} // namespace
