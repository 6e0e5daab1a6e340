//===- TilesTest.cpp - choices of tiles, on named profiles ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/tiling/Tiles.h"

#include "compiler/target/Target.h"

#include <gtest/gtest.h>

using namespace rung;
using namespace rung::tiling;

namespace {

Profile profile(const std::string &name) {
  Result<Profile> found = findProfile(name);
  EXPECT_TRUE(found.isOk()) << found.status().message();
  return found.value();
}

/// A GRU's recurrence with reset after: three products of one operand.
RecurrenceProblem gru(int64_t headWidth, ScalarType operand) {
  RecurrenceProblem problem;
  problem.operand = operand;
  problem.headWidth = headWidth;
  problem.dots = 3;
  problem.operands = problem.phases = problem.outputs = problem.states = 1;
  problem.slices = 3;
  return problem;
}

TEST(TilesTest, EveryShippedProfileIsRead) {
  ASSERT_EQ(builtinProfileNames().front(), "generic");
  for (const std::string &name : builtinProfileNames())
    EXPECT_EQ(profile(name).name, name);
}

TEST(TilesTest, PicksTheLargestShapeOfAFormat) {
  Profile hopper = profile("nvidia-hopper");
  const CooperativeShape *f16 =
      findShape(hopper, ScalarType::F16, ScalarType::F32);
  ASSERT_TRUE(f16);
  EXPECT_EQ(f16->m * f16->n * f16->k, 16u * 16 * 16);
  EXPECT_TRUE(findShape(hopper, ScalarType::BF16, ScalarType::F32));
  EXPECT_FALSE(findShape(hopper, ScalarType::F32, ScalarType::F32));
  EXPECT_FALSE(findShape(profile("generic"), ScalarType::F16, ScalarType::F32));
  EXPECT_FALSE(
      findShape(profile("lavapipe"), ScalarType::BF16, ScalarType::F32));
}

TEST(TilesTest, KeepsAHeadOf64Resident) {
  for (const char *name : {"generic", "lavapipe", "nvidia-hopper"}) {
    Profile target = profile(name);
    RecurrenceProblem problem = gru(64, ScalarType::F16);
    Strategy strategy = chooseStrategy(target, problem);
    EXPECT_EQ(strategy, Strategy::ResidentHead) << name;
    RecurrenceTiles tiles = chooseRecurrenceTiles(target, problem, strategy);
    EXPECT_EQ(tiles.columns, 64) << name;
    EXPECT_EQ(checkTiles(target, tiles.distribution,
                         sharedBytes(tiles, problem), problem.operand,
                         problem.accumulate),
              "");
  }
}

TEST(TilesTest, StepsAHeadThatNoWorkgroupHolds) {
  for (const char *name : {"generic", "lavapipe", "nvidia-hopper"})
    EXPECT_EQ(chooseStrategy(profile(name), gru(2048, ScalarType::F16)),
              Strategy::Step)
        << name;
}

TEST(TilesTest, CellsWithoutProductsAreAlwaysResident) {
  RecurrenceProblem problem = gru(4096, ScalarType::F32);
  problem.dots = problem.operands = problem.phases = 0;
  EXPECT_EQ(chooseStrategy(profile("generic"), problem),
            Strategy::ResidentHead);
}

/// Whatever the width, what is chosen fits the device that it is chosen for.
TEST(TilesTest, EveryChoiceFitsItsProfile) {
  for (const std::string &name : builtinProfileNames()) {
    Profile target = profile(name);
    for (ScalarType operand :
         {ScalarType::F32, ScalarType::F16, ScalarType::BF16})
      for (int64_t width : {1, 3, 8, 17, 20, 64, 100, 128, 154, 256, 300, 512,
                            1024, 2048, 4096}) {
        RecurrenceProblem problem = gru(width, operand);
        RecurrenceTiles tiles = chooseRecurrenceTiles(
            target, problem, chooseStrategy(target, problem));
        EXPECT_EQ(checkTiles(target, tiles.distribution,
                             sharedBytes(tiles, problem), operand,
                             ScalarType::F32),
                  "")
            << name << " width " << width;
        EXPECT_EQ(tiles.rows % tiles.distribution.m, 0);
        EXPECT_EQ(tiles.columns %
                      (tiles.distribution.n * tiles.distribution.subgroups),
                  0);
        EXPECT_EQ(tiles.depth % tiles.distribution.k, 0);
        ProductProblem product{operand, ScalarType::F32, width, 3 * width};
        ProductTiles cut = chooseProductTiles(target, product);
        EXPECT_EQ(checkTiles(target, cut.distribution,
                             sharedBytes(cut, operand), operand,
                             ScalarType::F32),
                  "");
        EXPECT_EQ(
            cut.columns % (cut.distribution.n * cut.distribution.subgroups), 0);
      }
  }
}

TEST(TilesTest, SaysWhatDoesNotFit) {
  Profile target = profile("generic");
  Distribution d;
  d.subgroups = 8, d.subgroupSize = 32;
  EXPECT_EQ(checkTiles(target, d, 0, ScalarType::F32, ScalarType::F32),
            "workgroup of 256 threads exceeds the 128 of profile 'generic'");
  d.subgroups = 1;
  EXPECT_EQ(checkTiles(target, d, 20000, ScalarType::F32, ScalarType::F32),
            "kernel needs 20000 bytes of shared memory; profile 'generic' has "
            "16384");
  d.cooperative = true;
  d.m = d.n = d.k = 16;
  EXPECT_EQ(checkTiles(target, d, 0, ScalarType::F16, ScalarType::F32),
            "tile 16x16x16 f16 x f16 + f32 -> f32 is not among the 0 "
            "cooperative shapes of profile 'generic'");
}

TEST(TilesTest, PitchesAreAlignedAndOffTheBanks) {
  EXPECT_EQ(sharedPitch(64, ScalarType::F16), 72);
  EXPECT_EQ(sharedPitch(64, ScalarType::F32), 68);
  EXPECT_EQ(sharedPitch(1, ScalarType::F32), 8);
}

} // namespace
