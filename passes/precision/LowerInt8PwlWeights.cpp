//===- LowerInt8PwlWeights.cpp - weights in integers ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/LowerInt8PwlWeights.h"

#include "compiler/numerics/Requantize.h"
#include "passes/precision/LowerInt8PwlFixed.h"
#include "passes/precision/WeightValues.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace rung::rnn;

namespace rung::int8 {

// Leaves room for the difference of two grids within the shifts that there
// are; a row whose weights are all below 1e-3 has fewer than 32 bits of factor.
static constexpr int kMostFactorBits = 44;

FailureOr<WeightOp> IntegerWeights::find(Operation *user, Value value) {
  WeightOp weight = loadedWeight(value);
  if (!weight)
    return user->emitOpError("has an operand that is not an rnn.weight; int8 "
                             "needs the numbers of every weight");
  return weight;
}

void IntegerWeights::setOwn(WeightOp original, std::vector<float> values) {
  if (original->hasAttr("rung.own"))
    return;
  WeightOp own = createWeight(module_, original.getLoc(),
                              (original.getSymName() + ".own").str(),
                              original.getType().getShape(), std::move(values));
  original->setAttr("rung.own", FlatSymbolRefAttr::get(own.getSymNameAttr()));
}

namespace {
/// A matrix of floats as rows of bytes with a scale each.
struct Rows {
  std::vector<int8_t> bytes;
  std::vector<double> scales;
  std::vector<int32_t> sums; ///< Of each row's bytes.
  double largest = 0;        ///< The largest sum of magnitudes of a row.
};
} // namespace

static Rows quantizeRows(ArrayRef<float> values, int64_t depth) {
  Rows result;
  for (size_t first = 0; first < values.size(); first += depth) {
    ArrayRef<float> row = values.slice(first, depth);
    double most = 0, sum = 0;
    for (float value : row)
      most = std::max(most, std::abs(double(value)));
    double scale = most / 127;
    int32_t bytes = 0;
    for (float value : row) {
      int32_t byte = scale > 0 ? numerics::roundToGrid(value / scale, 127) : 0;
      result.bytes.push_back(int8_t(byte));
      bytes += byte;
      sum += std::abs(byte) * scale;
    }
    result.scales.push_back(scale);
    result.sums.push_back(bytes);
    result.largest = std::max(result.largest, sum);
  }
  return result;
}

/// \p rows in the order in which a product leaves its results.
template <typename T>
static std::vector<T> inOrderOfResults(std::vector<T> rows,
                                       RankedTensorType type) {
  if (type.getRank() != 3)
    return rows;
  int64_t heads = type.getDimSize(0), perHead = type.getDimSize(1),
          block = type.getDimSize(2);
  if (perHead % block != 0)
    return rows; // No product takes a block of it.
  std::vector<T> result;
  for (int64_t first = 0; first < perHead; first += block)
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t row = 0; row < block; ++row)
        result.push_back(rows[head * perHead + first + row]);
  return result;
}

FailureOr<ByteMatrix> IntegerWeights::matrix(Operation *user, Value value) {
  FailureOr<WeightOp> original = find(user, value);
  if (failed(original))
    return failure();
  if (auto known = matrices_.find(*original); known != matrices_.end())
    return known->second;
  FailureOr<std::vector<float>> values = readWeight(*original);
  if (failed(values))
    return failure();
  for (float number : *values)
    if (!std::isfinite(number))
      return original->emitOpError("holds ")
             << number << "; int8 needs finite weights";

  RankedTensorType type = original->getType();
  ByteMatrix result;
  result.depth = type.getShape().back();
  Rows rows = quantizeRows(*values, result.depth);
  numerics::Scaling scaling =
      numerics::chooseScaling(rows.scales, kMostFactorBits);
  result.shift = scaling.shift;
  result.largestRow = rows.largest;

  std::vector<float> own;
  for (size_t i = 0; i < rows.bytes.size(); ++i)
    own.push_back(float(
        std::ldexp(double(rows.bytes[i]) * scaling.factors[i / result.depth],
                   -scaling.shift)));
  setOwn(*original, std::move(own));

  for (int32_t &sum : rows.sums)
    sum *= 128;
  std::string name = original->getSymName().str();
  Location location = original->getLoc();
  int64_t count = rows.sums.size();
  result.bytes = createWeight(module_, location, name + ".s8", type.getShape(),
                              std::move(rows.bytes));
  result.factors =
      createWeight(module_, location, name + ".factors", {count},
                   inOrderOfResults(std::move(scaling.factors), type));
  result.corrections =
      createWeight(module_, location, name + ".corrections", {count},
                   inOrderOfResults(std::move(rows.sums), type));
  matrices_[*original] = result;
  return result;
}

FailureOr<FixedRow> IntegerWeights::row(Operation *user, Value value, int bits,
                                        int64_t largest) {
  FailureOr<WeightOp> original = find(user, value);
  if (failed(original))
    return failure();
  FailureOr<std::vector<float>> values = readWeight(*original);
  if (failed(values))
    return failure();
  double magnitude = 0;
  for (float number : *values) {
    if (!std::isfinite(number))
      return original->emitOpError("holds ")
             << number << "; int8 needs finite weights";
    magnitude = std::max(magnitude, std::abs(double(number)));
  }
  FixedRow result;
  result.bits = finestBits(magnitude, largest, bits);
  auto [known, isNew] = rows_.insert({{*original, result.bits}, result});
  if (!isNew)
    return known->second;

  std::vector<int32_t> integers;
  std::vector<float> own;
  for (float number : *values) {
    int32_t integer =
        numerics::roundToGrid(std::ldexp(double(number), result.bits));
    integers.push_back(integer);
    own.push_back(float(std::ldexp(double(integer), -result.bits)));
    result.low = std::min<int64_t>(result.low, integer);
    result.high = std::max<int64_t>(result.high, integer);
  }
  setOwn(*original, std::move(own));
  result.weight = createWeight(
      module_, original->getLoc(), (original->getSymName() + ".s32").str(),
      original->getType().getShape(), std::move(integers));
  return known->second = result;
}

WeightOp IntegerWeights::table(Location location, StringRef name,
                               std::vector<int32_t> entries) {
  int64_t count = entries.size();
  return createWeight(module_, location, name, {count}, std::move(entries));
}

} // namespace rung::int8
