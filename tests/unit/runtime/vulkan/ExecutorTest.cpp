//===- ExecutorTest.cpp - schedules on a device -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/vulkan/DeviceTest.h"
#include "tests/unit/runtime/vulkan/TestModels.h"

#include <algorithm>

namespace rung::test {

namespace {

/// A way to move data.
struct Ports {
  const char *name;
  PortOptions options;
};

/// Every test in all ways to move data: in place where the device's memory is
/// the host's, through staging buffers, and with small ports mapped.
class ExecutorTest : public DeviceTest,
                     public testing::WithParamInterface<Ports> {
protected:
  Runner makeRunner(const BundleReader &bundle) {
    return Runner(makeDevice(bundle), bundle, {.ports = GetParam().options});
  }
};

std::vector<float> copied(std::span<const float> values) {
  return {values.begin(), values.end()};
}

INSTANTIATE_TEST_SUITE_P(
    , ExecutorTest,
    testing::Values(Ports{"InPlace", {}},
                    Ports{"Staged", {.unified = false, .mappedBytes = 0}},
                    // Runs of some tests cross that size, and come back.
                    Ports{"Mapped", {.unified = false, .mappedBytes = 200}}),
    [](const testing::TestParamInfo<Ports> &info) { return info.param.name; });

TEST_P(ExecutorTest, ComputesWhatTheKernelSays) {
  constexpr uint32_t kWidth = 7;
  const BundleReader bundle = readModel(affineModel(kWidth));
  Runner runner = makeRunner(bundle);
  for (auto [steps, batch] :
       {std::pair(1u, 1u), std::pair(3u, 2u), std::pair(50u, 13u)}) {
    const std::vector<float> x = randomNumbers(steps * batch * kWidth, 1);
    const std::vector<float> h = randomNumbers(batch * kWidth, 2);
    auto outputs = runner.run(steps, batch, {bytesOf(x), bytesOf(h)});
    ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
    EXPECT_EQ(copied(outputs->floats(0)), affineReference(x, h));
    EXPECT_EQ(copied(outputs->floats(1)), h);
  }
}

TEST_P(ExecutorTest, TakesZerosForAStateLeftOutAlsoAfterOneWasGiven) {
  const BundleReader bundle = readModel(affineModel(3));
  Runner runner = makeRunner(bundle);
  const std::vector<float> x = {1, 2, 3}, h = {10, 20, 30};
  ASSERT_TRUE(runner.run(1, 1, {bytesOf(x), bytesOf(h)}).isOk());
  auto outputs = runner.run(1, 1, {bytesOf(x), {}});
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  EXPECT_EQ(copied(outputs->floats(0)), std::vector<float>({2, 4, 6}));
  EXPECT_EQ(copied(outputs->floats(1)), std::vector<float>(3));
}

TEST_P(ExecutorTest, RunsNoStepsAndNoRows) {
  const std::vector<float> w = {1, 2, 3};
  const BundleReader bundle = readModel(decayModel(w));
  Runner runner = makeRunner(bundle);
  const std::vector<float> h = {4, 5, 6};
  auto noSteps = runner.run(0, 1, {bytesOf(w).first(0), bytesOf(h)});
  ASSERT_TRUE(noSteps.isOk()) << noSteps.status().message();
  EXPECT_TRUE(noSteps->bytes[0].empty());
  EXPECT_EQ(copied(noSteps->floats(1)), h);
  auto noRows = runner.run(4, 0, {bytesOf(w).first(0), bytesOf(h).first(0)});
  ASSERT_TRUE(noRows.isOk()) << noRows.status().message();
  EXPECT_TRUE(noRows->bytes[0].empty());
  EXPECT_TRUE(noRows->bytes[1].empty());
}

TEST_P(ExecutorTest, RepeatsOncePerStepWithItsNumber) {
  constexpr uint32_t kSteps = 300, kBatch = 3;
  const std::vector<float> w = randomNumbers(20, 3);
  const BundleReader bundle = readModel(decayModel(w));
  Runner runner = makeRunner(bundle);
  const std::vector<float> x = randomNumbers(kSteps * kBatch * w.size(), 4);
  const std::vector<float> h = randomNumbers(kBatch * w.size(), 5);
  auto outputs = runner.run(kSteps, kBatch, {bytesOf(x), bytesOf(h)});
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  const DecayResult expected = decayReference(x, h, w);
  std::span<const float> y = outputs->floats(0);
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_NEAR(y[i], expected.y[i], 1e-6) << i; // Contraction is allowed.
  // Each step waits for the one before, the first for the copy.
  EXPECT_EQ(runner.executor->barriers(0), kSteps);
}

TEST_P(ExecutorTest, GivesTheSameBitsStepByStepAndAtOnce) {
  constexpr uint32_t kSteps = 16, kBatch = 2, kWidth = 5;
  const std::vector<float> w = randomNumbers(kWidth, 6);
  const BundleReader bundle = readModel(decayModel(w));
  Runner runner = makeRunner(bundle);
  constexpr size_t kRow = kBatch * kWidth;
  const std::vector<float> x = randomNumbers(kSteps * kRow, 7);
  const std::vector<float> h = randomNumbers(kRow, 8);
  auto whole = runner.run(kSteps, kBatch, {bytesOf(x), bytesOf(h)});
  ASSERT_TRUE(whole.isOk()) << whole.status().message();
  std::vector<float> state = h;
  for (uint32_t step = 0; step < kSteps; ++step) {
    std::span<const float> row = std::span(x).subspan(step * kRow, kRow);
    auto part = runner.run(1, kBatch, {bytesOf(row), bytesOf(state)});
    ASSERT_TRUE(part.isOk()) << part.status().message();
    EXPECT_TRUE(std::ranges::equal(part->floats(0),
                                   whole->floats(0).subspan(step * kRow, kRow)))
        << "step " << step;
    state = copied(part->floats(1));
  }
  EXPECT_EQ(state, copied(whole->floats(1)));
}

TEST_P(ExecutorTest, GivesTheSameBitsInSegments) {
  constexpr uint32_t kSteps = 50, kBatch = 2, kWidth = 6;
  const std::vector<float> w = randomNumbers(kWidth, 12);
  const BundleReader bundle = readModel(decayModel(w));
  Runner whole = makeRunner(bundle);
  constexpr size_t kRow = kBatch * kWidth;
  const std::vector<float> x = randomNumbers(kSteps * kRow, 13);
  const std::vector<float> h = randomNumbers(kRow, 14);
  auto expected = whole.run(kSteps, kBatch, {bytesOf(x), bytesOf(h)});
  ASSERT_TRUE(expected.isOk()) << expected.status().message();
  EXPECT_EQ(expected->times.segments, 1u);
  for (uint32_t steps : {8u, 16u, 32u}) {
    Runner cut(makeDevice(bundle), bundle,
               {.ports = GetParam().options, .segmentSteps = steps});
    auto outputs = cut.run(kSteps, kBatch, {bytesOf(x), bytesOf(h)});
    ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
    EXPECT_GT(outputs->times.segments, 1u);
    EXPECT_TRUE(std::ranges::equal(outputs->floats(0), expected->floats(0)));
    EXPECT_TRUE(std::ranges::equal(outputs->floats(1), expected->floats(1)));
  }
}

TEST_P(ExecutorTest, KeepsAMemoryLimit) {
  constexpr uint32_t kWidth = 64;
  const std::vector<uint32_t> constants = {1, 20, 300, 4000, 50000};
  const BundleReader bundle = readModel(chainModel(kWidth, constants));
  // Ports of 512 KiB; two scratch buffers as large would exceed the limit.
  constexpr uint64_t kLimit = uint64_t(5) << 18;
  Runner runner(makeDevice(bundle), bundle,
                {.ports = GetParam().options, .memoryLimit = kLimit});
  const std::vector<float> x(kWidth * 2048, 0.5f);
  auto outputs = runner.run(1024, 2, {bytesOf(x)});
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  EXPECT_GT(outputs->times.segments, 1u);
  EXPECT_EQ(copied(outputs->floats(0)), std::vector<float>(x.size(), 54321.5f));
  EXPECT_LE(runner.executor->memory().deviceBytes, kLimit);
  // What the ports alone exceed is refused, and the limit named.
  const std::vector<float> more(kWidth * 8192);
  Status refused = runner.run(4096, 2, {bytesOf(more)}).status();
  EXPECT_EQ(refused.code(), StatusCode::ResourceExhausted);
  EXPECT_NE(refused.message().find("the limit is 1310720"), std::string::npos)
      << refused.message();
  EXPECT_TRUE(runner.run(1024, 2, {bytesOf(x)}).isOk());
}

TEST_P(ExecutorTest, RecordsAgainOnlyForAnotherSize) {
  const BundleReader bundle = readModel(affineModel(4));
  Runner runner = makeRunner(bundle);
  const std::vector<float> x = randomNumbers(64, 9), h(8);
  auto run = [&](uint32_t steps) {
    std::span<const float> part = std::span(x).first(steps * 2 * 4);
    auto outputs = runner.run(steps, 2, {bytesOf(part), bytesOf(h)});
    ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
    EXPECT_EQ(copied(outputs->floats(0)), affineReference(part, h));
  };
  run(4);
  run(4);
  run(4);
  EXPECT_EQ(runner.executor->recordings(), 1u);
  run(8); // Grows.
  run(1); // Works in the larger buffers.
  run(1);
  EXPECT_EQ(runner.executor->recordings(), 3u);
}

TEST_P(ExecutorTest, PutsABarrierBetweenDispatchesThatDepend) {
  const std::vector<uint32_t> constants = {1, 20, 300, 4000, 50000};
  const BundleReader bundle = readModel(chainModel(9, constants));
  Runner runner = makeRunner(bundle);
  const std::vector<float> x(9 * 6, 0.5f);
  auto outputs = runner.run(3, 2, {bytesOf(x)});
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  EXPECT_EQ(copied(outputs->floats(0)), std::vector<float>(9 * 6, 54321.5f));
  EXPECT_EQ(runner.executor->barriers(0), constants.size() - 1);
}

TEST_P(ExecutorTest, PutsNoBarrierBetweenDispatchesThatDoNot) {
  const BundleReader bundle = readModel(independentModel(5, 4));
  Runner runner = makeRunner(bundle);
  const std::vector<float> x(5, 1.0f);
  auto outputs = runner.run(1, 1, {bytesOf(x)});
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(copied(outputs->floats(i)), std::vector<float>(5, 1.0f + i));
  EXPECT_EQ(runner.executor->barriers(0), 0u);
}

TEST_P(ExecutorTest, MeasuresTimeOnTheDevice) {
  const BundleReader bundle = readModel(affineModel(64));
  Runner runner = makeRunner(bundle);
  const std::vector<float> x(64 * 512), h(64 * 8);
  auto outputs = runner.run(64, 8, {bytesOf(x), bytesOf(h)});
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  if (!runner.device->plan().timestamps)
    EXPECT_LT(outputs->times.deviceMs, 0);
  else
    EXPECT_GT(outputs->times.deviceMs, 0);
  EXPECT_GE(outputs->times.transferMs, 0);
  EXPECT_GT(outputs->times.prepareMs, 0);
}

TEST_P(ExecutorTest, TakesNoTimeOnTheDeviceWhereNoneIsWanted) {
  const BundleReader bundle = readModel(affineModel(64));
  Runner runner(makeDevice(bundle), bundle,
                {.clock = false, .ports = GetParam().options});
  const std::vector<float> x = randomNumbers(64 * 512, 11), h(64 * 8);
  auto outputs = runner.run(64, 8, {bytesOf(x), bytesOf(h)});
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  EXPECT_EQ(copied(outputs->floats(0)), affineReference(x, h));
  EXPECT_LT(outputs->times.deviceMs, 0);
  EXPECT_EQ(outputs->times.transferMs, 0);
}

TEST_P(ExecutorTest, UploadsWeightsLargerThanTheStagingBuffer) {
  const std::vector<float> w = randomNumbers((size_t(9) << 20) / 4, 10);
  const BundleReader bundle = readModel(decayModel(w));
  Runner runner = makeRunner(bundle);
  const std::vector<float> x(w.size(), 1.0f);
  auto outputs = runner.run(1, 1, {bytesOf(x), {}});
  ASSERT_TRUE(outputs.isOk()) << outputs.status().message();
  EXPECT_TRUE(std::ranges::equal(outputs->floats(0), w));
}

} // namespace

} // namespace rung::test
