//===- Tiles.cpp - how a recurrence is cut --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/tiling/Distributions.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace rung::tiling {

namespace {

/// Bytes of recurrent weights that one thread keeps in registers: half of the
/// 255 registers that GPUs give a thread, the rest being sums and gates.
constexpr int64_t kResidentBytesPerThread = 512;

/// Subgroups of such a workgroup: as few threads as can have all the registers
/// of a compute unit.
constexpr int64_t kGridSubgroups = 8;

/// Bytes of registers that the threads of a workgroup share, and those of them
/// that a thread needs for all but weights.
constexpr int64_t kRegisterBytes = 256 * 1024;
constexpr int64_t kWorkingBytesPerThread = 320;

/// Subgroups of a resident workgroup: enough to hide each other's waits, and
/// each further one reads all operands once more.
constexpr int64_t kResidentSubgroups = 8;

/// Steps whose rows are fetched together, sharing one wait for memory.
constexpr int64_t kLargestGroup = 16;

/// Subgroups of devices for which code is cheap: the others are processors that
/// translate every kernel before they run it.
constexpr int64_t kWideSubgroup = 32;

/// The widest input whose product is worth a place in each step.
constexpr int64_t kWidestInput = 128;

/// Column blocks of one matrix that a thread of a plain kernel keeps: beyond
/// this, the gates of a step no longer fit its registers.
constexpr int64_t kPlainBlocksPerGroup = 2;

/// Elements of a block on its way from memory that one thread holds; each of
/// them is code of its own, and a kernel of few threads would drown in it.
constexpr int64_t kFlightElementsPerThread = 32;

/// Whether a thread's registers hold its part of a head's weights.
bool holdsWeights(const RecurrenceProblem &problem,
                  const RecurrenceTiles &tiles) {
  const Distribution &d = tiles.distribution;
  int64_t blocks = tiles.columns / d.n / d.subgroups;
  if (!d.cooperative)
    return blocks <= kPlainBlocksPerGroup;
  int64_t depth = problem.matrices * tiles.depth +
                  problem.inputMatrices * tiles.inputDepth(problem.inputWidth);
  int64_t weights =
      depth * d.n * blocks * bytesOf(problem.operand) / d.subgroupSize;
  return weights <=
         std::min(kResidentBytesPerThread,
                  kRegisterBytes / d.threads() - kWorkingBytesPerThread);
}

/// Deals a head's columns to subgroups, few where they hold the weights.
bool dealColumns(const Profile &profile, const RecurrenceProblem &problem,
                 RecurrenceTiles &tiles) {
  Distribution &d = tiles.distribution;
  int64_t blocks = tiles.columns / d.n;
  for (int64_t limit = d.cooperative ? kResidentSubgroups : blocks;;
       limit *= 2) {
    d.subgroups = chooseSubgroups(profile, d, blocks, limit);
    if (holdsWeights(problem, tiles))
      return true;
    if (limit >= blocks)
      return false;
  }
}

/// The most steps whose rows fit shared memory and, on their way there, the
/// registers of the threads; whole rows of 16 bytes take fewer instructions.
int64_t chooseGroup(const Profile &profile, const RecurrenceProblem &problem,
                    RecurrenceTiles tiles) {
  bool whole = (problem.slices == 0 || problem.headWidth % 4 == 0) &&
               problem.inputWidth % 4 == 0;
  int64_t limit =
      (whole ? 2 : 1) * kFlightElementsPerThread * tiles.distribution.threads();
  int64_t width = problem.slices * tiles.columns +
                  problem.inputs * tiles.inputDepth(problem.inputWidth);
  for (tiles.group = kLargestGroup; tiles.group > 1; --tiles.group)
    if (tiles.group * tiles.rows * width <= limit &&
        sharedBytes(tiles, problem) <= profile.sharedMemoryBytes)
      break;
  return tiles.group;
}

/// Tries to keep a head's weights and its whole loop in one workgroup.
bool fitResident(const Profile &profile, const RecurrenceProblem &problem,
                 RecurrenceTiles &tiles) {
  Distribution &d = tiles.distribution;
  tiles.strategy = Strategy::ResidentHead;
  // The operand's row is as wide in shared memory as the product is deep.
  tiles.columns = roundUp(problem.headWidth, std::max(d.n, d.k));
  tiles.depth = roundUp(problem.headWidth, d.k);
  if (problem.dots == 0) // Columns know nothing of each other.
    tiles.columns = std::min(tiles.columns, 4 * d.n);
  if (!dealColumns(profile, problem, tiles))
    return false;
  // Bodies in other formats than f32 are many times as long.
  tiles.twoLoops = d.cooperative && d.subgroupSize >= kWideSubgroup &&
                   problem.accumulate == ScalarType::F32;
  for (int64_t stages : {2, 1}) {
    tiles.stages = stages;
    if (sharedBytes(tiles, problem) > profile.sharedMemoryBytes)
      continue;
    tiles.group = chooseGroup(profile, problem, tiles);
    return true;
  }
  return false;
}

RecurrenceTiles stepTiles(const Profile &profile,
                          const RecurrenceProblem &problem,
                          const Distribution &distribution) {
  RecurrenceTiles tiles;
  tiles.strategy = Strategy::Step;
  tiles.distribution = distribution;
  tiles.stages = 1;
  Distribution &d = tiles.distribution;
  tiles.rows = d.m;
  int64_t blocks = roundUp(problem.headWidth, d.n) / d.n;
  // Many narrow workgroups: a step is short, and each reads its own weights.
  d.subgroups = chooseSubgroups(profile, d, blocks, d.cooperative ? 2 : 4);
  tiles.columns = d.n * d.subgroups;
  for (int64_t depth : {128, 64, 32, 16, 8, 4, 2, 1}) {
    tiles.depth = roundUp(depth, d.k);
    if (depth <= roundUp(problem.headWidth, d.k) &&
        tiles.rows * tiles.depth <= kFlightElementsPerThread * d.threads() &&
        sharedBytes(tiles, problem) <= profile.sharedMemoryBytes)
      break;
  }
  return tiles;
}

} // namespace

const CooperativeShape *findShape(const Profile &profile, ScalarType operand,
                                  ScalarType accumulate) {
  const CooperativeShape *best = nullptr;
  if (!profile.has(Feature::CooperativeMatrix) || profile.subgroupSize == 0)
    return nullptr;
  for (const CooperativeShape &shape : profile.cooperative) {
    if (shape.a != operand || shape.b != operand || shape.c != accumulate ||
        shape.d != accumulate)
      continue;
    if (uint64_t(shape.m) * shape.n % profile.subgroupSize != 0)
      continue;
    if (!best || shape.m * shape.n * shape.k > best->m * best->n * best->k)
      best = &shape;
  }
  return best;
}

/// The shape with the fewest columns, deepest product first: batch rows are the
/// columns of products that keep their weights on the left.
static const CooperativeShape *findNarrowShape(const Profile &profile,
                                               ScalarType operand,
                                               ScalarType accumulate) {
  const CooperativeShape *best = nullptr;
  for (const CooperativeShape &shape : profile.cooperative) {
    if (shape.a != operand || shape.b != operand || shape.c != accumulate ||
        shape.d != accumulate || profile.subgroupSize == 0 ||
        uint64_t(shape.m) * shape.n % profile.subgroupSize != 0)
      continue;
    if (!best || shape.n < best->n || (shape.n == best->n && shape.k > best->k))
      best = &shape;
  }
  return best;
}

/// Shapes that `profile` lists for the formats of \p problem and that deal
/// their elements evenly over a subgroup.
static std::vector<CooperativeShape>
shapesFor(const Profile &profile, const RecurrenceProblem &problem) {
  std::vector<CooperativeShape> shapes;
  if (!profile.has(Feature::CooperativeMatrix) || profile.subgroupSize == 0)
    return shapes;
  for (const CooperativeShape &shape : profile.cooperative)
    if (shape.a == problem.operand && shape.b == problem.operand &&
        shape.c == problem.accumulate && shape.d == problem.accumulate &&
        uint64_t(shape.m) * shape.n % profile.subgroupSize == 0)
      shapes.push_back(shape);
  return shapes;
}

/// Whether \p a is to be preferred to \p b: its threads compute the gates of
/// fewer elements; or of as many, and its workgroups have fewer rows, so that
/// one computes gates while another multiplies; or its products are larger.
static bool isBetter(const RecurrenceTiles &a, const RecurrenceTiles &b) {
  auto rank = [](const RecurrenceTiles &tiles) {
    const Distribution &d = tiles.distribution;
    return std::tuple(tiles.rows * tiles.columns / d.threads(), tiles.rows,
                      -d.m * d.n * d.k);
  };
  return rank(a) < rank(b);
}

/// \p shape as it stands, and with its rows and columns exchanged where those
/// differ.
static std::vector<Distribution> orientations(const Profile &profile,
                                              const CooperativeShape &shape) {
  std::vector<Distribution> all = {cooperativeDistribution(profile, shape)};
  if (shape.m == shape.n)
    return all;
  Distribution d = all.front();
  std::swap(d.m, d.n);
  d.transposed = true;
  all.push_back(d);
  return all;
}

/// The best resident tiles; says whether they fit.
static bool chooseResident(const Profile &profile,
                           const RecurrenceProblem &problem,
                           RecurrenceTiles &tiles) {
  bool fits = false;
  std::vector<CooperativeShape> shapes = shapesFor(profile, problem);
  if (!shapes.empty() && problem.dots > 0) {
    for (const CooperativeShape &shape : shapes)
      for (const Distribution &d : orientations(profile, shape)) {
        RecurrenceTiles candidate;
        candidate.distribution = d;
        candidate.rows = d.m;
        bool candidateFits = fitResident(profile, problem, candidate);
        if (tiles.rows == 0 || candidateFits > fits ||
            (candidateFits == fits && isBetter(candidate, tiles)))
          tiles = candidate, fits = candidateFits;
      }
    return fits;
  }
  for (int64_t rows : {4, 2, 1}) {
    tiles.distribution = plainDistribution(rows, problem.headWidth);
    tiles.rows = tiles.distribution.m;
    if (fitResident(profile, problem, tiles))
      return true;
  }
  return false;
}

/// The best tiles of all workgroups together; says whether they fit.
static bool chooseGrid(const Profile &profile, const RecurrenceProblem &problem,
                       RecurrenceTiles &tiles) {
  tiles.strategy = Strategy::ResidentGrid;
  tiles.stages = 1;
  const CooperativeShape *shape =
      findNarrowShape(profile, problem.operand, problem.accumulate);
  if (!shape || !profile.jointProgress || problem.dots == 0 || problem.draws ||
      problem.hasLengths || bytesOf(problem.operand) > 2)
    return false;
  Distribution &d = tiles.distribution;
  d = cooperativeDistribution(profile, *shape);
  int64_t depthBlocks = roundUp(problem.headWidth, d.k) / d.k;
  d.subgroups = chooseSubgroups(profile, d, depthBlocks, kGridSubgroups);
  tiles.depth = depthBlocks * d.k;
  tiles.columns = d.m;
  auto workgroups = [&] {
    return problem.heads * roundUp(problem.headWidth, tiles.columns) /
           tiles.columns;
  };
  while (workgroups() > profile.computeUnits &&
         tiles.columns < problem.headWidth)
    tiles.columns += d.m;
  int64_t weights = problem.matrices * tiles.columns * tiles.depth *
                    bytesOf(problem.operand) / d.threads();
  for (int64_t rows : {std::max<int64_t>(1, d.n / problem.stack), int64_t(1)}) {
    tiles.rows = rows;
    if (sharedBytes(tiles, problem) <= profile.sharedMemoryBytes)
      break;
  }
  return workgroups() <= profile.computeUnits &&
         weights <= kGridBytesPerThread &&
         sharedBytes(tiles, problem) <= profile.sharedMemoryBytes;
}

Strategy chooseStrategy(const Profile &profile,
                        const RecurrenceProblem &problem) {
  RecurrenceTiles tiles;
  if (chooseResident(profile, problem, tiles) || problem.dots == 0)
    return Strategy::ResidentHead;
  return chooseGrid(profile, problem, tiles) ? Strategy::ResidentGrid
                                             : Strategy::Step;
}

/// Whether products of inputs may be summed in f32 by the tiles' instruction.
static bool sumsWide(const Profile &profile, const RecurrenceProblem &problem,
                     const Distribution &d) {
  return profile.has(CooperativeShape{
      uint32_t(d.transposed ? d.n : d.m), uint32_t(d.transposed ? d.m : d.n),
      uint32_t(d.k), problem.operand, problem.operand, ScalarType::F32,
      ScalarType::F32});
}

bool fusesInput(const Profile &profile, const RecurrenceProblem &problem) {
  RecurrenceTiles tiles;
  return problem.inputWidth <= kWidestInput &&
         chooseResident(profile, problem, tiles) &&
         tiles.distribution.cooperative &&
         (!problem.wideInputs ||
          sumsWide(profile, problem, tiles.distribution)) &&
         // Every head reads the inputs: less than it would read of gates.
         tiles.inputDepth(problem.inputWidth) <=
             2 * problem.inputMatrices * tiles.columns;
}

RecurrenceTiles chooseRecurrenceTiles(const Profile &profile,
                                      const RecurrenceProblem &problem,
                                      Strategy strategy) {
  RecurrenceTiles tiles;
  if (strategy == Strategy::ResidentHead) {
    chooseResident(profile, problem, tiles);
    return tiles;
  }
  if (strategy == Strategy::ResidentGrid) {
    chooseGrid(profile, problem, tiles);
    return tiles;
  }
  const CooperativeShape *shape =
      findShape(profile, problem.operand, problem.accumulate);
  return stepTiles(profile, problem,
                   shape ? cooperativeDistribution(profile, *shape)
                         : plainDistribution(4, problem.headWidth));
}

std::string checkTiles(const Profile &profile, const Distribution &distribution,
                       int64_t sharedBytes, ScalarType operand,
                       ScalarType accumulate) {
  auto number = [](int64_t value) { return std::to_string(value); };
  if (distribution.threads() > profile.maxWorkgroupInvocations)
    return "workgroup of " + number(distribution.threads()) +
           " threads exceeds the " + number(profile.maxWorkgroupInvocations) +
           " of profile '" + profile.name + "'";
  if (sharedBytes > profile.sharedMemoryBytes)
    return "kernel needs " + number(sharedBytes) +
           " bytes of shared memory; profile '" + profile.name + "' has " +
           number(profile.sharedMemoryBytes);
  if (!distribution.cooperative)
    return {};
  bool swapped = distribution.transposed;
  CooperativeShape shape{uint32_t(swapped ? distribution.n : distribution.m),
                         uint32_t(swapped ? distribution.m : distribution.n),
                         uint32_t(distribution.k),
                         operand,
                         operand,
                         accumulate,
                         accumulate};
  if (!profile.has(shape))
    return "tile " + toString(shape) + " is not among the " +
           number(int64_t(profile.cooperative.size())) +
           " cooperative shapes of profile '" + profile.name + "'";
  if (distribution.subgroupSize != profile.subgroupSize)
    return "subgroups of " + number(distribution.subgroupSize) +
           " threads are not the " + number(profile.subgroupSize) +
           " of profile '" + profile.name + "'";
  return {};
}

} // namespace rung::tiling
