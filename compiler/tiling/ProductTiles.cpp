//===- ProductTiles.cpp - how a product is cut ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/tiling/Distributions.h"

#include <algorithm>

namespace rung::tiling {

/// Tiles of 128 x 128, both operands staged, 128 bytes deep, and four subgroups
/// of 64 x 64 sums each: as many as registers hold, so that each operand loaded
/// serves four products, while two workgroups still share a compute unit. False
/// where matrix instructions are small, or the problem is.
static bool chooseStaged(const Profile &profile, const ProductProblem &problem,
                         const CooperativeShape &shape, ProductTiles &tiles) {
  int64_t bytes = bytesOf(problem.operand);
  if (shape.m < 16 || shape.n > 16 || problem.columns <= 64 ||
      problem.inner * bytes <= 64)
    return false;
  Distribution &d = tiles.distribution;
  d = cooperativeDistribution(profile, shape);
  d.subgroups = 4, d.subgroupRows = 2;
  tiles.rows = tiles.columns = 128;
  tiles.stageWeights = true;
  tiles.depth = roundUp(std::min(problem.inner, 128 / bytes), d.k);
  int64_t columnTiles = roundUp(problem.columns, tiles.columns) / tiles.columns;
  tiles.panel = largestDivisor(columnTiles, 8);
  // A pass of its own reads and writes each element of the input once; without
  // it, each column tile reads so many bytes more.
  int64_t wider = bytesOf(problem.stored) - bytesOf(problem.operand);
  tiles.narrowFirst =
      wider * columnTiles > bytesOf(problem.stored) + bytesOf(problem.operand);
  return d.threads() <= profile.maxWorkgroupInvocations &&
         sharedBytes(tiles, problem.operand) <= profile.sharedMemoryBytes;
}

ProductTiles chooseProductTiles(const Profile &profile,
                                const ProductProblem &problem) {
  const CooperativeShape *shape =
      findShape(profile, problem.operand, problem.accumulate);
  if (ProductTiles staged;
      shape && chooseStaged(profile, problem, *shape, staged))
    return staged;
  ProductTiles tiles;
  Distribution &d = tiles.distribution;
  d = shape ? cooperativeDistribution(profile, *shape)
            : plainDistribution(/*rows=*/8, problem.columns);
  int64_t blocks = roundUp(problem.columns, d.n) / d.n;
  for (int64_t rowBlocks : {4, 2, 1}) {
    tiles.rows = shape ? d.m * rowBlocks : d.m;
    for (int64_t columnBlocks : {8, 4, 2, 1}) {
      if (columnBlocks > std::max<int64_t>(blocks, 1))
        continue;
      tiles.columns = d.n * columnBlocks;
      d.subgroups = chooseSubgroups(profile, d, columnBlocks, 4);
      tiles.depth = roundUp(32, d.k);
      if (sharedBytes(tiles, problem.operand) <= profile.sharedMemoryBytes)
        return tiles;
    }
  }
  return tiles;
}

} // namespace rung::tiling
