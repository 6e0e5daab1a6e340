//===- SpectralNorm.cpp - the largest singular value ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/SpectralNorm.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace rung::numerics {

namespace {
using Vector = std::vector<double>;
} // namespace

/// Numbers in [-1, 1) from a fixed seed (SplitMix64).
static Vector startVector(size_t size) {
  Vector vector(size);
  uint64_t state = 0;
  for (double &element : vector) {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    element = double(int64_t(z)) * 0x1p-63;
  }
  return vector;
}

static double lengthOf(const Vector &vector) {
  double largest = 0, sum = 0;
  for (double element : vector)
    largest = std::fmax(largest, std::fabs(element));
  if (largest == 0 || !std::isfinite(largest))
    return largest;
  for (double element : vector)
    sum += (element / largest) * (element / largest);
  return largest * std::sqrt(sum);
}

/// M'M v; \p image becomes M v.
static Vector applyTwice(std::span<const float> matrix, size_t rows,
                         const Vector &v, Vector &image) {
  size_t columns = v.size();
  Vector result(columns, 0.0);
  for (size_t i = 0; i < rows; ++i) {
    const float *row = matrix.data() + i * columns;
    double sum = 0;
    for (size_t j = 0; j < columns; ++j)
      sum += row[j] * v[j];
    image[i] = sum;
    for (size_t j = 0; j < columns; ++j)
      result[j] += row[j] * sum;
  }
  return result;
}

SpectralNorm spectralNorm(std::span<const float> matrix, size_t rows,
                          size_t columns, const SpectralNormOptions &options) {
  SpectralNorm result;
  for (float element : matrix)
    if (!std::isfinite(element)) {
      result.norm = std::fabs(double(element));
      return result;
    }
  Vector v = startVector(columns), image(rows);
  double length = lengthOf(v);
  for (double &element : v)
    element /= length;
  while (result.iterations < options.maxIterations) {
    Vector next = applyTwice(matrix, rows, v, image);
    ++result.iterations;
    result.norm = lengthOf(image);
    double square = result.norm * result.norm, growth = lengthOf(next);
    Vector residual = next;
    for (size_t j = 0; j < columns; ++j)
      residual[j] -= square * v[j];
    result.converged = lengthOf(residual) <= options.tolerance * square;
    if (result.converged || growth == 0)
      break;
    for (size_t j = 0; j < columns; ++j)
      v[j] = next[j] / growth;
  }
  return result;
}

} // namespace rung::numerics
