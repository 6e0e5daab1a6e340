//===- IntegerScalarTest.cpp - integer functions against 128 bits ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/IntegerScalar.h"

#include "tests/unit/passes/lowering/Folded.h"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

using namespace rung;
using namespace rung::test;

namespace {

constexpr int32_t kLowest = std::numeric_limits<int32_t>::min();
constexpr int32_t kHighest = std::numeric_limits<int32_t>::max();

/// Numbers at which sums and products change their number of bits, and others.
std::vector<int32_t> adversarial(size_t others, unsigned seed) {
  std::vector<int32_t> numbers{kLowest, kLowest + 1, kHighest,  kHighest - 1,
                               0,       1,           -1,        3,
                               -3,      65536,       -65536,    32767,
                               -32768,  1 << 30,     -(1 << 30)};
  std::mt19937 engine(seed);
  for (size_t i = 0; i < others; ++i)
    numbers.push_back(int32_t(engine()) >> (engine() % 31));
  return numbers;
}

/// floor((value * factor + 2^(shift-1)) / 2^shift), its low 32 bits.
int32_t requantized(int64_t value, int64_t factor, int shift) {
  __int128 sum = __int128(value) * factor + (__int128(1) << (shift - 1));
  __int128 unit = __int128(1) << shift;
  __int128 quotient = sum / unit - (sum % unit < 0);
  return int32_t(uint32_t(quotient));
}

TEST(IntegerScalar, RequantizesAsDefinedForEveryShift) {
  Folded folded;
  auto numbers = adversarial(6, 1);
  for (int shift = 1; shift <= 62; ++shift) {
    for (int32_t value : numbers)
      for (int32_t factor : numbers) {
        mlir::Value result = emitRequantize(folded.b(), folded.i32(value),
                                            folded.i32(factor), shift);
        ASSERT_EQ(folded.integer(result), requantized(value, factor, shift))
            << value << " * " << factor << " >> " << shift;
      }
    folded.clear();
  }
}

TEST(IntegerScalar, RequantizesTiesUpwards) {
  Folded folded;
  for (int value = -4; value <= 4; ++value) {
    auto at = [&](int shift, int factor) {
      return folded.integer(emitRequantize(folded.b(), folded.i32(value),
                                           folded.i32(factor), shift));
    };
    // value / 2 with halves going up, below 32 bits and above.
    int32_t expected = (value + 1) >> 1;
    EXPECT_EQ(at(1, 1), expected);
    EXPECT_EQ(at(31, 1 << 30), expected);
    EXPECT_EQ(at(20, 1 << 19), expected);
  }
}

TEST(IntegerScalar, PiecewiseTakesThePieceOfEachInput) {
  Folded folded;
  std::mt19937 engine(3);
  for (size_t pieces : {1u, 2u, 3u, 8u, 16u, 31u, 64u}) {
    std::vector<int32_t> knots, slopes, offsets;
    for (size_t i = 0; i < pieces; ++i) {
      slopes.push_back(int32_t(engine()));
      offsets.push_back(int32_t(engine()));
    }
    for (size_t i = 1; i < pieces; ++i)
      knots.push_back(int32_t(engine()));
    if (pieces > 3) // The ends of the range may be knots too.
      knots[0] = kLowest, knots[1] = kHighest;
    std::sort(knots.begin(), knots.end());
    auto inputs = adversarial(20, 4);
    for (int32_t knot : knots)
      for (int64_t x : {int64_t(knot) - 1, int64_t(knot), int64_t(knot) + 1})
        if (x == int32_t(x))
          inputs.push_back(int32_t(x));
    for (int32_t x : inputs) {
      auto past = std::upper_bound(knots.begin(), knots.end(), x);
      size_t piece = past - knots.begin();
      uint32_t expected = uint32_t(offsets[piece]) +
                          uint32_t(requantized(x, slopes[piece], 31));
      mlir::Value result =
          emitPiecewise(folded.b(), folded.i32(x), knots, slopes, offsets, 31);
      ASSERT_EQ(folded.integer(result), int32_t(expected))
          << pieces << " pieces at " << x;
    }
    folded.clear();
  }
}

TEST(IntegerScalar, PiecewiseCostsThreeOperationsAPiece) {
  Folded folded;
  auto &b = folded.b();
  mlir::Value x =
      b.getInsertionBlock()->addArgument(b.getI32Type(), b.getLoc());
  std::vector<int32_t> knots, slopes, offsets;
  for (int i = 0; i < 64; ++i) {
    slopes.push_back(100 + i), offsets.push_back(1000 + i);
    if (i > 0)
      knots.push_back(10 * i);
  }
  emitPiecewise(b, x, knots, slopes, offsets, 16);
  auto count = [&](auto matches) {
    return llvm::count_if(*b.getInsertionBlock(), matches);
  };
  EXPECT_EQ(count([](mlir::Operation &op) {
              return mlir::isa<mlir::arith::CmpIOp>(op);
            }),
            6);
  EXPECT_LE(count([](mlir::Operation &op) {
              return !mlir::isa<mlir::arith::ConstantOp>(op);
            }),
            3 * 64 + 8);
  b.getInsertionBlock()->clear();
  b.getInsertionBlock()->eraseArguments(0, 1);
}

TEST(IntegerScalar, LooksUpWithAndWithoutInterpolation) {
  Folded folded;
  std::mt19937 engine(5);
  for (auto [intervals, low, shift] :
       {std::tuple{256, -32768, 8}, std::tuple{3, 7, 1},
        std::tuple{1, kHighest - 1, 4}, std::tuple{256, kLowest, 23},
        std::tuple{5, -40, 0}})
    for (bool interpolate : {false, true}) {
      if (interpolate && shift == 0)
        continue;
      std::vector<int32_t> table;
      for (int i = 0; i < intervals + interpolate; ++i)
        table.push_back(int32_t(engine()));
      auto inputs = adversarial(20, 6);
      for (int64_t step = -1; step <= intervals; ++step)
        for (int64_t off : {-1, 0, 1})
          inputs.push_back(int32_t(std::clamp<int64_t>(
              low + (step << shift) + off, kLowest, kHighest)));
      for (int32_t x : inputs) {
        int64_t u = std::clamp<int64_t>(int64_t(x) - low, 0,
                                        (int64_t(intervals) << shift) - 1);
        int64_t entry = u >> shift, rest = u & ((int64_t(1) << shift) - 1);
        int32_t expected = table[entry];
        if (interpolate)
          expected = int32_t(
              uint32_t(expected) +
              uint32_t(requantized(int64_t(table[entry + 1]) - table[entry],
                                   rest, shift)));
        mlir::Value result =
            emitLookup(folded.b(), folded.i32(x), {intervals, low, shift},
                       interpolate, [&](mlir::Value index) {
                         EXPECT_TRUE(index.getType().isIndex());
                         return folded.i32(table.at(folded.integer(index)));
                       });
        ASSERT_EQ(folded.integer(result), expected)
            << "at " << x << " of " << intervals << " from " << low;
        folded.clear();
      }
    }
}

} // namespace
