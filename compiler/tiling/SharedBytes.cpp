//===- SharedBytes.cpp - shared memory of kernels by their tiles ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/tiling/Distributions.h"

#include <algorithm>

namespace rung::tiling {

int64_t sharedPitch(int64_t columns, ScalarType element) {
  int64_t per16 = 16 / bytesOf(element);
  return roundUp(columns, per16) + per16;
}

int64_t gridSumPitch(int64_t columns, ScalarType accumulate) {
  int64_t bytes = bytesOf(accumulate);
  return columns * bytes < 64 ? roundUp(columns, 16 / bytes)
                              : sharedPitch(columns, accumulate);
}

int64_t gridStack(int64_t n, int64_t rows, int64_t stack) {
  return rows * stack == n ? stack : 1;
}

int64_t sharedBytes(const ProductTiles &tiles, ScalarType operand) {
  const Distribution &d = tiles.distribution;
  int64_t staged = tiles.rows + (tiles.stageWeights ? tiles.columns : 0);
  // Sums leave whole, or a block of each subgroup at a time.
  int64_t rows = tiles.stageWeights ? d.m * d.subgroupRows : tiles.rows;
  int64_t columns =
      tiles.stageWeights ? d.n * d.subgroupColumns() : tiles.columns;
  int64_t stages = tiles.stageWeights ? 1 : 2;
  return stages * staged * sharedPitch(tiles.depth, operand) *
             bytesOf(operand) +
         rows * sharedPitch(columns, ScalarType::F32) *
             bytesOf(ScalarType::F32);
}

bool borrowsStage(const RecurrenceTiles &tiles,
                  const RecurrenceProblem &problem) {
  return roundsAsMatrix(problem.operand, problem.accumulate) &&
         problem.outputs > 0 && !problem.wideOutputs && !problem.draws &&
         problem.headWidth % tiles.columns == 0;
}

int64_t sharedBytes(const RecurrenceTiles &tiles,
                    const RecurrenceProblem &problem) {
  auto block = [](int64_t rows, int64_t columns, ScalarType element) {
    return rows * sharedPitch(columns, element) * bytesOf(element);
  };
  ScalarType operand = problem.operand, accumulate = problem.accumulate;
  int64_t wide = block(tiles.rows, tiles.columns, accumulate);
  int64_t narrow = block(tiles.rows, tiles.columns, operand);
  int64_t fixed = block(2, tiles.rows, accumulate);
  if (problem.draws)
    fixed += block(tiles.rows, 3, ScalarType::I32);
  bool converts = !roundsAsMatrix(operand, accumulate);
  if (tiles.strategy == Strategy::ResidentGrid) {
    const Distribution &d = tiles.distribution;
    int64_t stack = gridStack(d.n, tiles.rows, problem.stack);
    return problem.operands * block(tiles.rows, tiles.depth, operand) +
           problem.phaseDots / stack * d.subgroups * d.n *
               gridSumPitch(tiles.columns, accumulate) * bytesOf(accumulate);
  }
  if (tiles.strategy == Strategy::Step) {
    int64_t a = block(2 * tiles.rows, tiles.depth, operand);
    return std::max<int64_t>(1, problem.phaseOperands) * a + wide +
           (operand == accumulate ? 0 : narrow) + fixed;
  }
  int64_t staged = converts ? std::max<int64_t>(1, problem.phaseOperands)
                            : !borrowsStage(tiles, problem);
  int64_t rows = tiles.group * tiles.rows;
  int64_t fetched =
      problem.slices * block(rows, tiles.columns, accumulate) +
      problem.inputs *
          block(rows, tiles.inputDepth(problem.inputWidth), operand);
  int64_t output = problem.wideOutputs
                       ? block(tiles.rows, tiles.columns, ScalarType::F32)
                       : wide;
  return tiles.stages * (output * problem.outputs + narrow * problem.operands) +
         fetched + wide * staged + fixed;
}

} // namespace rung::tiling
