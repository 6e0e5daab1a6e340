//===- ErrorsTest.cpp - what the interpreter refuses, and how -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/reference/GruModel.h"
#include "tests/unit/runtime/reference/RunGraph.h"

using namespace rung;
using namespace rung::test;
using reference::Tensor;

namespace {

constexpr int32_t B = kDimB;

/// The error of a function whose one op is `op` on an input of [B, 2].
std::string errorOf(const char *op, Attributes list = {}, uint32_t operands = 1,
                    const char *location = "") {
  ModelBuilder model;
  FunctionBuilder function("main");
  std::vector<uint32_t> inputs;
  for (uint32_t i = 0; i < operands; ++i)
    inputs.push_back(function.input("x" + std::to_string(i), f32({B, 2})));
  function.output("y", f32({B, 2}),
                  function.graph.op1(op, inputs, f32({B, 2}), std::move(list)));
  model.add(std::move(function));
  model.bundle().functions[0]->graph->nodes.back()->location = location;
  RunnableModel runnable(std::move(model));
  std::vector<Tensor> values(operands, tensor({1, 2}, {1, 2}));
  return runnable.error(values);
}

TEST(Errors, UnknownOpsAreNamed) {
  EXPECT_EQ(errorOf("rnn.frob", {}, 1, "model.yaml:12"),
            "node 0 'rnn.frob' (model.yaml:12): the operation is not known to "
            "the reference");
}

TEST(Errors, UnknownAttributesAreNamed) {
  EXPECT_EQ(errorOf("rnn.softmax", attributes(attribute("axis", int64_t(0)))),
            "node 0 'rnn.softmax': attribute 'axis' is not known to the "
            "reference");
  EXPECT_EQ(errorOf("arith.addf",
                    attributes(attribute("saturate", std::string("yes"))), 2),
            "node 0 'arith.addf': attribute 'saturate' is not known to the "
            "reference");
}

TEST(Errors, OperandCountsAreTold) {
  EXPECT_EQ(errorOf("arith.addf"),
            "node 0 'arith.addf': has 1 operands where it takes 2");
  EXPECT_EQ(errorOf("rnn.linear"),
            "node 0 'rnn.linear': has 1 operands where it takes 2 to 3");
}

TEST(Errors, AttributesMustBeThereAndOfTheirKind) {
  EXPECT_EQ(errorOf("rnn.activation"),
            "node 0 'rnn.activation': has no attribute 'function'");
  EXPECT_EQ(
      errorOf("rnn.activation", attributes(attribute("function", int64_t(3)))),
      "node 0 'rnn.activation': attribute 'function' is of kind Int "
      "instead of String");
  EXPECT_EQ(errorOf("arith.cmpf",
                    attributes(attribute("predicate", std::string("gt"))), 2),
            "node 0 'arith.cmpf': predicate 'gt' is not one of arith.cmpf's");
  EXPECT_EQ(
      errorOf("arith.truncf",
              attributes(attribute("roundingmode", std::string("upward")))),
      "node 0 'arith.truncf': attribute 'roundingmode' is 'upward', not "
      "one of to_nearest_even");
}

TEST(Errors, ShapesAreTold) {
  EXPECT_EQ(errorOf("rnn.rms_norm", attributes(attribute("epsilon", 1e-5)), 2),
            "node 0 'rnn.rms_norm': scale has shape [1, 2] instead of [2]");
}

TEST(Errors, ResultsMustHaveTheirDeclaredShape) {
  EXPECT_EQ(errorOf("rnn.concat", {}, 2),
            "node 0 'rnn.concat': result 0 has shape [1, 4] but is declared as "
            "f32[B, 2] with T = 1 and B = 1");
}

/// The error of a GRU after `change` was made to its node.
template <typename Change> std::string gruError(Change change) {
  GruVariant v;
  ModelBuilder model = gruModel(v);
  change(*model.bundle().functions[0]->graph->nodes.back());
  RunnableModel runnable(std::move(model));
  return runnable.error(
      {randomTensor({1, 1, v.inputs}, 1), randomTensor({1, v.hidden}, 2)});
}

fb::AttributeT &attributeOf(fb::NodeT &node, std::string_view name) {
  for (auto &attribute : node.attributes)
    if (attribute->name == name)
      return *attribute;
  ADD_FAILURE() << "no attribute " << name;
  return *node.attributes.front();
}

TEST(Errors, GruAttributesAreChecked) {
  EXPECT_EQ(
      gruError([](fb::NodeT &node) { attributeOf(node, "reset").s = "never"; }),
      "node 4 'rnn.gru': attribute 'reset' is 'never', not one of "
      "before, after");
  EXPECT_EQ(gruError([](fb::NodeT &node) {
              attributeOf(node, "activations").strings = {"tanh"};
            }),
            "node 4 'rnn.gru': has 1 activations for 1 directions, which take "
            "2 each");
  EXPECT_EQ(gruError([](fb::NodeT &node) {
              attributeOf(node, "direction").s = "bidirectional";
            }),
            "node 4 'rnn.gru': has 1 operands of 'weights' for 2 directions");
  EXPECT_EQ(gruError([](fb::NodeT &node) {
              node.attributes.push_back(attribute("clip", -1.0));
            }),
            "node 4 'rnn.gru': clip is -1, not positive");
  EXPECT_EQ(gruError([](fb::NodeT &node) {
              node.attributes.push_back(
                  attribute("precision", std::string("int8")));
            }),
            "node 4 'rnn.gru': attribute 'precision' is not known to the "
            "reference");
}

TEST(Errors, GruShapesAreChecked) {
  EXPECT_EQ(gruError([](fb::NodeT &node) { // u where w belongs
              std::swap(node.operands[1], node.operands[2]);
            }),
            "node 4 'rnn.gru': recurrent weight has shape [12, 3] instead of "
            "[heads, 3 * head, head]");
  EXPECT_EQ(gruError([](fb::NodeT &node) { // x where h belongs
              node.operands[5] = node.operands[0];
            }),
            "node 4 'rnn.gru': initial state has shape [1, 1, 3] instead of "
            "[1, 4]");
}

/// The error of a GRU's body after `change`.
template <typename Change> std::string bodyError(Change change) {
  GruVariant v;
  ModelBuilder model = gruBodyModel(v);
  fb::GraphT &graph = *model.bundle().functions[0]->graph;
  change(*graph.nodes.back()->body);
  RunnableModel runnable(std::move(model));
  return runnable.error(
      {randomTensor({1, 1, v.inputs}, 1), randomTensor({1, v.hidden}, 2)});
}

TEST(Errors, BodiesAreChecked) {
  EXPECT_EQ(bodyError([](fb::GraphT &body) {
              body.nodes.back()->op = "arith.frobf";
            }),
            "node 5 'rnn.recurrence': node 25 'arith.frobf': the operation is "
            "not known to the reference\n  while binding its body");
  EXPECT_EQ(bodyError([](fb::GraphT &body) {
              attributeOf(*body.nodes.front(), "offsets").ints = {9};
            }),
            "node 5 'rnn.recurrence': node 0 'tensor.extract_slice': axis 0 "
            "takes 4 from 9 in steps of 1 out of 12\n  while binding its body");
  EXPECT_EQ(bodyError([](fb::GraphT &body) {
              body.values[body.nodes.back()->results[0]]->dims = {5};
            }),
            "node 5 'rnn.recurrence': node 25 'arith.addf': operand has shape "
            "[4] but the result has [5]\n  while binding its body");
}

} // namespace
