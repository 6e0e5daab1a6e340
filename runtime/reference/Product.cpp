//===- Product.cpp - matrices times rows ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Product.h"

#include "runtime/base/Text.h"
#include "runtime/reference/Integer.h"
#include "runtime/reference/Rounding.h"

#include <algorithm>

namespace rung::reference {

namespace {

constexpr int64_t kBlock = 16; ///< products between two roundings of a sum
constexpr int64_t kSums = 8;   ///< sums that are made side by side

/// Exact: at most 2^16 products of 16 bits at a time fit an i32 sum.
int32_t dotIntegers(const int16_t *a, const int16_t *b, int64_t length) {
  constexpr int64_t kPart = int64_t(1) << 16;
  uint32_t sum = 0;
  for (int64_t begin = 0; begin < length; begin += kPart) {
    int64_t end = std::min(begin + kPart, length);
    int32_t part = 0;
    for (int64_t i = begin; i < end; ++i)
      part += a[i] * b[i];
    sum += static_cast<uint32_t>(part);
  }
  return static_cast<int32_t>(sum);
}

std::vector<int16_t> toBytes(const double *values, int64_t count) {
  std::vector<int16_t> result(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    result[i] = static_cast<int8_t>(toInt32(values[i]));
  return result;
}

} // namespace

Result<Accumulation> accumulationOf(ScalarType row, ScalarType matrix,
                                    ScalarType result) {
  if (row == ScalarType::S8 && matrix == ScalarType::S8 &&
      result == ScalarType::I32)
    return Accumulation::Integer;
  if (!isFloat(row) || !isFloat(matrix) || !isFloat(result))
    return Status(StatusCode::InvalidData,
                  concat("there is no product of ", toString(row), " and ",
                         toString(matrix), " to ", toString(result)));
  return result == ScalarType::F16 ? Accumulation::Half : Accumulation::Double;
}

HeadMatrices::HeadMatrices(Accumulation accumulation, ScalarType result,
                           int64_t heads, int64_t outputs, int64_t inputs,
                           const double *values)
    : accumulation_(accumulation), result_(result), heads_(heads),
      outputs_(outputs), inputs_(inputs) {
  int64_t size = outputs * inputs;
  switch (accumulation) {
  case Accumulation::Double:
    values_.assign(values, values + heads * size);
    break;
  case Accumulation::Half:
    values_.resize(static_cast<size_t>(heads * size));
    for (int64_t head = 0; head < heads; ++head)
      for (int64_t o = 0; o < outputs; ++o)
        for (int64_t k = 0; k < inputs; ++k)
          values_[head * size + k * outputs + o] =
              values[head * size + o * inputs + k];
    break;
  case Accumulation::Integer:
    integers_ = toBytes(values, heads * size);
    break;
  }
}

void HeadMatrices::multiplyDouble(int64_t head, const double *row,
                                  double *out) const {
  const double *line = values_.data() + head * outputs_ * inputs_;
  for (int64_t o = 0; o < outputs_; ++o, line += inputs_)
    out[o] = dot(line, row, inputs_);
}

void HeadMatrices::multiplyHalf(int64_t head, const double *row,
                                double *out) const {
  const double *matrix = values_.data() + head * outputs_ * inputs_;
  for (int64_t o = 0; o < outputs_; o += kSums) {
    int64_t width = std::min(kSums, outputs_ - o);
    double sums[kSums] = {};
    for (int64_t k = 0; k < inputs_; k += kBlock) {
      double block[kSums] = {};
      int64_t end = std::min(k + kBlock, inputs_);
      if (width == kSums)
        for (int64_t i = k; i < end; ++i)
          for (int64_t j = 0; j < kSums; ++j)
            block[j] += matrix[i * outputs_ + o + j] * row[i];
      else
        for (int64_t i = k; i < end; ++i)
          for (int64_t j = 0; j < width; ++j)
            block[j] += matrix[i * outputs_ + o + j] * row[i];
      for (int64_t j = 0; j < kSums; ++j)
        sums[j] += block[j];
      roundAllTo(ScalarType::F16, sums, kSums);
    }
    std::copy_n(sums, width, out + o);
  }
}

void HeadMatrices::multiplyInteger(int64_t head, const double *row,
                                   double *out) const {
  std::vector<int16_t> bytes = toBytes(row, inputs_);
  const int16_t *line = integers_.data() + head * outputs_ * inputs_;
  for (int64_t o = 0; o < outputs_; ++o, line += inputs_)
    out[o] = dotIntegers(line, bytes.data(), inputs_);
}

void HeadMatrices::multiply(int64_t first, int64_t count, const double *row,
                            double *out) const {
  for (int64_t i = 0; i < count; ++i) {
    const double *from = row + i * inputs_;
    double *to = out + i * outputs_;
    switch (accumulation_) {
    case Accumulation::Double:
      multiplyDouble(first + i, from, to);
      break;
    case Accumulation::Half:
      multiplyHalf(first + i, from, to);
      break;
    case Accumulation::Integer:
      multiplyInteger(first + i, from, to);
      break;
    }
  }
  if (accumulation_ == Accumulation::Double)
    roundResults(result_, F32::Real, out, count * outputs_);
}

} // namespace rung::reference
