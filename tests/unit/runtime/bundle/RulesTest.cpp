//===- RulesTest.cpp - rules of interface, graph and weights --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/bundle/RulesFixture.h"

#include <limits>

using namespace rung;
using namespace rung::test;

namespace {
using Bundle = fb::BundleT;

class InterfaceRules : public RulesTest {};
class GenerationRules : public RulesTest {};
class GraphRules : public RulesTest {};
class SourceRules : public RulesTest {};
class WeightRules : public RulesTest {};

fb::FunctionT &encode(Bundle &bundle) { return *bundle.functions[0]; }
fb::FunctionT &step(Bundle &bundle) { return *bundle.functions[1]; }
fb::GraphT &graph(Bundle &bundle) { return *encode(bundle).graph; }
fb::GraphT &source(Bundle &bundle) { return *encode(bundle).source; }
fb::GenerationT &generation(Bundle &bundle) { return *step(bundle).generation; }
} // namespace

TEST_P(InterfaceRules, Hold) { check(); }
INSTANTIATE_TEST_SUITE_P(
    Bundle, InterfaceRules,
    ::testing::Values(
        BrokenRule{"BundleName", [](Bundle &b) { b.name.clear(); },
                   "the name is empty\n  while verifying the bundle"},
        BrokenRule{"FunctionTwice", [](Bundle &b) { step(b).name = "encode"; },
                   "name 'encode' occurs twice\n"
                   "  while verifying function 1 'encode'"},
        BrokenRule{"ControlCharacter", [](Bundle &b) { step(b).name = "a\nb"; },
                   "name 'a\\x0ab' has a control character"},
        BrokenRule{"NoUtf8", [](Bundle &b) { step(b).name = "a\xff"; },
                   "text 'a\\xff' is not UTF-8 at byte 1"},
        BrokenRule{"PortTwice",
                   [](Bundle &b) { encode(b).inputs[1]->name = "ids"; },
                   "name 'ids' occurs twice\n"
                   "  while verifying input port 1 'ids'\n"
                   "  while verifying function 0 'encode'"},
        BrokenRule{"ElementType",
                   [](Bundle &b) {
                     encode(b).inputs[0]->type->element = fb::ScalarType(9);
                   },
                   "element type 9 is unknown"},
        BrokenRule{"ZeroDimension",
                   [](Bundle &b) { encode(b).outputs[0]->type->dims[2] = 0; },
                   "dimension 2 is 0, neither a size nor -1 (T) nor -2 (B)"},
        BrokenRule{"UnknownSymbol",
                   [](Bundle &b) { encode(b).outputs[0]->type->dims[0] = -3; },
                   "dimension 0 is -3"},
        BrokenRule{
            "Rank",
            [](Bundle &b) { encode(b).outputs[0]->type->dims.resize(9); },
            "the type has 9 dimensions, more than 8"},
        BrokenRule{"HugeType",
                   [](Bundle &b) {
                     encode(b).outputs[0]->type->dims = {
                         std::numeric_limits<int32_t>::max(),
                         std::numeric_limits<int32_t>::max()};
                   },
                   "type f32[2147483647, 2147483647] exceeds 63 bits of bytes"},
        BrokenRule{"StateInput",
                   [](Bundle &b) { encode(b).states[0]->input = 2; },
                   "input port 2 is not below 2\n"
                   "  while verifying state 0 'h'"},
        BrokenRule{"StateOutput",
                   [](Bundle &b) { encode(b).states[0]->output = ~0u; },
                   "output port 4294967295 is not below 2"},
        BrokenRule{"StateType",
                   [](Bundle &b) { encode(b).states[0]->output = 0; },
                   "input type f32[B, 4] differs from output type "
                   "f32[T, B, 4]"},
        BrokenRule{
            "StateShared",
            [](Bundle &b) { encode(b).states.push_back(stateLink("g", 1, 0)); },
            "input port 1 belongs to another state, too"},
        BrokenRule{"GraphInputs", [](Bundle &b) { graph(b).inputs.pop_back(); },
                   "operand value 1 is not defined before its use"},
        BrokenRule{"GraphOutputs",
                   [](Bundle &b) { graph(b).outputs.pop_back(); },
                   "the graph has 1 outputs, and the function 2"},
        BrokenRule{"PortType",
                   [](Bundle &b) {
                     encode(b).inputs[1]->type->dims[1] = 5;
                     encode(b).outputs[1]->type->dims[1] = 5;
                   },
                   "the graph's type f32[B, 4] of input 1 differs from the "
                   "port's f32[B, 5]"},
        BrokenRule{"Segmentable",
                   [](Bundle &b) {
                     encode(b).segmentable = true;
                     encode(b).states.clear();
                   },
                   "the function is said to run in segments of time: "},
        BrokenRule{"Stage", [](Bundle &b) { b.stages[0]->text = "\xc0\x80"; },
                   "text '\\xc0\\x80' is not UTF-8 at byte 0\n"
                   "  while verifying stage 0 'rnn'"},
        BrokenRule{"Provenance",
                   [](Bundle &b) { b.provenance->options = "\x80"; },
                   "text '\\x80' is not UTF-8 at byte 0\n"
                   "  while verifying the provenance"}),
    ruleName);

TEST_P(GenerationRules, Hold) { check(); }
INSTANTIATE_TEST_SUITE_P(
    Bundle, GenerationRules,
    ::testing::Values(
        BrokenRule{"NoInput",
                   [](Bundle &b) { generation(b).token_input = "x"; },
                   "token input 'x' is no port of the function\n"
                   "  while verifying the generation of function 'step'"},
        BrokenRule{"InputType",
                   [](Bundle &b) { generation(b).token_input = "h"; },
                   "token input 'h' has type f32[B, 4], not i32[T, B]"},
        BrokenRule{"OutputType",
                   [](Bundle &b) { generation(b).token_output = "logits"; },
                   "token output 'logits' has type f32[T, B, 5], not "
                   "i32[T, B]"},
        BrokenRule{"LogitsType",
                   [](Bundle &b) { generation(b).logits_output = "token"; },
                   "logits output 'token' has type i32[T, B], not "
                   "f32[T, B, symbols]"},
        BrokenRule{"NoOutput",
                   [](Bundle &b) {
                     generation(b).token_output.clear();
                     generation(b).logits_output.clear();
                   },
                   "there is neither a token output nor a logits output"},
        BrokenRule{"Start", [](Bundle &b) { generation(b).start = -2; },
                   "start token -2 is below -1"},
        BrokenRule{"Stop", [](Bundle &b) { generation(b).stop = -2; },
                   "stop token -2 is below -1"},
        BrokenRule{"Steps", [](Bundle &b) { generation(b).max_steps = 0; },
                   "the number of steps is 0"},
        BrokenRule{"Append", [](Bundle &b) { generation(b).append = {1, -1}; },
                   "token -1 behind the prompt is below 0"},
        BrokenRule{"Vocabulary",
                   [](Bundle &b) { generation(b).output_vocabulary = "z"; },
                   "vocabulary 'z' is not among the assets"},
        BrokenRule{"NoPrompt",
                   [](Bundle &b) { generation(b).prompt_function = "encoder"; },
                   "there is no prompt function 'encoder'"},
        BrokenRule{"PromptInput",
                   [](Bundle &b) { generation(b).prompt_input = "h"; },
                   "prompt input 'h' has type f32[B, 4], not i32[T, B]"},
        BrokenRule{"LonelyPromptInput",
                   [](Bundle &b) { generation(b).prompt_function.clear(); },
                   "there is a prompt input 'ids' but no prompt function"},
        BrokenRule{"NoHandover",
                   [](Bundle &b) { encode(b).states[0]->name = "c"; },
                   "prompt function 'encode' has no state in common with the "
                   "function"}),
    ruleName);

TEST_P(GraphRules, Hold) { check(); }
INSTANTIATE_TEST_SUITE_P(
    Bundle, GraphRules,
    ::testing::Values(
        BrokenRule{
            "UseBeforeDefinition",
            [](Bundle &b) { std::swap(graph(b).nodes[0], graph(b).nodes[1]); },
            "operand value 2 is not defined before its use\n"
            "  while verifying node 0 'rnn.embedding'\n"
            "  while verifying the graph\n"
            "  while verifying function 0 'encode'"},
        BrokenRule{"Cycle",
                   [](Bundle &b) { graph(b).nodes[4]->operands[0] = 6; },
                   "operand value 6 is not defined before its use"},
        BrokenRule{"OperandRange",
                   [](Bundle &b) { graph(b).nodes[1]->operands[0] = 99; },
                   "operand value 99 is not below the number of values 8"},
        BrokenRule{"ResultRange",
                   [](Bundle &b) { graph(b).nodes[1]->results[0] = 8; },
                   "result value 8 is not below the number of values 8"},
        BrokenRule{"DefinedTwice",
                   [](Bundle &b) { graph(b).nodes[1]->results[0] = 2; },
                   "result value 2 is defined twice"},
        BrokenRule{"NeverDefined",
                   [](Bundle &b) {
                     graph(b).values.push_back(
                         tensorType(ScalarType::F32, {1}));
                   },
                   "value 8 is never defined"},
        BrokenRule{"InputTwice", [](Bundle &b) { graph(b).inputs[1] = 0; },
                   "input value 0 is defined twice"},
        BrokenRule{"OutputRange", [](Bundle &b) { graph(b).outputs[0] = 8; },
                   "output value 8 is not below the number of values 8"},
        BrokenRule{"NoOp", [](Bundle &b) { graph(b).nodes[1]->op.clear(); },
                   "the name is empty\n  while verifying node 1 ''"},
        BrokenRule{"AttributeKind",
                   [](Bundle &b) {
                     graph(b).nodes[0]->attributes[0]->kind =
                         fb::AttributeKind(6);
                   },
                   "attribute kind 6 is unknown\n"
                   "  while verifying attribute 0 'weight'"},
        BrokenRule{"AttributeValues",
                   [](Bundle &b) { graph(b).nodes[0]->attributes[0]->f = 1; },
                   "an attribute of kind Int has a value of another kind, too"},
        BrokenRule{"AttributeTwice",
                   [](Bundle &b) {
                     graph(b).nodes[0]->attributes.push_back(
                         attribute("weight", int64_t(1)));
                   },
                   "name 'weight' occurs twice"},
        BrokenRule{
            "SegmentSum",
            [](Bundle &b) { graph(b).nodes[4]->attributes[0]->ints[3] = 1; },
            "the segments have 5 operands, and there are 4"},
        BrokenRule{
            "SegmentNegative",
            [](Bundle &b) { graph(b).nodes[4]->attributes[0]->ints[3] = -1; },
            "a segment of -1 operands is not among 4"},
        BrokenRule{"SegmentKind",
                   [](Bundle &b) {
                     graph(b).nodes[4]->attributes[0] =
                         attribute("operand_segments", int64_t(4));
                   },
                   "attribute 'operand_segments' is no list of integers"},
        BrokenRule{"WeightIndex",
                   [](Bundle &b) { graph(b).nodes[0]->attributes[0]->i = 3; },
                   "weight 3 is not among 3"},
        BrokenRule{
            "WeightType",
            [](Bundle &b) { graph(b).nodes[0]->attributes[0]->i = 1; },
            "the result has type f32[5, 4], and weight 1 has f32[12, 4]"},
        BrokenRule{"WeightMissing",
                   [](Bundle &b) { graph(b).nodes[0]->attributes.clear(); },
                   "there is no integer attribute 'weight'"},
        BrokenRule{"Body",
                   [](Bundle &b) {
                     step(b).graph->nodes[2]->body->nodes[0]->operands[1] = 3;
                   },
                   "operand value 3 is not defined before its use\n"
                   "  while verifying node 0 'arith.addf'\n"
                   "  while verifying the body\n"
                   "  while verifying node 2 'rnn.recurrence'"}),
    ruleName);

TEST_P(SourceRules, Hold) { check(); }
INSTANTIATE_TEST_SUITE_P(
    Bundle, SourceRules,
    ::testing::Values(
        BrokenRule{"Graph", [](Bundle &b) { source(b).outputs[0] = 99; },
                   "output value 99 is not below the number of values 8\n"
                   "  while verifying the source\n"
                   "  while verifying function 0 'encode'"},
        BrokenRule{"InputType",
                   [](Bundle &b) {
                     source(b).values[0]->element = fb::ScalarType::F32;
                   },
                   "the graph's type f32[T, B] of input 0 differs from the "
                   "port's i32[T, B]\n  while verifying the source"},
        BrokenRule{"OutputType", [](Bundle &b) { source(b).outputs[1] = 6; },
                   "the graph's type f32[T, B, 4] of output 1 differs from "
                   "the port's f32[B, 4]"},
        BrokenRule{"TooManyOutputs",
                   [](Bundle &b) { source(b).outputs = {6, 7, 7}; },
                   "the graph has 3 outputs, and the function 2"},
        BrokenRule{"PortWithoutState",
                   [](Bundle &b) {
                     encode(b).states.clear();
                     source(b).outputs.pop_back();
                   },
                   "the graph has 1 outputs, and output port 1 'h' behind "
                   "them is no state"}),
    ruleName);

TEST(SourceRule, AllowsAStateThatOnlyTheGraphHas) {
  SampleBundle sample;
  source(sample.bundle).outputs.pop_back();
  auto reader = BundleReader::fromBytes(sample.unverifiedFile());
  EXPECT_TRUE(reader.isOk()) << reader.status().message();
}

TEST_P(WeightRules, Hold) { check(); }
INSTANTIATE_TEST_SUITE_P(
    Bundle, WeightRules,
    ::testing::Values(
        BrokenRule{"Static",
                   [](Bundle &b) { b.weights[0]->type->dims[0] = kDimT; },
                   "type f32[T, 4] is not static\n"
                   "  while verifying weight 0 'table'"},
        BrokenRule{"Alignment", [](Bundle &b) { b.weights[0]->offset = 4; },
                   "offset 4 is no multiple of 64"},
        BrokenRule{"Size", [](Bundle &b) { b.weights[0]->size = 84; },
                   "the size is 84 bytes, and type f32[5, 4] needs 80"},
        BrokenRule{"End", [](Bundle &b) { b.weights[1]->offset = 448; },
                   "192 bytes at 448 lie outside of the weights of 512"},
        BrokenRule{"Overflow",
                   [](Bundle &b) { b.weights[1]->offset = ~uint64_t(63); },
                   "192 bytes at 18446744073709551552 lie outside of the "
                   "weights of 512"},
        BrokenRule{"Twice", [](Bundle &b) { b.weights[1]->name = "table"; },
                   "name 'table' occurs twice"},
        BrokenRule{"OwnText", [](Bundle &b) { b.weights[0]->own = "\xff"; },
                   "text '\\xff' is not UTF-8 at byte 0\n"
                   "  while verifying weight 0 'table'"},
        BrokenRule{"OwnName", [](Bundle &b) { b.weights[0]->own = "x"; },
                   "there is no weight 'x'\n"
                   "  while verifying own weight of weight 0"},
        BrokenRule{"OwnOfItself",
                   [](Bundle &b) { b.weights[0]->own = "table"; },
                   "weight 'table' has an own weight, 'table'"},
        BrokenRule{"OwnType",
                   [](Bundle &b) { b.weights[0]->own = b.weights[1]->name; },
                   "weight 'w' has type f32[12, 4], not f32[5, 4]"}),
    ruleName);
