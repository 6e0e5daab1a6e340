//===- LowerInt8PwlAround.cpp - layers around the cells in integers ------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/Requantize.h"
#include "passes/precision/LowerInt8PwlGraph.h"
#include "passes/precision/WeightValues.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace rung::rnn;

namespace rung::int8 {

// rnn.integer_rms_norm squares numbers of 16 bits; embeddings have as many.
static constexpr int64_t kNormLimit = INT16_MAX;

LogicalResult GraphLowering::lower(EmbeddingOp op) {
  FailureOr<FixedRow> table =
      weights_.row(op, op.getTable(), kCandidateBits, kNormLimit);
  if (failed(table))
    return failure();
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op.getType()).clone(builder.getI32Type());
  Value rows = loadWeight(builder, table->weight);
  Value result =
      EmbeddingOp::create(builder, op.getLoc(), type, op.getIds(), rows);
  replace(builder, op.getResult(),
          {result, table->bits, table->low, table->high, {}});
  op.erase();
  return success();
}

LogicalResult GraphLowering::lower(RmsNormOp op) {
  Fixed input = formOf(op.getInput());
  WeightOp scale = loadedWeight(op.getScale());
  if (!input.value || !scale)
    return success();
  FailureOr<std::vector<float>> scales = readWeight(scale);
  if (failed(scales))
    return failure();
  OpBuilder builder(op);
  int inputBits = finestBits(input.magnitude(), kNormLimit + 1, input.bits);
  if (inputBits != input.bits)
    input = moveToGrid(builder, op.getLoc(), input, inputBits, kNormLimit);

  // z = 2^p * sqrt(N / 2^k) * x / rms; see rnn.integer_rms_norm.
  int64_t width = int64_t(scales->size());
  int k = std::max(0, int(llvm::Log2_64_Ceil(width)) - 1);
  int p = 14 - (k + 1) / 2;
  double meanToSum = std::ldexp(double(width), -k), largest = 0;
  for (float value : *scales) {
    if (!std::isfinite(value))
      return op.emitOpError("has a scale that is not finite; int8 needs finite "
                            "weights");
    largest = std::max(largest, std::abs(double(value)));
  }
  int bits = finestBits(std::max(largest, 1e-6) * std::sqrt(double(width)),
                        kLargest / 2, kArgumentBits);
  std::vector<double> ratios;
  for (float value : *scales)
    ratios.push_back(std::ldexp(value * std::sqrt(meanToSum), bits - p));
  numerics::Scaling scaling = numerics::chooseScaling(ratios);
  double epsilon =
      std::ldexp(op.getEpsilon().convertToDouble() * meanToSum, 2 * inputBits);
  WeightOp factors =
      weights_.table(op.getLoc(), (scale.getSymName() + ".factors").str(),
                     std::move(scaling.factors));
  Value result =
      IntegerRmsNormOp::create(builder, op.getLoc(), input.value.getType(),
                               input.value, loadWeight(builder, factors),
                               numerics::roundToGrid(epsilon), scaling.shift);
  auto most = int64_t(
      std::ceil(std::ldexp(1.01 * largest * std::sqrt(double(width)), bits)));
  replace(builder, op.getResult(), {result, bits, -most, most, {}});
  op.erase();
  return success();
}

void GraphLowering::lower(AddOp op) {
  Fixed a = formOf(op.getLhs()), b = formOf(op.getRhs());
  if (!a.value || !b.value)
    return;
  OpBuilder builder(op);
  replace(builder, op.getResult(), addFixed(builder, op.getLoc(), a, b));
  op.erase();
}

void GraphLowering::lower(ConcatOp op) {
  SmallVector<Fixed> forms;
  for (Value input : op.getInputs())
    forms.push_back(formOf(input));
  if (llvm::any_of(forms, [](const Fixed &form) { return !form.value; }))
    return;
  OpBuilder builder(op);
  Fixed result = forms.front();
  for (const Fixed &form : forms)
    result.bits = std::min(result.bits, form.bits);
  SmallVector<Value> inputs;
  result.low = result.high = 0;
  for (Fixed form : forms) {
    if (form.bits != result.bits)
      form = moveToGrid(builder, op.getLoc(), form, result.bits, kLargest);
    result.low = std::min(result.low, form.low);
    result.high = std::max(result.high, form.high);
    inputs.push_back(form.value);
  }
  auto type = cast<RankedTensorType>(op.getType()).clone(builder.getI32Type());
  result.value = ConcatOp::create(builder, op.getLoc(), type, inputs);
  replace(builder, op.getResult(), result);
  op.erase();
}

} // namespace rung::int8
