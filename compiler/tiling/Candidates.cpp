//===- Candidates.cpp - tiles that a device may prefer --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/tiling/Candidates.h"

#include "runtime/base/Text.h"

#include <algorithm>

namespace rung::tiling {
namespace {

// More sums than this in a thread leave no registers for operands.
constexpr int64_t kMostSums = 128;

int64_t sumsOfThread(int64_t rows, int64_t columns, const Distribution &d) {
  return rows * columns / std::max<int64_t>(1, d.threads());
}

/// Multiply-adds for each element that a workgroup loads.
double reuse(const ProductTiles &tiles) {
  return double(tiles.rows * tiles.columns) /
         double(tiles.rows + tiles.columns);
}

bool fits(const Profile &profile, const ProductProblem &problem,
          const ProductTiles &tiles) {
  const Distribution &d = tiles.distribution;
  return sumsOfThread(tiles.rows, tiles.columns, d) <= kMostSums &&
         checkTiles(profile, d, sharedBytes(tiles, problem.operand),
                    problem.operand, problem.accumulate)
             .empty();
}

/// The numbers of subgroups that the column blocks are dealt to evenly.
std::vector<int64_t> subgroupCounts(int64_t columnBlocks) {
  std::vector<int64_t> counts;
  for (int64_t count : {1, 2, 4, 8})
    if (columnBlocks % count == 0)
      counts.push_back(count);
  return counts;
}

/// Cuts whose column blocks are dealt to subgroups in turn.
std::vector<ProductTiles> cutsInTurn(const ProductProblem &problem,
                                     const ProductTiles &chosen) {
  const Distribution &base = chosen.distribution;
  const int64_t blocks =
      std::max<int64_t>(1, roundUp(problem.columns, base.n) / base.n);
  std::vector<ProductTiles> cuts;
  for (int64_t rowBlocks : {1, 2, 4, 8})
    for (int64_t columnBlocks : {1, 2, 4, 8, 16})
      for (int64_t subgroups : subgroupCounts(columnBlocks)) {
        ProductTiles tiles = chosen;
        tiles.rows = base.m * rowBlocks;
        tiles.columns = base.n * columnBlocks;
        tiles.distribution.subgroups = subgroups;
        if (columnBlocks <= blocks)
          cuts.push_back(tiles);
      }
  return cuts;
}

/// Cuts whose sums are spread over a grid of subgroups.
std::vector<ProductTiles> cutsInGrids(const ProductTiles &chosen) {
  const Distribution &base = chosen.distribution;
  std::vector<ProductTiles> cuts;
  for (int64_t rows : {64, 128, 256})
    for (int64_t columns : {64, 128, 256})
      for (int64_t down : {1, 2, 4})
        for (int64_t across : {1, 2, 4}) {
          ProductTiles tiles = chosen;
          tiles.rows = rows;
          tiles.columns = columns;
          tiles.distribution.subgroups = down * across;
          tiles.distribution.subgroupRows = down;
          if (rows % (base.m * down) == 0 && columns % (base.n * across) == 0)
            cuts.push_back(tiles);
        }
  return cuts;
}

} // namespace

std::vector<ProductTiles> productCandidates(const Profile &profile,
                                            const ProductProblem &problem) {
  const ProductTiles chosen = chooseProductTiles(profile, problem);
  std::vector<ProductTiles> others;
  for (ProductTiles tiles :
       chosen.stageWeights ? cutsInGrids(chosen) : cutsInTurn(problem, chosen))
    for (int64_t depth : {16, 32, 64, 128}) {
      tiles.depth = depth;
      if (depth % tiles.distribution.k == 0 && tiles != chosen &&
          fits(profile, problem, tiles))
        others.push_back(tiles);
    }
  std::ranges::stable_sort(
      others, [](const auto &a, const auto &b) { return reuse(a) > reuse(b); });
  others.insert(others.begin(), chosen);
  others.resize(std::min(others.size(), kMostCandidates));
  return others;
}

std::vector<RecurrenceTiles>
recurrenceCandidates(const Profile &profile, const RecurrenceProblem &problem,
                     Strategy strategy) {
  const RecurrenceTiles chosen =
      chooseRecurrenceTiles(profile, problem, strategy);
  const Distribution &base = chosen.distribution;
  std::vector<RecurrenceTiles> candidates = {chosen};
  if (strategy == Strategy::ResidentGrid) // What fills the device is given.
    return candidates;
  for (int64_t rowBlocks : {1, 2, 4})
    for (int64_t subgroups : subgroupCounts(chosen.columns / base.n))
      for (int64_t stages : {1, 2}) {
        RecurrenceTiles tiles = chosen;
        tiles.rows = base.m * rowBlocks;
        tiles.stages = stages;
        tiles.distribution.subgroups = subgroups;
        if (tiles != chosen &&
            checkTiles(profile, tiles.distribution, sharedBytes(tiles, problem),
                       problem.operand, problem.accumulate)
                .empty())
          candidates.push_back(tiles);
      }
  candidates.resize(std::min(candidates.size(), kMostCandidates));
  return candidates;
}

std::string nameOf(const ProductProblem &problem) {
  return concat("product ", toString(problem.operand), " ",
                toString(problem.accumulate), " ", problem.inner, "x",
                problem.columns);
}

std::string nameOf(const RecurrenceProblem &problem) {
  return concat("recurrence ", toString(problem.operand), " ",
                toString(problem.accumulate), " head ", problem.headWidth, ", ",
                problem.dots, " products in ", problem.phases, " phases",
                problem.inputWidth > 0
                    ? concat(", ", problem.inputWidth, " inputs")
                    : std::string());
}

} // namespace rung::tiling
