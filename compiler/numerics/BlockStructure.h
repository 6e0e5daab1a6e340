//===- BlockStructure.h - diagonal blocks of a matrix -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_NUMERICS_BLOCKSTRUCTURE_H
#define RUNG_COMPILER_NUMERICS_BLOCKSTRUCTURE_H

#include <cstdint>
#include <span>

namespace rung::numerics {

/// Squares of a matrix's elements: of all, and of those in no diagonal block.
struct BlockEnergy {
  double total = 0, outside = 0;

  /// What part of the energy lies outside the blocks; 0 of a matrix of zeros.
  double share() const { return total == 0 ? 0 : outside / total; }
  BlockEnergy &operator+=(const BlockEnergy &other) {
    total += other.total;
    outside += other.outside;
    return *this;
  }
};

/// The energy (squared Frobenius norm) of a row-major square matrix of
/// \p width and of what lies outside its \p blocks equal diagonal blocks.
/// \p blocks divides \p width.
BlockEnergy blockEnergy(std::span<const float> matrix, int64_t width,
                        int64_t blocks);

/// Whether nothing but zeros lies outside \p blocks equal diagonal blocks.
bool isBlockDiagonal(std::span<const float> matrix, int64_t width,
                     int64_t blocks);

} // namespace rung::numerics

#endif // RUNG_COMPILER_NUMERICS_BLOCKSTRUCTURE_H
