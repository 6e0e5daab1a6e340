//===- ScheduleRulesTest.cpp - rules of variants --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/bundle/RulesFixture.h"

using namespace rung;
using namespace rung::test;

namespace {
using Bundle = fb::BundleT;

class VariantRules : public RulesTest {};
class KernelRules : public RulesTest {};
class BufferRules : public RulesTest {};
class CommandRules : public RulesTest {};

fb::VariantT &matrix(Bundle &bundle) { return *bundle.variants[1]; }
fb::CoopShape shape(uint32_t n, fb::ScalarType d) {
  return fb::CoopShape(8, n, 8, fb::ScalarType::F16, fb::ScalarType::F16,
                       fb::ScalarType::F32, d);
}
fb::KernelT &embed(Bundle &bundle) { return *bundle.variants[0]->kernels[0]; }
fb::ScheduleT &schedule(Bundle &bundle) {
  return *bundle.variants[0]->schedules[0];
}
fb::BufferT &buffer(Bundle &bundle, size_t index) {
  return *schedule(bundle).buffers[index];
}
fb::CommandT &command(Bundle &bundle) { return *schedule(bundle).commands[0]; }
fb::CommandT &repeat(Bundle &bundle) { return *schedule(bundle).commands[1]; }

/// Output 0, of rows of f32, in words: two for each of its elements.
void makeStream(Bundle &bundle) {
  const auto &type = *bundle.functions[0]->outputs[0]->type;
  buffer(bundle, 4).words = true;
  buffer(bundle, 4).size =
      extent({fb::Factor(1, 8 * uint64_t(type.dims.back()), fb::Symbol::One)});
}
} // namespace

TEST_P(VariantRules, Hold) { check(); }
INSTANTIATE_TEST_SUITE_P(
    Bundle, VariantRules,
    ::testing::Values(
        BrokenRule{"ProfileTwice",
                   [](Bundle &b) { matrix(b).profile = "generic"; },
                   "name 'generic' occurs twice\n  while verifying variant 1"},
        BrokenRule{"Schedules",
                   [](Bundle &b) { matrix(b).schedules.pop_back(); },
                   "there are 1 schedules for 2 functions\n"
                   "  while verifying profile 'matrix'"},
        BrokenRule{"SingleRowOfItsOwn",
                   [](Bundle &b) {
                     auto &single = schedule(b).single_row;
                     single = std::make_unique<fb::ScheduleT>();
                     single->single_row = std::make_unique<fb::ScheduleT>();
                   },
                   "it has one itself\n"
                   "  while verifying the schedule for runs of a single row"},
        BrokenRule{"SingleRow",
                   [](Bundle &b) {
                     schedule(b).single_row = std::make_unique<fb::ScheduleT>();
                   },
                   "output port 0 has no buffer\n"
                   "  while verifying the schedule for runs of a single row"},
        BrokenRule{
            "Feature",
            [](Bundle &b) {
              matrix(b).requirements->features[0] = fb::Feature(200);
            },
            "feature 200 is unknown\n  while verifying the requirements"},
        BrokenRule{"FeatureTwice",
                   [](Bundle &b) {
                     matrix(b).requirements->features.push_back(
                         fb::Feature::Float16);
                   },
                   "feature Float16 occurs twice"},
        BrokenRule{
            "SubgroupSize",
            [](Bundle &b) { matrix(b).requirements->subgroup_size = 24; },
            "subgroup size 24 is no power of 2"},
        BrokenRule{"ShapeSize",
                   [](Bundle &b) {
                     matrix(b).requirements->cooperative[0] =
                         shape(0, fb::ScalarType::F32);
                   },
                   "the shape is 8x0x8\n  while verifying cooperative shape 0"},
        BrokenRule{"ShapeType",
                   [](Bundle &b) {
                     matrix(b).requirements->cooperative[0] =
                         shape(8, fb::ScalarType(8));
                   },
                   "element type 8 is unknown"}),
    ruleName);

TEST_P(KernelRules, Hold) { check(); }
INSTANTIATE_TEST_SUITE_P(
    Bundle, KernelRules,
    ::testing::Values(
        BrokenRule{"Twice", [](Bundle &b) { embed(b).name = "cell"; },
                   "name 'cell' occurs twice"},
        BrokenRule{"LocalZero", [](Bundle &b) { embed(b).local_y = 0; },
                   "a workgroup size of 0 is not within 1 to 65535\n"
                   "  while verifying kernel 0 'embed'\n"
                   "  while verifying profile 'generic'"},
        BrokenRule{"Invocations", [](Bundle &b) { embed(b).local_y = 2; },
                   "the workgroup has 128 invocations, and the variant "
                   "requires only 64"},
        BrokenRule{"Bindings", [](Bundle &b) { embed(b).bindings = 257; },
                   "257 bindings are not within 1 to 256"},
        BrokenRule{
            "PushLarge", [](Bundle &b) { embed(b).push_bytes = 132; },
            "132 bytes of push constants are no multiple of 4 up to 128"},
        BrokenRule{"PushOdd", [](Bundle &b) { embed(b).push_bytes = 6; },
                   "6 bytes of push constants are no multiple of 4 up to 128"},
        BrokenRule{"Subgroup",
                   [](Bundle &b) { embed(b).required_subgroup_size = 33; },
                   "required subgroup size 33 is no power of 2 up to 128"},
        BrokenRule{"SubgroupFeature",
                   [](Bundle &b) { embed(b).required_subgroup_size = 32; },
                   "subgroup size 32 is required, and the variant's features "
                   "lack SubgroupSizeControl"},
        BrokenRule{"SpirvShort", [](Bundle &b) { embed(b).spirv.resize(4); },
                   "the SPIR-V has 4 words, fewer than its header of 5"},
        BrokenRule{"SpirvMagic",
                   [](Bundle &b) { embed(b).spirv[0] = 0x03022307; },
                   "the SPIR-V begins with 50471687, not 119734787"},
        BrokenRule{"SpirvVersion",
                   [](Bundle &b) { embed(b).spirv[1] = 0x00010700; },
                   "SPIR-V version word 67328 is not within 1.0 to 1.6"},
        BrokenRule{"SpirvBound", [](Bundle &b) { embed(b).spirv[3] = 0; },
                   "the SPIR-V has id bound 0 and schema 0"},
        BrokenRule{"SpirvZeroWords", [](Bundle &b) { embed(b).spirv[5] = 17; },
                   "the SPIR-V instruction at word 5 has 0 words, and "},
        BrokenRule{"SpirvCut",
                   [](Bundle &b) {
                     embed(b).spirv.pop_back();
                     embed(b).spirv.back() = 2u << 16 | 253;
                   },
                   "the SPIR-V instruction at word 33 has 2 words, and 1 are "
                   "left"},
        BrokenRule{"Entry", [](Bundle &b) { embed(b).entry = "mai"; },
                   "the SPIR-V has no compute entry point 'mai'"},
        BrokenRule{"EntryLonger", [](Bundle &b) { embed(b).entry = "main2"; },
                   "the SPIR-V has no compute entry point 'main2'"},
        BrokenRule{"LocalSize", [](Bundle &b) { embed(b).local_x = 32; },
                   "the SPIR-V has workgroup size 64, 1, 1, and the kernel "
                   "32, 1, 1"}),
    ruleName);

TEST_P(BufferRules, Hold) { check(); }
INSTANTIATE_TEST_SUITE_P(
    Bundle, BufferRules,
    ::testing::Values(
        BrokenRule{"Role",
                   [](Bundle &b) { buffer(b, 0).role = fb::BufferRole(5); },
                   "role 5 is unknown\n  while verifying buffer 0\n"
                   "  while verifying function 'encode'\n"
                   "  while verifying schedule 0"},
        BrokenRule{"Words", [](Bundle &b) { buffer(b, 0).words = true; },
                   "words belong to no output"},
        BrokenRule{"WordsSize",
                   [](Bundle &b) {
                     for (auto &each : schedule(b).buffers)
                       each->words = each->role == fb::BufferRole::Output;
                   },
                   "the size is not that of the words of output port"},
        BrokenRule{"StreamCommands", [](Bundle &b) { makeStream(b); },
                   "a stream is not one dispatch, T times"},
        BrokenRule{"StreamNumber",
                   [](Bundle &b) {
                     makeStream(b);
                     schedule(b).commands.erase(schedule(b).commands.begin());
                   },
                   "a stream has 0 progress buffers, not 1"},
        BrokenRule{"StreamWorkgroups",
                   [](Bundle &b) {
                     makeStream(b);
                     schedule(b).commands.erase(schedule(b).commands.begin());
                     command(b).repeat->body[0]->groups[2] =
                         extent({fb::Factor(1, 0, fb::Symbol::One)});
                   },
                   "a stream's dispatch has no workgroups"},
        BrokenRule{"Port", [](Bundle &b) { buffer(b, 1).port = 2; },
                   "input port 2 is not below 2"},
        BrokenRule{"PortTwice",
                   [](Bundle &b) {
                     buffer(b, 1).port = 0;
                     buffer(b, 1).size =
                         extent({fb::Factor(1, 4, fb::Symbol::TB)});
                   },
                   "input port 0 has another buffer, too"},
        BrokenRule{"OutputMissing",
                   [](Bundle &b) { schedule(b).buffers.pop_back(); },
                   "output port 1 has no buffer"},
        BrokenRule{"PortSize",
                   [](Bundle &b) {
                     buffer(b, 0).size->factors.push_back(
                         fb::Factor(1, 2, fb::Symbol::One));
                   },
                   "the size is not that of input port 0 of type i32[T, B]"},
        BrokenRule{"PortSizeRounded",
                   [](Bundle &b) {
                     buffer(b, 0).size->factors[0] =
                         fb::Factor(2, 4, fb::Symbol::TB);
                   },
                   "the size is not that of input port 0 of type i32[T, B]"},
        BrokenRule{"ScratchPort", [](Bundle &b) { buffer(b, 3).port = 1; },
                   "port 1 belongs to neither an input nor an output"},
        BrokenRule{"ScratchOffset",
                   [](Bundle &b) { buffer(b, 3).packed_offset = 64; },
                   "packed offset 64 belongs to no packed buffer"},
        BrokenRule{"PackedSymbol",
                   [](Bundle &b) {
                     buffer(b, 2).size->factors[0] =
                         fb::Factor(1, 80, fb::Symbol::B);
                   },
                   "the size of a packed buffer depends on B"},
        BrokenRule{"PackedAlignment",
                   [](Bundle &b) { buffer(b, 2).packed_offset = 32; },
                   "packed offset 32 is no multiple of 64"},
        BrokenRule{"PackedEnd",
                   [](Bundle &b) { buffer(b, 2).packed_offset = 512; },
                   "80 bytes at 512 lie outside of the weights of 512"},
        BrokenRule{"PackedOverflow",
                   [](Bundle &b) {
                     buffer(b, 2).size->factors.assign(
                         2, fb::Factor(1, uint64_t(1) << 40, fb::Symbol::One));
                   },
                   "the size of a packed buffer exceeds 64 bits"},
        BrokenRule{"Divisor",
                   [](Bundle &b) {
                     buffer(b, 3).size->factors[0] =
                         fb::Factor(0, 1, fb::Symbol::T);
                   },
                   "a factor's divisor is 0\n  while verifying the size"},
        BrokenRule{"Symbol",
                   [](Bundle &b) {
                     buffer(b, 3).size->factors[0] =
                         fb::Factor(1, 80, fb::Symbol(4));
                   },
                   "symbol 4 is unknown"},
        BrokenRule{"Factors",
                   [](Bundle &b) { buffer(b, 3).size->factors.resize(9); },
                   "the extent has 9 factors, more than 8"}),
    ruleName);

TEST_P(CommandRules, Hold) { check(); }
INSTANTIATE_TEST_SUITE_P(
    Bundle, CommandRules,
    ::testing::Values(
        BrokenRule{"Kernel", [](Bundle &b) { command(b).kernel = 2; },
                   "kernel 2 is not below 2\n  while verifying command 0"},
        BrokenRule{"Arguments",
                   [](Bundle &b) { command(b).arguments.pop_back(); },
                   "2 arguments do not fit 3 bindings of kernel 'embed'"},
        BrokenRule{"Buffer",
                   [](Bundle &b) {
                     command(b).arguments[1] =
                         fb::Argument(6, fb::Access::Read);
                   },
                   "buffer 6 is not below 6\n  while verifying argument 1"},
        BrokenRule{"Access",
                   [](Bundle &b) {
                     command(b).arguments[1] = fb::Argument(2, fb::Access(3));
                   },
                   "access 3 is unknown"},
        BrokenRule{"WrittenInput",
                   [](Bundle &b) {
                     command(b).arguments[0] =
                         fb::Argument(0, fb::Access::Write);
                   },
                   "buffer 0 of role Input is written"},
        BrokenRule{"WrittenWeights",
                   [](Bundle &b) {
                     command(b).arguments[1] =
                         fb::Argument(2, fb::Access::ReadWrite);
                   },
                   "buffer 2 of role Packed is written"},
        BrokenRule{"PushCount", [](Bundle &b) { command(b).push.clear(); },
                   "0 push constants do not fit 4 bytes of kernel 'embed'"},
        BrokenRule{"PushKind",
                   [](Bundle &b) {
                     command(b).push[0] = fb::Push(0, fb::PushKind(5));
                   },
                   "push kind 5 is unknown"},
        BrokenRule{"PushValue",
                   [](Bundle &b) {
                     command(b).push[0] = fb::Push(1, fb::PushKind::TB);
                   },
                   "value 1 belongs to no constant"},
        BrokenRule{"StepOutside",
                   [](Bundle &b) {
                     command(b).push[0] = fb::Push(0, fb::PushKind::Step);
                   },
                   "a step is pushed outside of a repeat"},
        BrokenRule{"Groups", [](Bundle &b) { command(b).groups.pop_back(); },
                   "there are 2 group counts, not 3"},
        BrokenRule{"GroupDivisor",
                   [](Bundle &b) {
                     command(b).groups[0]->factors[0] =
                         fb::Factor(0, 1, fb::Symbol::TB);
                   },
                   "a factor's divisor is 0\n  while verifying group count 0"},
        BrokenRule{"RepeatWithKernel", [](Bundle &b) { repeat(b).kernel = 1; },
                   "a repeat has parts of a dispatch"},
        BrokenRule{"RepeatCount",
                   [](Bundle &b) { repeat(b).repeat->count = fb::Symbol(9); },
                   "symbol 9 is unknown"},
        BrokenRule{"RepeatBody",
                   [](Bundle &b) { repeat(b).repeat->body[0]->kernel = 7; },
                   "kernel 7 is not below 2\n  while verifying command 0\n"
                   "  while verifying command 1"},
        BrokenRule{"RepeatNested",
                   [](Bundle &b) {
                     auto inner = std::make_unique<fb::CommandT>();
                     inner->repeat = std::make_unique<fb::RepeatT>();
                     repeat(b).repeat->body.push_back(std::move(inner));
                   },
                   "a repeat is within another"}),
    ruleName);
