//===- GraphExportTest.cpp - functions as graphs of the bundle ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/support/ParsedModule.h"

using namespace rung;
using namespace rung::test;

namespace {

const fb::AttributeT *find(const fb::NodeT &node, const std::string &name) {
  for (const auto &attribute : node.attributes)
    if (attribute->name == name)
      return attribute.get();
  return nullptr;
}
std::vector<int64_t> ints(const fb::NodeT &node, const std::string &name) {
  const fb::AttributeT *found = find(node, name);
  return found ? found->ints : std::vector<int64_t>();
}
double real(const fb::NodeT &node, const std::string &name) {
  const fb::AttributeT *found = find(node, name);
  return found && found->kind == fb::AttributeKind::Float ? found->f : -1e30;
}
std::string text(const fb::NodeT &node, const std::string &name) {
  const fb::AttributeT *found = find(node, name);
  return found ? found->s : "none";
}

/// The error of exporting the first function.
std::string exportError(const std::string &source) {
  ParsedModule module(source);
  EXPECT_TRUE(mlir::failed(exportFunction(module.function(), {})));
  return module.said();
}

const char *const kTagger = R"(
  rnn.weight @table : tensor<9x4xf32> = dense<0.5>
  rnn.weight @w : tensor<6x4xf32> = dense<0.25>
  func.func @tag(%ids: tensor<?x?xi32> {rnn.name = "ids"},
                 %n: tensor<?xi32> {rnn.name = "lengths"},
                 %u: tensor<1x6x2xf32> {rnn.name = "u"},
                 %h: tensor<?x2xf32> {rnn.name = "h0", rnn.state = "h"})
      -> (tensor<?x2xf32> {rnn.name = "hn", rnn.state = "h"},
          tensor<?x?xi32> {rnn.name = "tag"}) {
    %t = rnn.load_weight @table : tensor<9x4xf32>
    %w = rnn.load_weight @w : tensor<6x4xf32>
    %x = rnn.embedding %ids, %t
        : (tensor<?x?xi32>, tensor<9x4xf32>) -> tensor<?x?x4xf32>
    %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h) lengths(%n)
        reset(before) update(take) direction(reverse)
        activations([#rnn.activation<hard_sigmoid>,
                     #rnn.activation<elu, alpha = 0.5>]) {clip = 2.0 : f64}
        : (tensor<?x?x4xf32>, tensor<6x4xf32>, tensor<1x6x2xf32>,
           tensor<?x2xf32>, tensor<?xi32>)
        -> (tensor<?x?x2xf32>, tensor<?x2xf32>)
    %i = rnn.argmax %y : tensor<?x?x2xf32> -> tensor<?x?xi32>
    return %hn, %i : tensor<?x2xf32>, tensor<?x?xi32>
  }
)";

TEST(GraphExport, NamesPortsAndLinksStates) {
  ParsedModule module(kTagger);
  auto function = exportFunction(module.function(), {{"table", 0}, {"w", 1}});
  ASSERT_TRUE(mlir::succeeded(function)) << module.said();
  EXPECT_EQ(function->name, "tag");
  ASSERT_EQ(function->inputs.size(), 4u);
  EXPECT_EQ(function->inputs[0]->name, "ids");
  EXPECT_EQ(function->inputs[0]->type->element, fb::ScalarType::I32);
  EXPECT_EQ(function->inputs[0]->type->dims, (std::vector<int>{-1, -2}));
  EXPECT_EQ(function->inputs[1]->type->dims, (std::vector<int>{-2}));
  EXPECT_EQ(function->inputs[2]->type->dims, (std::vector<int>{1, 6, 2}));
  EXPECT_EQ(function->inputs[3]->type->dims, (std::vector<int>{-2, 2}));
  ASSERT_EQ(function->outputs.size(), 2u);
  EXPECT_EQ(function->outputs[1]->name, "tag");
  ASSERT_EQ(function->states.size(), 1u);
  EXPECT_EQ(function->states[0]->name, "h");
  EXPECT_EQ(function->states[0]->input, 3u);
  EXPECT_EQ(function->states[0]->output, 0u);
}

TEST(GraphExport, WritesOneNodeAnOperation) {
  ParsedModule module(kTagger);
  auto graph = exportGraph(module.function(), {{"table", 7}, {"w", 5}});
  ASSERT_TRUE(mlir::succeeded(graph)) << module.said();
  EXPECT_EQ(graph->inputs, (std::vector<uint32_t>{0, 1, 2, 3}));
  ASSERT_EQ(graph->nodes.size(), 5u);
  EXPECT_EQ(graph->nodes[0]->op, "rnn.load_weight");
  EXPECT_EQ(find(*graph->nodes[0], "weight")->i, 7);
  EXPECT_EQ(graph->nodes[2]->op, "rnn.embedding");
  EXPECT_EQ(graph->nodes[2]->operands, (std::vector<uint32_t>{0, 4}));
  EXPECT_EQ(graph->nodes[2]->results, (std::vector<uint32_t>{6}));
  EXPECT_EQ(graph->outputs, (std::vector<uint32_t>{8, 9}));

  const fb::NodeT &gru = *graph->nodes[3];
  EXPECT_EQ(gru.operands, (std::vector<uint32_t>{6, 5, 2, 3, 1}));
  EXPECT_EQ(ints(gru, "operand_segments"),
            (std::vector<int64_t>{1, 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(text(gru, "reset"), "before");
  EXPECT_EQ(text(gru, "update"), "take");
  EXPECT_EQ(text(gru, "direction"), "reverse");
  EXPECT_EQ(find(gru, "activations")->strings,
            (std::vector<std::string>{"hard_sigmoid", "elu"}));
  EXPECT_EQ(find(gru, "activation_alpha")->floats,
            (std::vector<double>{0.2, 0.5}));
  EXPECT_EQ(find(gru, "activation_beta")->floats,
            (std::vector<double>{0.5, 0.0}));
  EXPECT_EQ(real(gru, "clip"), 2.0);
}

TEST(GraphExport, GivesABundleThatVerifies) {
  ParsedModule module(kTagger);
  auto reader = module.toModel().read();
  EXPECT_TRUE(reader.isOk()) << reader.status().message();
}

TEST(GraphExport, WritesABodyAsAGraph) {
  ParsedModule module(R"(
    func.func @f(%x: tensor<?x?x8xf32> {rnn.name = "x"},
                 %h: tensor<?x4xf32> {rnn.name = "h"})
        -> (tensor<?x4xf32> {rnn.name = "hn"}) {
      %hn = rnn.recurrence direction(reverse) heads(2) sequences(%x) weights()
          initial(%h) {
      ^bb0(%px: tensor<8xf32>, %ph: tensor<4xf32>):
        %s = tensor.extract_slice %px[4] [4] [1]
            : tensor<8xf32> to tensor<4xf32>
        %c = arith.constant dense<0.1> : tensor<4xf32>
        %l = arith.cmpf olt, %s, %c : tensor<4xf32>
        %r = arith.select %l, %ph, %s : tensor<4xi1>, tensor<4xf32>
        %t = arith.truncf %r : tensor<4xf32> to tensor<4xbf16>
        %e = arith.extf %t : tensor<4xbf16> to tensor<4xf32>
        rnn.yield outputs() states(%e : tensor<4xf32>)
      } : (tensor<?x?x8xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
      return %hn : tensor<?x4xf32>
    })");
  auto graph = exportGraph(module.function(), {});
  ASSERT_TRUE(mlir::succeeded(graph)) << module.said();
  ASSERT_EQ(graph->nodes.size(), 1u);
  const fb::NodeT &node = *graph->nodes[0];
  EXPECT_EQ(ints(node, "operand_segments"),
            (std::vector<int64_t>{1, 0, 1, 0, 0}));
  EXPECT_EQ(text(node, "direction"), "reverse");
  EXPECT_EQ(find(node, "heads")->i, 2);
  ASSERT_TRUE(node.body);
  const fb::GraphT &body = *node.body;
  EXPECT_EQ(body.inputs, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(body.outputs, (std::vector<uint32_t>{7}));
  ASSERT_EQ(body.nodes.size(), 6u);
  EXPECT_EQ(ints(*body.nodes[0], "offsets"), (std::vector<int64_t>{4}));
  EXPECT_EQ(ints(*body.nodes[0], "sizes"), (std::vector<int64_t>{4}));
  EXPECT_EQ(ints(*body.nodes[0], "strides"), (std::vector<int64_t>{1}));
  // The constant is the f32 number, not what was written.
  EXPECT_EQ(real(*body.nodes[1], "value"), double(0.1f));
  EXPECT_EQ(text(*body.nodes[2], "predicate"), "olt");
  EXPECT_EQ(body.values[4]->element, fb::ScalarType::U8);
  EXPECT_EQ(body.nodes[4]->op, "arith.truncf");
  EXPECT_EQ(body.values[6]->element, fb::ScalarType::BF16);
}

TEST(GraphExport, WritesMapsAndIntegersOfABody) {
  ParsedModule module(R"(
    func.func @f(%x: tensor<?x?x4xf32> {rnn.name = "x"},
                 %t: tensor<4xi32> {rnn.name = "t"},
                 %s: tensor<?x4xi32> {rnn.name = "s"})
        -> (tensor<?x?x4xi8> {rnn.name = "y"}) {
      %m, %b = rnn.map inputs(%x) weights(%t) {
      ^bb0(%p: tensor<4xf32>, %w: tensor<4xi32>):
        %i = arith.fptosi %p : tensor<4xf32> to tensor<4xi32>
        %r = rnn.requantize %i, %w shift(9) : tensor<4xi32>
        %q = rnn.piecewise %r knots([-3, 5]) slopes([1, 2, 3])
            offsets([4, 5, 6]) shift(7) : tensor<4xi32>
        %l = rnn.lookup %q, %w low(-8) shift(2) interpolate
            : tensor<4xi32>, tensor<4xi32>
        %k = rnn.lookup %l, %w low(1) shift(0) : tensor<4xi32>, tensor<4xi32>
        %c = arith.constant dense<-5> : tensor<4xi32>
        %d = arith.constant dense<true> : tensor<4xi1>
        %g = arith.cmpi ult, %k, %c : tensor<4xi32>
        %e = arith.xori %g, %d : tensor<4xi1>
        %h = arith.select %e, %k, %c : tensor<4xi1>, tensor<4xi32>
        %n = arith.trunci %h : tensor<4xi32> to tensor<4xi8>
        rnn.yield outputs(%h, %n : tensor<4xi32>, tensor<4xi8>) states()
      } : (tensor<?x?x4xf32>, tensor<4xi32>)
          -> (tensor<?x?x4xi32>, tensor<?x?x4xi8>)
      %z = rnn.integer_rms_norm %m, %t epsilon(6) shift(21)
          : tensor<?x?x4xi32>, tensor<4xi32>
      return %b : tensor<?x?x4xi8>
    })");
  auto graph = exportGraph(module.function(), {});
  ASSERT_TRUE(mlir::succeeded(graph)) << module.said();
  // A state of integers is [B, N], where ids would be [T, B].
  EXPECT_EQ(graph->values[2]->dims, (std::vector<int32_t>{-2, 4}));
  ASSERT_EQ(graph->nodes.size(), 2u);
  const fb::NodeT &map = *graph->nodes[0], &norm = *graph->nodes[1];
  EXPECT_EQ(ints(map, "operand_segments"), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(find(norm, "epsilon")->i, 6);
  EXPECT_EQ(find(norm, "shift")->i, 21);
  EXPECT_EQ(graph->values[map.results[1]]->element, fb::ScalarType::S8);
  ASSERT_TRUE(map.body);
  const auto &nodes = map.body->nodes;
  ASSERT_EQ(nodes.size(), 11u);
  EXPECT_EQ(find(*nodes[1], "shift")->i, 9);
  EXPECT_EQ(ints(*nodes[2], "knots"), (std::vector<int64_t>{-3, 5}));
  EXPECT_EQ(ints(*nodes[2], "slopes"), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(ints(*nodes[2], "offsets"), (std::vector<int64_t>{4, 5, 6}));
  EXPECT_EQ(find(*nodes[2], "shift")->i, 7);
  EXPECT_EQ(find(*nodes[3], "low")->i, -8);
  EXPECT_EQ(find(*nodes[3], "shift")->i, 2);
  EXPECT_EQ(find(*nodes[3], "interpolate")->i, 1);
  EXPECT_EQ(find(*nodes[4], "interpolate")->i, 0);
  EXPECT_EQ(real(*nodes[5], "value"), -5);
  EXPECT_EQ(real(*nodes[6], "value"), 1);
  EXPECT_EQ(text(*nodes[7], "predicate"), "ult");
}

TEST(GraphExport, WritesRandomStates) {
  ParsedModule module(R"(
    func.func @f(%x: tensor<?x?x4xf16> {rnn.name = "x"},
                 %h: tensor<?x4xf16> {rnn.name = "h"},
                 %r: tensor<?x3xi32> {rnn.name = "r"})
        -> (tensor<?x4xf16> {rnn.name = "hn"}) {
      %hn = rnn.recurrence direction(forward) heads(1) sequences(%x) weights()
          initial(%h) random(%r) {
      ^bb0(%p: tensor<4xf16>, %s: tensor<4xf16>):
        %b = rnn.random layer(3) word(1) : tensor<4xi32>
        %n = rnn.add_stochastic %s, %p, %b : tensor<4xf16>, tensor<4xi32>
        rnn.yield outputs() states(%n : tensor<4xf16>)
      } : (tensor<?x?x4xf16>, tensor<?x4xf16>, tensor<?x3xi32>)
          -> tensor<?x4xf16>
      %next = rnn.advance_random %r, %x : tensor<?x3xi32>, tensor<?x?x4xf16>
      return %hn : tensor<?x4xf16>
    })");
  auto graph = exportGraph(module.function(), {});
  ASSERT_TRUE(mlir::succeeded(graph)) << module.said();
  ASSERT_EQ(graph->nodes.size(), 2u);
  EXPECT_EQ(ints(*graph->nodes[0], "operand_segments"),
            (std::vector<int64_t>{1, 0, 1, 0, 1}));
  EXPECT_EQ(graph->nodes[0]->operands, (std::vector<uint32_t>{0, 1, 2}));
  const fb::NodeT &random = *graph->nodes[0]->body->nodes[0];
  EXPECT_EQ(find(random, "layer")->i, 3);
  EXPECT_EQ(find(random, "word")->i, 1);
  EXPECT_EQ(graph->nodes[1]->op, "rnn.advance_random");
  EXPECT_EQ(graph->values[2]->dims, (std::vector<int32_t>{-2, 3}));
}

// An id's batch may be a number; what it is for tells it from a state.
TEST(GraphExport, KnowsIdsOfAFixedBatch) {
  ParsedModule module(R"(
    func.func @f(%ids: tensor<?x1xi32> {rnn.name = "ids"},
                 %t: tensor<9x4xf32> {rnn.name = "t"})
        -> (tensor<?x1xi32> {rnn.name = "best"}) {
      %x = rnn.embedding %ids, %t
          : (tensor<?x1xi32>, tensor<9x4xf32>) -> tensor<?x1x4xf32>
      %i = rnn.argmax %x : tensor<?x1x4xf32> -> tensor<?x1xi32>
      return %i : tensor<?x1xi32>
    })");
  auto function = exportFunction(module.function(), {});
  ASSERT_TRUE(mlir::succeeded(function)) << module.said();
  EXPECT_EQ(function->inputs[0]->type->dims, (std::vector<int32_t>{-1, 1}));
  EXPECT_EQ(function->outputs[0]->type->dims, (std::vector<int32_t>{-1, 1}));
}

TEST(GraphExport, RefusesWhatABundleCannotSay) {
  EXPECT_EQ(exportError(R"(
    func.func @f(%x: tensor<?x?x8xf32>) { return })"),
            "'func.func' op argument 0 has no 'rnn.name'\n");
  EXPECT_EQ(exportError(R"(
    func.func @f(%x: tensor<?xi32> {rnn.name = "x"},
                 %y: tensor<?xi32> {rnn.name = "x"}) { return })"),
            "'func.func' op argument 1 has the name of another, 'x'\n");
  EXPECT_EQ(exportError(R"(
    func.func @f(%x: f32 {rnn.name = "x"}) { return })"),
            "'func.func' op argument 'x' has type 'f32', which is no ranked "
            "tensor\n");
  EXPECT_EQ(exportError(R"(
    func.func @f(%x: tensor<?x?x?xf32> {rnn.name = "x"}) { return })"),
            "size of axis 2 of 'tensor<?x?x?xf32>' is unknown, and neither T "
            "nor B\n");
  EXPECT_EQ(exportError(R"(
    func.func @f(%x: tensor<?x4xi64> {rnn.name = "x"}) { return })"),
            "a bundle has no elements of 'i64', as in 'tensor<?x4xi64>'\n");
  EXPECT_EQ(exportError(R"(
    rnn.weight @w : tensor<2xf32> = dense<0.0>
    func.func @f() { %w = rnn.load_weight @w : tensor<2xf32> return })"),
            "'rnn.load_weight' op @w is not among the 0 weights of the "
            "bundle\n");
  EXPECT_EQ(exportError(R"(
    func.func @f(%x: tensor<?x4xf32> {rnn.name = "x"}) {
      %0 = arith.addf %x, %x fastmath<fast> : tensor<?x4xf32> return })"),
            "'arith.addf' op has fast-math flags; a graph of the bundle "
            "computes as written\n");
  EXPECT_EQ(exportError(R"(
    func.func @f(%x: tensor<?x4xf32> {rnn.name = "x"}) {
      %0 = arith.truncf %x toward_zero : tensor<?x4xf32> to tensor<?x4xf16>
      return })"),
            "'arith.truncf' op rounds by 'toward_zero'; a graph of the bundle "
            "rounds to nearest even\n");
  EXPECT_EQ(exportError(R"(
    func.func @f() {
      %0 = arith.constant dense<[0.0, 1.0]> : tensor<2xf32> return })"),
            "'arith.constant' op is no splat of numbers, as a graph of the "
            "bundle needs\n");
  EXPECT_EQ(exportError(R"(
    func.func @f(%x: tensor<?x4xf32> {rnn.name = "x"}) {
      func.call @f(%x) : (tensor<?x4xf32>) -> () return })"),
            "'func.call' op has no place in a graph of the bundle\n");
  EXPECT_EQ(exportError(R"(func.func private @f())"),
            "'func.func' op has 0 blocks; a graph of the bundle is one\n");
}

} // namespace
