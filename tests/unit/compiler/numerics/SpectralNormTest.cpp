//===- SpectralNormTest.cpp - the largest singular value ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/SpectralNorm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace rung::numerics;

namespace {

std::vector<float> randomMatrix(size_t rows, size_t columns, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  std::vector<float> matrix(rows * columns);
  for (float &element : matrix)
    element = normal(engine);
  return matrix;
}

TEST(SpectralNorm, OfADiagonalIsItsLargest) {
  std::vector<float> matrix = {0.5f, 0, 0, 0, -3, 0, 0, 0, 2};
  SpectralNorm result = spectralNorm(matrix, 3, 3);
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.norm, 3, 3 * 5e-4);
  EXPECT_LE(result.norm, 3 + 1e-12);
}

TEST(SpectralNorm, OfOneRowIsItsLength) {
  std::vector<float> row = {3, 4, 12};
  EXPECT_NEAR(spectralNorm(row, 1, 3).norm, 13, 13 * 5e-4);
  EXPECT_NEAR(spectralNorm(row, 3, 1).norm, 13, 1e-12);
}

// A rotation has two equal singular values: any vector will do at once.
TEST(SpectralNorm, EqualValuesConvergeAtOnce) {
  float c = std::cos(0.3f), s = std::sin(0.3f);
  std::vector<float> matrix = {c, -s, s, c};
  SpectralNorm result = spectralNorm(matrix, 2, 2);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 1u);
  EXPECT_NEAR(result.norm, 1, 1e-6);
}

// Against a hundred times tighter iteration, which is a lower bound too.
TEST(SpectralNorm, ToleranceHoldsOnRandomMatrices) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    size_t rows = 8 + seed * 3, columns = 8 + (seed * 7) % 50;
    std::vector<float> matrix = randomMatrix(rows, columns, seed);
    SpectralNorm rough = spectralNorm(matrix, rows, columns);
    SpectralNorm fine = spectralNorm(matrix, rows, columns, {1e-7, 100000});
    EXPECT_TRUE(rough.converged) << seed;
    ASSERT_TRUE(fine.converged) << seed;
    EXPECT_LE(rough.norm, fine.norm * (1 + 1e-12)) << seed;
    EXPECT_NEAR(rough.norm, fine.norm, fine.norm * 1e-3) << seed;
  }
}

TEST(SpectralNorm, IsTheSameEveryTime) {
  std::vector<float> matrix = randomMatrix(64, 64, 1);
  EXPECT_EQ(spectralNorm(matrix, 64, 64).norm,
            spectralNorm(matrix, 64, 64).norm);
}

TEST(SpectralNorm, ScalesWithItsMatrix) {
  std::vector<float> matrix = randomMatrix(20, 20, 3);
  double before = spectralNorm(matrix, 20, 20).norm;
  for (float &element : matrix)
    element *= 0x1p-100f;
  EXPECT_DOUBLE_EQ(spectralNorm(matrix, 20, 20).norm, before * 0x1p-100);
}

TEST(SpectralNorm, ZerosAndNothingHaveNone) {
  std::vector<float> zeros(12, 0.0f);
  SpectralNorm result = spectralNorm(zeros, 3, 4);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.norm, 0);
  EXPECT_EQ(spectralNorm({}, 0, 0).norm, 0);
}

TEST(SpectralNorm, SaysWhenItStopsShort) {
  std::vector<float> matrix = randomMatrix(64, 64, 1);
  SpectralNorm result = spectralNorm(matrix, 64, 64, {1e-6, 3});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 3u);
}

TEST(SpectralNorm, IsNotOfInfinities) {
  std::vector<float> matrix(4, 1.0f);
  matrix[2] = -std::numeric_limits<float>::infinity();
  SpectralNorm result = spectralNorm(matrix, 2, 2);
  EXPECT_FALSE(result.converged);
  EXPECT_TRUE(std::isinf(result.norm));
  matrix[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(spectralNorm(matrix, 2, 2).norm));
}

} // namespace
