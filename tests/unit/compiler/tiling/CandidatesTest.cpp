//===- CandidatesTest.cpp - tiles that a device may prefer ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/tiling/Candidates.h"

#include "compiler/target/MeasuredTiles.h"
#include "compiler/target/Target.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace rung;
using namespace rung::tiling;

namespace {

Profile profile(const std::string &name) {
  Result<Profile> found = findProfile(name);
  EXPECT_TRUE(found.isOk()) << found.status().message();
  return found.value();
}

ProductProblem product(ScalarType operand, ScalarType accumulate, int64_t inner,
                       int64_t columns) {
  ProductProblem problem;
  problem.operand = operand;
  problem.accumulate = accumulate;
  problem.inner = inner;
  problem.columns = columns;
  return problem;
}

RecurrenceProblem gru(int64_t headWidth) {
  RecurrenceProblem problem;
  problem.operand = ScalarType::F16;
  problem.headWidth = headWidth;
  problem.dots = problem.matrices = problem.slices = 3;
  problem.operands = problem.phaseOperands = problem.phases = 1;
  problem.outputs = problem.states = 1;
  return problem;
}

TEST(CandidatesTest, ProductsBeginWithTheRulesAndFitTheProfile) {
  for (const char *name : {"generic", "lavapipe", "nvidia-hopper"})
    for (auto [operand, accumulate] :
         {std::pair(ScalarType::F16, ScalarType::F32),
          std::pair(ScalarType::S8, ScalarType::I32),
          std::pair(ScalarType::F32, ScalarType::F32)}) {
      const Profile target = profile(name);
      const ProductProblem problem = product(operand, accumulate, 4096, 4096);
      const std::vector<ProductTiles> all = productCandidates(target, problem);
      ASSERT_GE(all.size(), 4u) << name;
      EXPECT_LE(all.size(), kMostCandidates);
      EXPECT_EQ(all.front(), chooseProductTiles(target, problem));
      for (auto tiles = all.begin(); tiles != all.end(); ++tiles) {
        EXPECT_EQ(std::find(std::next(tiles), all.end(), *tiles), all.end());
        EXPECT_EQ(checkTiles(target, tiles->distribution,
                             sharedBytes(*tiles, operand), operand, accumulate),
                  "");
        EXPECT_EQ(tiles->depth % tiles->distribution.k, 0);
      }
    }
}

TEST(CandidatesTest, NarrowProductsGetNoWideTiles) {
  const Profile target = profile("nvidia-hopper");
  for (const ProductTiles &tiles : productCandidates(
           target, product(ScalarType::F16, ScalarType::F32, 64, 20)))
    EXPECT_LE(tiles.columns, 32);
}

TEST(CandidatesTest, RecurrencesKeepTheirWidth) {
  const Profile target = profile("nvidia-hopper");
  const RecurrenceProblem problem = gru(64);
  const auto all =
      recurrenceCandidates(target, problem, Strategy::ResidentHead);
  ASSERT_GE(all.size(), 4u);
  EXPECT_EQ(all.front(),
            chooseRecurrenceTiles(target, problem, Strategy::ResidentHead));
  for (const RecurrenceTiles &tiles : all) {
    EXPECT_EQ(tiles.columns, all.front().columns);
    EXPECT_EQ(checkTiles(target, tiles.distribution,
                         sharedBytes(tiles, problem), problem.operand,
                         problem.accumulate),
              "");
  }
}

TEST(CandidatesTest, NamesTellProblemsApart) {
  EXPECT_EQ(nameOf(product(ScalarType::S8, ScalarType::I32, 64, 768)),
            "product s8 i32 64x768");
  EXPECT_EQ(nameOf(gru(64)),
            "recurrence f16 f32 head 64, 3 products in 1 phases");
}

TEST(MeasuredTilesTest, ProfilesThatShipGoByTheRule) {
  Result<MeasuredTiles> tiles = findMeasuredTiles("generic");
  ASSERT_TRUE(tiles.isOk());
  EXPECT_TRUE(tiles->byProblem.empty());
  EXPECT_FALSE(tiles->candidate);
  EXPECT_FALSE(findMeasuredTiles("no-such-file.json").isOk());
}

} // namespace
