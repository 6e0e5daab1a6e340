//===- ProductTest.cpp - matrices times rows ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Product.h"

#include "runtime/reference/Rounding.h"
#include "tests/unit/support/ModelBuilder.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

using namespace rung;
using namespace rung::reference;

namespace {

std::vector<double> halves(size_t count, uint64_t seed) {
  std::vector<double> values;
  for (float value : test::randomNumbers(count, seed))
    values.push_back(roundTo(ScalarType::F16, value));
  return values;
}

TEST(Product, HasAnAccumulationForEachTripleOfTypes) {
  auto of = [](ScalarType row, ScalarType matrix, ScalarType result) {
    return accumulationOf(row, matrix, result).value();
  };
  using enum ScalarType;
  EXPECT_EQ(of(F32, F32, F32), Accumulation::Double);
  EXPECT_EQ(of(BF16, BF16, F32), Accumulation::Double);
  EXPECT_EQ(of(F16, F16, F32), Accumulation::Double);
  EXPECT_EQ(of(F16, F16, F16), Accumulation::Half);
  EXPECT_EQ(of(S8, S8, I32), Accumulation::Integer);
  EXPECT_EQ(accumulationOf(I32, S8, I32).status().message(),
            "there is no product of i32 and s8 to i32");
  EXPECT_EQ(accumulationOf(S8, S8, F32).status().message(),
            "there is no product of s8 and s8 to f32");
}

// Sums of f16 are rounded after each 16 products, and no oftener.
TEST(Product, RoundsHalfSumsBlockByBlock) {
  constexpr int64_t kHeads = 2, kOutputs = 11, kInputs = 39;
  std::vector<double> w = halves(kHeads * kOutputs * kInputs, 1);
  std::vector<double> x = halves(kHeads * kInputs, 2);
  HeadMatrices matrices(Accumulation::Half, ScalarType::F16, kHeads, kOutputs,
                        kInputs, w.data());
  std::vector<double> out(kHeads * kOutputs);
  matrices.multiply(0, kHeads, x.data(), out.data());
  for (int64_t head = 0; head < kHeads; ++head)
    for (int64_t o = 0; o < kOutputs; ++o) {
      double sum = 0;
      for (int64_t k = 0; k < kInputs; k += 16) {
        double block = 0;
        for (int64_t i = k; i < std::min(k + 16, kInputs); ++i)
          block +=
              w[(head * kOutputs + o) * kInputs + i] * x[head * kInputs + i];
        sum = roundTo(ScalarType::F16, sum + block);
      }
      EXPECT_EQ(out[head * kOutputs + o], sum);
    }
  std::vector<double> second(kOutputs);
  matrices.multiply(1, 1, x.data() + kInputs, second.data());
  for (int64_t o = 0; o < kOutputs; ++o)
    EXPECT_EQ(second[o], out[kOutputs + o]);
}

TEST(Product, OfOnesToHalfStallsWhereAnUlpIsTwoBlocks) {
  std::vector<double> ones(40000, 1.0);
  HeadMatrices line(Accumulation::Half, ScalarType::F16, 1, 1, 40000,
                    ones.data());
  double sum;
  line.multiply(0, 1, ones.data(), &sum);
  EXPECT_EQ(sum, 32768); // 16 is half of the ulp there, and a tie to even
}

TEST(Product, OfBytesIsExact) {
  std::mt19937 random(3);
  constexpr int64_t kOutputs = 5, kInputs = 70001;
  std::vector<double> w(kOutputs * kInputs), x(kInputs);
  auto byte = [&] { return double(static_cast<int8_t>(random())); };
  for (double &value : w)
    value = byte();
  for (double &value : x)
    value = byte();
  std::fill_n(w.begin(), kInputs, -128.0); // the largest sums
  HeadMatrices matrices(Accumulation::Integer, ScalarType::I32, 1, kOutputs,
                        kInputs, w.data());
  std::vector<double> out(kOutputs), low(kInputs, -128.0);
  matrices.multiply(0, 1, x.data(), out.data());
  for (int64_t o = 0; o < kOutputs; ++o) {
    int64_t sum = 0;
    for (int64_t k = 0; k < kInputs; ++k)
      sum += static_cast<int64_t>(w[o * kInputs + k] * x[k]);
    EXPECT_EQ(out[o], static_cast<double>(sum));
  }
  matrices.multiply(0, 1, low.data(), out.data());
  EXPECT_EQ(out[0], 128.0 * 128 * kInputs);
}

} // namespace
