//===- SegmentPlanTest.cpp - runs in segments of time -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/TimeSegments.h"
#include "runtime/vulkan/RunPlan.h"
#include "tests/unit/runtime/vulkan/Fakes.h"
#include "tests/unit/runtime/vulkan/PackedProgram.h"
#include "tests/unit/runtime/vulkan/TestProgram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

namespace rung::test {

namespace {

using fb::PushKind;
using fb::Symbol;

const std::vector<fb::Factor> kRows = {times(Symbol::TB, 64)};
const std::vector<fb::Factor> kState = {times(Symbol::B, 32)};

/// Models by their commands; a recurrence reads x and its state and writes y
/// and the next state.
struct Model {
  TestProgram program;
  FunctionBuilder function{"f"};
  uint32_t kernel = program.kernel({.name = "k"});
  uint32_t inputs = 0, outputs = 0;

  uint32_t input(const std::string &name) {
    function.input(name, f32({kDimT, kDimB, 16}));
    return program.input(inputs++, kRows);
  }
  uint32_t output(const std::string &name) {
    function.output(name, f32({kDimT, kDimB, 16}), 0);
    return program.output(outputs++, kRows);
  }
  uint32_t stateInput(const std::string &name) {
    function.state(name, f32({kDimB, 8}));
    return program.input(inputs++, kState);
  }
  uint32_t stateOutput(const std::string &name) {
    function.stateOutput(name, f32({kDimB, 8}), 0);
    return program.output(outputs++, kState);
  }
  void run(std::vector<fb::Argument> arguments) {
    program.dispatch(kernel, std::move(arguments), {}, {times(Symbol::T)});
  }
  PackedProgram pack() {
    auto made = function.take();
    made->segmentable = true;
    return PackedProgram(program, *made);
  }
};

/// Layers of a product and a recurrence, one behind the other.
PackedProgram layers(uint32_t count) {
  Model model;
  uint32_t from = model.input("x");
  std::vector<uint32_t> states;
  for (uint32_t i = 0; i < count; ++i)
    states.push_back(model.stateInput("h" + std::to_string(i)));
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t product = model.program.scratch(kRows);
    model.run({read(from), write(product)});
    from = i + 1 == count ? model.output("y") : model.program.scratch(kRows);
    const uint32_t next = model.stateOutput("h" + std::to_string(i));
    model.run({read(product), read(states[i]), write(next), write(from)});
  }
  return model.pack();
}

/// States and outputs are converted by commands of their own, and the first
/// layer's rows are read again by the last command.
PackedProgram converted() {
  Model model;
  const uint32_t x = model.input("x"), h = model.stateInput("h");
  const uint32_t narrow = model.program.scratch(kState);
  const uint32_t last = model.program.scratch(kState);
  const uint32_t product = model.program.scratch(kRows);
  const uint32_t rows = model.program.scratch(kRows);
  const uint32_t next = model.stateOutput("h"), y = model.output("y");
  model.run({read(h), write(narrow)});
  model.run({read(x), write(product)});
  model.run({read(product), read(narrow), write(last), write(rows)});
  model.run({read(last), write(next)});
  model.run({read(rows), read(product), write(y)});
  return model.pack();
}

/// One dispatch a step, in two phases, the state in place.
PackedProgram stepwise() {
  Model model;
  const uint32_t x = model.input("x"), h = model.stateInput("h");
  const uint32_t sums = model.program.scratch(kState);
  const uint32_t next = model.stateOutput("h"), y = model.output("y");
  model.run({read(h), write(next)});
  model.program.beginRepeat(Symbol::T);
  model.run({read(x), read(next), write(sums)});
  model.run({read(sums), update(next), write(y)});
  model.program.endRepeat();
  return model.pack();
}

using Content = uint64_t;

Content mix(Content a, Content b) {
  return (a ^ (b + 0x9e3779b97f4a7c15 + (a << 6) + (a >> 2))) * 0x100000001b3;
}

/// Contents stand for what a dispatch made of its arguments.
template <typename At>
void execute(const fb::Command &command, uint32_t steps, uint32_t step, At at) {
  Content made = mix(reinterpret_cast<uintptr_t>(&command), mix(steps, step));
  for (uint32_t i = 0; i < command.arguments()->size(); ++i)
    if (command.arguments()->Get(i)->access() != fb::Access::Write)
      made = mix(made, at(i));
  for (uint32_t i = 0; i < command.arguments()->size(); ++i)
    if (command.arguments()->Get(i)->access() != fb::Access::Read)
      at(i) = mix(made, i);
}

/// Where the host finds the outputs: by buffer, and by segment for rows.
using Outputs = std::map<std::pair<uint32_t, uint32_t>, Content>;

/// The plan's dispatches, in its order.
Outputs runPlan(const RunPlan &plan, const fb::Schedule &schedule) {
  std::vector<Content> regions(plan.regions.size());
  std::map<uint32_t, uint32_t> parts; // Regions of a storage so far.
  for (size_t i = 0; i < regions.size(); ++i) {
    const uint32_t storage = plan.regions[i].storage;
    const uint32_t part = parts[storage]++;
    const bool input =
        storage < schedule.buffers()->size() &&
        schedule.buffers()->Get(storage)->role() == fb::BufferRole::Input;
    regions[i] = input ? mix(storage, part) : mix(7777, i);
  }
  for (const PlannedCommands &commands : plan.commands)
    for (uint32_t step = 0; step < commands.iterations; ++step)
      for (const PlannedDispatch &dispatch : commands.dispatches)
        if (step < dispatch.iterations)
          execute(*dispatch.command, dispatch.steps, step,
                  [&](uint32_t i) -> Content & {
                    return regions[dispatch.regions[i]];
                  });
  Outputs outputs;
  parts.clear();
  for (size_t i = 0; i < regions.size(); ++i) {
    const uint32_t storage = plan.regions[i].storage;
    if (storage < schedule.buffers()->size() &&
        schedule.buffers()->Get(storage)->role() == fb::BufferRole::Output)
      outputs[{storage, parts[storage]++}] = regions[i];
  }
  return outputs;
}

/// Segments one after the other, each with scratch of its own.
Outputs runSegments(const PackedProgram &program, uint32_t segments,
                    uint32_t segmentSteps, uint32_t steps) {
  const fb::Schedule &schedule = program.schedule();
  Outputs outputs;
  std::map<uint32_t, Content> states; // By the output's buffer.
  for (uint32_t s = 0; s < segments; ++s) {
    const uint32_t length = std::min(segmentSteps, steps - s * segmentSteps);
    std::map<uint32_t, Content> contents;
    for (uint32_t b = 0; b < schedule.buffers()->size(); ++b) {
      const fb::Buffer &buffer = *schedule.buffers()->Get(b);
      contents[b] = buffer.role() == fb::BufferRole::Input
                        ? mix(b, hasSteps(buffer) ? s : 0)
                        : 0;
    }
    for (const TimeStages::Chain &chain :
         TimeStages::make(program.function(), schedule).chains)
      if (s > 0)
        contents[chain.input] = states[chain.output];
    auto at = [&](const fb::Command &command) {
      return [&](uint32_t i) -> Content & {
        return contents[command.arguments()->Get(i)->buffer()];
      };
    };
    for (const fb::Command *command : *schedule.commands()) {
      if (!command->repeat())
        execute(*command, length, 0, at(*command));
      else
        for (uint32_t step = 0; step < length; ++step)
          for (const fb::Command *inner : *command->repeat()->body())
            execute(*inner, length, step, at(*inner));
    }
    for (uint32_t b = 0; b < schedule.buffers()->size(); ++b) {
      const fb::Buffer &buffer = *schedule.buffers()->Get(b);
      if (buffer.role() != fb::BufferRole::Output)
        continue;
      outputs[{b, hasSteps(buffer) ? s : 0}] = contents[b];
      states[b] = contents[b];
    }
  }
  return outputs;
}

struct Case {
  const char *name;
  std::function<PackedProgram()> make;
  uint32_t stages;
};
class SegmentPlanTest : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    , SegmentPlanTest,
    testing::Values(Case{"OneLayer", [] { return layers(1); }, 2},
                    Case{"FourLayers", [] { return layers(4); }, 8},
                    Case{"Converted", converted, 3},
                    Case{"Stepwise", stepwise, 1}),
    [](const testing::TestParamInfo<Case> &info) { return info.param.name; });

Result<RunPlan> planOf(const PackedProgram &program, const RunShape &shape) {
  return RunPlan::make(fakes::smallest(), program.variant(), program.schedule(),
                       program.function(), shape);
}

TEST_P(SegmentPlanTest, FindsTheStages) {
  const PackedProgram program = GetParam().make();
  EXPECT_EQ(TimeStages::make(program.function(), program.schedule()).stages,
            GetParam().stages);
}

TEST_P(SegmentPlanTest, DoesWhatSegmentsOneAfterTheOtherDo) {
  const PackedProgram program = GetParam().make();
  for (auto [steps, segmentSteps] :
       {std::pair(64u, 64u), std::pair(64u, 32u), std::pair(64u, 8u),
        std::pair(61u, 4u), std::pair(9u, 4u)}) {
    Result<RunPlan> plan = planOf(
        program, {.steps = steps, .batch = 1, .segmentSteps = segmentSteps});
    ASSERT_TRUE(plan.isOk()) << plan.status().message();
    EXPECT_EQ(plan->segments, (steps + segmentSteps - 1) / segmentSteps);
    EXPECT_EQ(runPlan(*plan, program.schedule()),
              runSegments(program, plan->segments, segmentSteps, steps))
        << steps << " steps in segments of " << segmentSteps;
  }
}

TEST_P(SegmentPlanTest, KeepsRegionsApartAndAligned) {
  const PackedProgram program = GetParam().make();
  Result<RunPlan> plan =
      planOf(program, {.steps = 61, .batch = 1, .segmentSteps = 4});
  ASSERT_TRUE(plan.isOk()) << plan.status().message();
  std::map<uint32_t, uint64_t> ends;
  for (const PlannedRegion &region : plan->regions) {
    EXPECT_EQ(region.offset % 256, 0u);
    EXPECT_GE(region.offset, ends[region.storage]);
    ends[region.storage] = region.offset + region.bytes;
    EXPECT_LE(ends[region.storage], plan->storageBytes[region.storage]);
  }
}

TEST(SegmentPlan, RoundsSegmentsUpToWhatCanBeAddressed) {
  const PackedProgram program = layers(1);
  // Rows of 64 bytes at multiples of 256.
  Result<RunPlan> plan =
      planOf(program, {.steps = 64, .batch = 1, .segmentSteps = 5});
  ASSERT_TRUE(plan.isOk()) << plan.status().message();
  EXPECT_EQ(plan->segments, 8u);
}

TEST(SegmentPlan, HalvesSegmentsUntilTheyKeepTheLimit) {
  const PackedProgram program = layers(4);
  const uint64_t ports = 2 * 1024 * 64 + 8 * 32;
  auto plan = [&](uint64_t limit) {
    return planOf(program, {.steps = 1024, .batch = 1, .memoryLimit = limit});
  };
  auto whole = plan(uint64_t(1) << 30);
  ASSERT_TRUE(whole.isOk()) << whole.status().message();
  EXPECT_EQ(whole->segments, 1u);
  auto cut = plan(2 * ports);
  ASSERT_TRUE(cut.isOk()) << cut.status().message();
  EXPECT_GT(cut->segments, 4u);
  uint64_t total = 0;
  for (uint64_t bytes : cut->storageBytes)
    total += bytes;
  EXPECT_LE(total, 2 * ports);
  auto none = plan(ports);
  EXPECT_EQ(none.status().code(), StatusCode::ResourceExhausted);
  EXPECT_TRUE(none.status().message().starts_with("the run's buffers take "))
      << none.status().message();
  EXPECT_TRUE(none.status().message().ends_with(
      " bytes in 256 segments; the limit is 131328"))
      << none.status().message();
}

TEST(SegmentPlan, GivesEachSegmentProgressOfItsOwn) {
  Model model;
  const uint32_t x = model.input("x"), h = model.stateInput("h");
  const uint32_t words = model.program.progress({constant(8)});
  const uint32_t next = model.stateOutput("h"), y = model.output("y");
  model.run({read(x), read(h), write(next), write(y), update(words)});
  const PackedProgram program = model.pack();
  Result<RunPlan> plan =
      planOf(program, {.steps = 64, .batch = 1, .segmentSteps = 16});
  ASSERT_TRUE(plan.isOk()) << plan.status().message();
  ASSERT_EQ(plan->commands.size(), 4u);
  std::vector<uint32_t> regions;
  for (const PlannedCommands &commands : plan->commands) {
    EXPECT_TRUE(commands.dispatches[0].alone);
    regions.push_back(commands.dispatches[0].regions.back());
  }
  std::ranges::sort(regions);
  EXPECT_EQ(std::ranges::unique(regions).begin(), regions.end());
}

TEST(SegmentPlan, LeavesFunctionsWholeThatAreNotMadeForIt) {
  Model model;
  const uint32_t x = model.input("x");
  model.run({read(x), write(model.output("y"))});
  const PackedProgram program(model.program, *model.function.take());
  Result<RunPlan> plan =
      planOf(program, {.steps = 64, .batch = 1, .segmentSteps = 4});
  ASSERT_TRUE(plan.isOk()) << plan.status().message();
  EXPECT_EQ(plan->segments, 1u);
}

TEST(SegmentPlan, RunsStagesSideBySide) {
  const PackedProgram program = layers(2);
  Result<RunPlan> plan =
      planOf(program, {.steps = 64, .batch = 1, .segmentSteps = 8});
  ASSERT_TRUE(plan.isOk()) << plan.status().message();
  // 8 segments through 4 stages, a wave each but for the last three.
  ASSERT_EQ(plan->commands.size(), 11u);
  EXPECT_EQ(plan->commands.front().dispatches.size(), 1u);
  EXPECT_EQ(plan->commands[5].dispatches.size(), 4u);
}

} // namespace

} // namespace rung::test
