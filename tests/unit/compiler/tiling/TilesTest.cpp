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
  problem.dots = problem.matrices = problem.slices = 3;
  problem.operands = problem.phaseOperands = problem.phases = 1;
  problem.outputs = problem.states = 1;
  return problem;
}

/// The same on pairs of f16, or on integers whose operand has two bytes: each
/// matrix is multiplied by both halves.
RecurrenceProblem halves(int64_t headWidth, ScalarType operand,
                         ScalarType accumulate) {
  RecurrenceProblem problem = gru(headWidth, operand);
  problem.accumulate = accumulate;
  problem.dots = 6;
  problem.operands = problem.phaseOperands = 2;
  if (operand == ScalarType::F16) {
    problem.states = problem.outputs = 2;
    problem.slices = 6;
  }
  problem.draws = operand == ScalarType::F16;
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
  for (const char *name : {"generic", "lavapipe"})
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
        const Distribution &d = tiles.distribution;
        if (tiles.strategy == Strategy::ResidentGrid) {
          // Units on the left, batch rows on the right, a part of the depth a
          // subgroup.
          EXPECT_TRUE(tiles.rows * problem.stack == d.n || tiles.rows == 1);
          EXPECT_EQ(tiles.columns % d.m, 0);
          EXPECT_EQ(tiles.depth % (d.k * d.subgroups), 0);
        } else {
          EXPECT_EQ(tiles.rows % d.m, 0);
          EXPECT_EQ(tiles.columns % (d.n * d.subgroups), 0);
          EXPECT_EQ(tiles.depth % d.k, 0);
        }
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

TEST(TilesTest, NarrowCarriersKeepAHeadOf64Resident) {
  for (const char *name : {"generic", "lavapipe", "nvidia-hopper"})
    for (auto [operand, accumulate] :
         {std::pair(ScalarType::F16, ScalarType::F16),
          std::pair(ScalarType::S8, ScalarType::I32)}) {
      Profile target = profile(name);
      RecurrenceProblem problem = halves(64, operand, accumulate);
      RecurrenceTiles tiles =
          chooseRecurrenceTiles(target, problem, Strategy::ResidentHead);
      EXPECT_EQ(chooseStrategy(target, problem), Strategy::ResidentHead)
          << name << " " << toString(operand);
      EXPECT_EQ(tiles.distribution.cooperative,
                findShape(target, operand, accumulate) != nullptr);
      EXPECT_EQ(checkTiles(target, tiles.distribution,
                           sharedBytes(tiles, problem), operand, accumulate),
                "");
    }
}

/// The same with the products of `width` inputs in the body.
RecurrenceProblem fusedGru(int64_t headWidth, int64_t width) {
  RecurrenceProblem problem = gru(headWidth, ScalarType::F16);
  problem.slices = 0;
  problem.inputs = 1;
  problem.inputWidth = width;
  problem.inputMatrices = 3;
  return problem;
}

TEST(TilesTest, NarrowInputsAreMultipliedInTheRecurrence) {
  Profile hopper = profile("nvidia-hopper");
  EXPECT_TRUE(fusesInput(hopper, fusedGru(64, 64)));
  EXPECT_TRUE(fusesInput(profile("lavapipe"), fusedGru(64, 16)));
  EXPECT_FALSE(fusesInput(hopper, fusedGru(64, 129)));
  // Both kinds of weights at once are too many.
  EXPECT_TRUE(fusesInput(hopper, fusedGru(96, 64)));
  EXPECT_FALSE(fusesInput(hopper, fusedGru(128, 128)));
  // Many narrow heads would each read all of the inputs.
  EXPECT_FALSE(fusesInput(hopper, fusedGru(4, 128)));
  EXPECT_FALSE(fusesInput(profile("generic"), fusedGru(64, 64)));
}

TEST(TilesTest, ResidentStepsShareAFetch) {
  Profile target = profile("nvidia-hopper");
  RecurrenceProblem problem = fusedGru(64, 64);
  RecurrenceTiles tiles =
      chooseRecurrenceTiles(target, problem, Strategy::ResidentHead);
  // Four subgroups, each with one column block, held as 16 x 8.
  EXPECT_EQ(tiles.distribution.subgroups, 4);
  EXPECT_TRUE(tiles.distribution.transposed);
  EXPECT_EQ(tiles.distribution.n, 16);
  EXPECT_EQ(tiles.rows, 8);
  EXPECT_EQ(tiles.stages, 2);
  EXPECT_GT(tiles.group, 1);
  EXPECT_LE(sharedBytes(tiles, problem), target.sharedMemoryBytes);
  // One step more does not fit, or is more than a group may have.
  RecurrenceTiles larger = tiles;
  ++larger.group;
  EXPECT_TRUE(larger.group > 16 ||
              sharedBytes(larger, problem) > target.sharedMemoryBytes);
}

TEST(TilesTest, SharedMemoryCountsTheCarrier) {
  RecurrenceTiles tiles;
  tiles.strategy = Strategy::ResidentHead;
  tiles.rows = 16, tiles.columns = tiles.depth = 64, tiles.stages = 1;
  RecurrenceProblem f32 = gru(64, ScalarType::F16), f16 = f32;
  f16.accumulate = ScalarType::F16;
  // Three slices and an output at 4 and at 2 bytes; flags as well.
  int64_t wide = 16 * 68 * 4, narrow = 16 * 72 * 2;
  EXPECT_EQ(sharedBytes(tiles, f32), 4 * wide + narrow + 2 * 20 * 4);
  EXPECT_EQ(sharedBytes(tiles, f16), 4 * narrow + narrow + 2 * 24 * 2);
  // Inputs of three steps, as operands.
  RecurrenceProblem fused = fusedGru(64, 24);
  tiles.stages = 2, tiles.group = 3, tiles.distribution.k = 16;
  EXPECT_EQ(sharedBytes(tiles, fused),
            3 * 16 * 40 * 2 + 2 * wide + 2 * narrow + 2 * 20 * 4);
  tiles.stages = tiles.group = 1;
  // A stage, and random states: three words and their padding for each row.
  f16.draws = true;
  EXPECT_EQ(sharedBytes(tiles, f16), 6 * narrow + 2 * 24 * 2 + 16 * 8 * 4);
  // Two operands of bytes are stored as words first, each in a stage.
  RecurrenceProblem s8 = halves(64, ScalarType::S8, ScalarType::I32);
  EXPECT_EQ(sharedBytes(tiles, s8), 6 * wide + 2 * 16 * 80 + 2 * 20 * 4);
}

TEST(TilesTest, ProductsOfOneMatrixKeepItOnce) {
  // A thread has 128 bytes of each matrix, and room for 512.
  Profile target = profile("nvidia-hopper");
  RecurrenceProblem problem = halves(128, ScalarType::F16, ScalarType::F16);
  problem.slices = problem.outputs = 1;
  EXPECT_EQ(chooseStrategy(target, problem), Strategy::ResidentHead);
  problem.matrices = 6;
  EXPECT_NE(chooseStrategy(target, problem), Strategy::ResidentHead);
}

TEST(TilesTest, AllComputeUnitsHoldWhatOneCannot) {
  Profile target = profile("nvidia-hopper");
  RecurrenceProblem problem = gru(2048, ScalarType::F16);
  problem.phaseDots = 3;
  EXPECT_EQ(chooseStrategy(target, problem), Strategy::ResidentGrid);
  RecurrenceTiles tiles =
      chooseRecurrenceTiles(target, problem, Strategy::ResidentGrid);
  // 128 workgroups of 16 units; 256 threads, 192 registers of weights each.
  EXPECT_EQ(tiles.columns, 16);
  EXPECT_EQ(tiles.depth, 2048);
  EXPECT_EQ(tiles.rows, 8);
  EXPECT_EQ(tiles.distribution.n, 8);
  EXPECT_EQ(tiles.distribution.subgroups, 8);
  // Eight rows of the operand; eight subgroups' sums of three products.
  EXPECT_EQ(sharedBytes(tiles, problem), 8 * 2056 * 2 + 3 * 8 * 8 * 20 * 4);
  // Twice the width is four times the weights.
  EXPECT_EQ(chooseStrategy(target, gru(4096, ScalarType::F16)), Strategy::Step);
  // What a workgroup can't do there, and a profile that promises nothing.
  problem.draws = true;
  EXPECT_EQ(chooseStrategy(target, problem), Strategy::Step);
  problem.draws = false, problem.hasLengths = true;
  EXPECT_EQ(chooseStrategy(target, problem), Strategy::Step);
  problem.hasLengths = false, target.jointProgress = false;
  EXPECT_EQ(chooseStrategy(target, problem), Strategy::Step);
  target.jointProgress = true, target.computeUnits = 127;
  EXPECT_EQ(chooseStrategy(target, problem), Strategy::Step);
}

TEST(TilesTest, FewThreadsTakeShallowTiles) {
  // 25 blocks of 8 columns: one subgroup of 8 threads, 8 rows.
  RecurrenceTiles tiles = chooseRecurrenceTiles(
      profile("lavapipe"), gru(200, ScalarType::F16), Strategy::Step);
  EXPECT_EQ(tiles.distribution.threads(), 8);
  EXPECT_EQ(tiles.rows * tiles.depth, 32 * 8);
  tiles = chooseRecurrenceTiles(profile("nvidia-hopper"),
                                gru(2048, ScalarType::F16), Strategy::Step);
  EXPECT_EQ(tiles.depth, 128);
}

TEST(TilesTest, StagesBothOperandsOfLargeProducts) {
  ProductProblem problem{ScalarType::F16, ScalarType::F32, 2048, 6144};
  ProductTiles tiles = chooseProductTiles(profile("nvidia-hopper"), problem);
  EXPECT_TRUE(tiles.stageWeights);
  EXPECT_GT(tiles.distribution.subgroupRows, 1);
  EXPECT_EQ(tiles.depth * 2, 128); // Bytes a turn.
  EXPECT_EQ(6144 / tiles.columns % tiles.panel, 0);
  // A matrix instruction of 8 x 8 gains nothing by it, nor do few columns.
  EXPECT_FALSE(chooseProductTiles(profile("lavapipe"), problem).stageWeights);
  problem.columns = 64;
  EXPECT_FALSE(
      chooseProductTiles(profile("nvidia-hopper"), problem).stageWeights);
}

TEST(TilesTest, NarrowsAnInputOnceWhereManyTilesReadIt) {
  ProductProblem problem{ScalarType::F16, ScalarType::F32, 2048, 6144};
  Profile target = profile("nvidia-hopper");
  EXPECT_TRUE(chooseProductTiles(target, problem).narrowFirst);
  problem.columns = 256; // Two tiles read 2 * 2 bytes more, a pass moves 6.
  EXPECT_FALSE(chooseProductTiles(target, problem).narrowFirst);
  problem.columns = 6144;
  problem.stored = ScalarType::F16;
  EXPECT_FALSE(chooseProductTiles(target, problem).narrowFirst);
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
