//===- RunPlanTest.cpp - a schedule with its sizes known --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/RunPlan.h"
#include "tests/unit/runtime/vulkan/Fakes.h"
#include "tests/unit/runtime/vulkan/PackedProgram.h"
#include "tests/unit/runtime/vulkan/TestProgram.h"

#include <gtest/gtest.h>

namespace rung::test {

namespace {

using fb::PushKind;
using fb::Symbol;

Result<RunPlan> plan(const PackedProgram &program, uint32_t steps,
                     uint32_t batch,
                     const DeviceSnapshot &device = fakes::smallest()) {
  return RunPlan::make(device, program.variant(), program.schedule(),
                       program.function(), {.steps = steps, .batch = batch});
}

TEST(RunPlanTest, EvaluatesSizesAndGroups) {
  TestProgram program;
  const uint32_t kernel = program.kernel({.name = "k"});
  program.scratch({times(Symbol::TB, 8), constant(4)});
  program.scratch({times(Symbol::B, 16, 16), constant(2)});
  program.dispatch(kernel, {}, {}, {times(Symbol::T, 1, 4), constant(3)});
  const PackedProgram variant(program);
  Result<RunPlan> result = plan(variant, 9, 17);
  ASSERT_TRUE(result.isOk()) << result.status().message();
  EXPECT_EQ(result->storageBytes,
            std::vector<uint64_t>({9 * 17 * 32, 2 * 16 * 2}));
  ASSERT_EQ(result->commands.size(), 1u);
  EXPECT_EQ(result->commands[0].iterations, 1u);
  EXPECT_EQ(result->commands[0].dispatches[0].groups,
            (std::array<uint32_t, 3>{9, 1, 1}));
}

TEST(RunPlanTest, RepeatsAsOftenAsTheSymbolSays) {
  for (auto [symbol, expected] :
       {std::pair(Symbol::T, 6u), std::pair(Symbol::B, 5u),
        std::pair(Symbol::TB, 30u), std::pair(Symbol::One, 1u)}) {
    TestProgram program;
    const uint32_t kernel = program.kernel({.name = "k"});
    program.beginRepeat(symbol);
    program.dispatch(kernel, {}, {}, {});
    program.dispatch(kernel, {}, {}, {});
    const PackedProgram variant(program);
    Result<RunPlan> result = plan(variant, 6, 5);
    ASSERT_TRUE(result.isOk()) << result.status().message();
    EXPECT_EQ(result->commands[0].iterations, expected);
    EXPECT_EQ(result->commands[0].dispatches.size(), 2u);
  }
}

TEST(RunPlanTest, SkipsDispatchesWithoutGroups) {
  TestProgram program;
  const uint32_t kernel = program.kernel({.name = "k"});
  program.dispatch(kernel, {}, {}, {times(Symbol::T)});
  program.dispatch(kernel, {}, {}, {times(Symbol::B)});
  const PackedProgram variant(program);
  Result<RunPlan> result = plan(variant, 0, 2);
  ASSERT_TRUE(result.isOk()) << result.status().message();
  EXPECT_TRUE(result->commands[0].dispatches.empty());
  EXPECT_EQ(result->commands[1].dispatches.size(), 1u);
}

TEST(RunPlanTest, RefusesABufferOverTheLimit) {
  TestProgram program;
  program.scratch({constant(16)});
  program.scratch({times(Symbol::TB, 1024)});
  const PackedProgram variant(program);
  EXPECT_TRUE(plan(variant, 1u << 17, 1).isOk());
  Result<RunPlan> result = plan(variant, (1u << 17) + 1, 1);
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.status().code(), StatusCode::ResourceExhausted);
  EXPECT_EQ(result.status().message(),
            "buffer 1 needs 134218752 bytes; the largest storage buffer of "
            "'fake smallest' has 134217728");
}

TEST(RunPlanTest, RefusesSizesThatWrapAround) {
  TestProgram program;
  program.scratch({times(Symbol::T, ~uint64_t(0) / 2), constant(4)});
  const PackedProgram variant(program);
  Result<RunPlan> result = plan(variant, 3, 1);
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.status().code(), StatusCode::ResourceExhausted);
  EXPECT_EQ(result.status().message(),
            "a size exceeds 64 bits for T = 3, B = 1\n"
            "  while computing the size of buffer 0");
}

TEST(RunPlanTest, RefusesMoreWorkgroupsThanADeviceTakes) {
  TestProgram program;
  const uint32_t kernel = program.kernel({.name = "k"});
  program.dispatch(kernel, {}, {}, {times(Symbol::T)});
  const PackedProgram variant(program);
  Result<RunPlan> result = plan(variant, 65536, 1);
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.status().code(), StatusCode::ResourceExhausted);
  EXPECT_EQ(result.status().message(),
            "kernel 'k' needs 65536 workgroups in x; the limit of 'fake "
            "smallest' is 65535");
  EXPECT_TRUE(plan(variant, 65536, 1, fakes::discreteGpu()).isOk());
}

TEST(RunPlanTest, RefusesMoreRowsThanKernelsCount) {
  TestProgram program;
  const PackedProgram variant(program);
  EXPECT_TRUE(plan(variant, 0x7fffffff, 1).isOk());
  Result<RunPlan> result = plan(variant, 65536, 32768);
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.status().code(), StatusCode::InvalidArgument);
  EXPECT_EQ(result.status().message(),
            "T times B is 2147483648 and exceeds 2147483647");
}

TEST(RunPlanTest, RefusesARunThatCouldNotBeRecorded) {
  TestProgram program;
  const uint32_t kernel = program.kernel({.name = "k"});
  program.beginRepeat(Symbol::T);
  program.dispatch(kernel, {}, {}, {});
  const PackedProgram variant(program);
  EXPECT_TRUE(plan(variant, 1u << 24, 1).isOk());
  Result<RunPlan> result = plan(variant, (1u << 24) + 1, 1);
  ASSERT_FALSE(result.isOk());
  EXPECT_EQ(result.status().message(),
            "the run needs 16777217 dispatches; a run has 16777216 at most");
}

TEST(RunPlanTest, ComputesPushConstants) {
  EXPECT_EQ(pushValue(push(77), 5, 6, 3), 77u);
  EXPECT_EQ(pushValue(push(PushKind::T), 5, 6, 3), 5u);
  EXPECT_EQ(pushValue(push(PushKind::B), 5, 6, 3), 6u);
  EXPECT_EQ(pushValue(push(PushKind::TB), 5, 6, 3), 30u);
  EXPECT_EQ(pushValue(push(PushKind::Step), 5, 6, 3), 3u);
}

} // namespace

} // namespace rung::test
