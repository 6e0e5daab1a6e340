//===- BlockStructure.cpp - diagonal blocks of a matrix -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/BlockStructure.h"

namespace rung::numerics {

BlockEnergy blockEnergy(std::span<const float> matrix, int64_t width,
                        int64_t blocks) {
  BlockEnergy energy;
  int64_t size = width / blocks;
  for (int64_t i = 0; i < width; ++i)
    for (int64_t j = 0; j < width; ++j) {
      double square = double(matrix[i * width + j]) * matrix[i * width + j];
      energy.total += square;
      if (i / size != j / size)
        energy.outside += square;
    }
  return energy;
}

bool isBlockDiagonal(std::span<const float> matrix, int64_t width,
                     int64_t blocks) {
  int64_t size = width / blocks;
  for (int64_t i = 0; i < width; ++i)
    for (int64_t j = 0; j < width; ++j)
      if (i / size != j / size && matrix[i * width + j] != 0)
        return false;
  return true;
}

} // namespace rung::numerics
