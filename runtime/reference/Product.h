//===- Product.h - matrices times rows --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_PRODUCT_H
#define RUNG_RUNTIME_REFERENCE_PRODUCT_H

#include "runtime/base/ScalarType.h"
#include "runtime/reference/Tensor.h"

#include <cstdint>
#include <vector>

namespace rung::reference {

/// How the products of a row and a matrix's line are added.
enum class Accumulation {
  /// In double; f16 and bf16 results are rounded once.
  Double,
  /// To an f16 sum: 16 products are added to it in double, then it is rounded.
  Half,
  /// Products of s8, exactly, of which the low 32 bits are kept.
  Integer,
};

/// What products of operands of two types and results of a third do. Fails on
/// types that no product has.
Result<Accumulation> accumulationOf(ScalarType row, ScalarType matrix,
                                    ScalarType result);

/// One matrix a head, [heads, outputs, inputs], laid out for products.
class HeadMatrices {
public:
  HeadMatrices(Accumulation accumulation, ScalarType result, int64_t heads,
               int64_t outputs, int64_t inputs, const double *values);

  int64_t heads() const { return heads_; }
  int64_t outputs() const { return outputs_; }
  int64_t inputs() const { return inputs_; }

  /// The products of heads `first` .. `first + count - 1`; `row` and `out` are
  /// the parts of rows that belong to these heads.
  void multiply(int64_t first, int64_t count, const double *row,
                double *out) const;

private:
  void multiplyDouble(int64_t head, const double *row, double *out) const;
  void multiplyHalf(int64_t head, const double *row, double *out) const;
  void multiplyInteger(int64_t head, const double *row, double *out) const;

  Accumulation accumulation_;
  ScalarType result_;
  int64_t heads_, outputs_, inputs_;
  /// [heads, outputs, inputs]; for Half [heads, inputs, outputs], so that
  /// neighbours in memory are added to different sums.
  std::vector<double> values_;
  std::vector<int16_t> integers_; ///< [heads, outputs, inputs]
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_PRODUCT_H
