//===- GraphCasts.cpp - casts of graph values, once each -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/GraphCasts.h"

#include "passes/precision/WeightValues.h"

#include "mlir/IR/DialectResourceBlobManager.h"

#include <algorithm>
#include <cmath>
#include <format>

using namespace mlir;
using namespace rung::rnn;

namespace rung {

RankedTensorType withElement(Value value, Type element) {
  return cast<RankedTensorType>(value.getType()).clone(element);
}

bool hasElement(Value value, Type element) {
  return cast<RankedTensorType>(value.getType()).getElementType() == element;
}

Value GraphCasts::get(Value value, FloatType element) {
  if (hasElement(value, element))
    return value;
  // Every number of a narrow format is one of f32.
  auto widened = value.getDefiningOp<CastOp>();
  if (widened && widened.getType().getElementType().isF32() &&
      hasElement(widened.getInput(), element))
    return widened.getInput();
  Value &result = casts_[{value, element}];
  if (!result) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    result = CastOp::create(builder, value.getLoc(),
                            withElement(value, element), value);
  }
  return result;
}

static StringRef nameOf(FloatType element) {
  return stringifyFormat(element.isF16()    ? Format::F16
                         : element.isBF16() ? Format::BF16
                                            : Format::F32);
}

/// Says where a weight has numbers that f16 has not.
static void warnOfOverflow(WeightOp weight) {
  constexpr double kFirstInfinite = 65520; // what rounds past 65504
  auto resource = dyn_cast<DenseResourceElementsAttr>(weight.getValue());
  if (resource && !resource.getRawHandle().getBlob())
    return; // text without its numbers
  FailureOr<std::vector<float>> values = readWeight(weight);
  if (failed(values))
    return;
  double largest = 0;
  for (float value : *values)
    largest = std::max(largest, std::abs(double(value)));
  if (largest >= kFirstInfinite)
    weight.emitWarning("weight '")
        << weight.getSymName() << "' reaches " << std::format("{:g}", largest)
        << ", which f16 makes infinite; it ends at 65504";
}

Value GraphCasts::getWeight(Value value, FloatType element) {
  Value result = get(value, element);
  WeightOp weight = result == value ? WeightOp() : loadedWeight(value);
  // Two layers may round one weight differently; the first one's stands.
  if (weight && !weight->hasAttr(kOwnFormatAttr)) {
    weight->setAttr(kOwnFormatAttr,
                    StringAttr::get(value.getContext(), nameOf(element)));
    if (element.isF16())
      warnOfOverflow(weight);
  }
  return result;
}

} // namespace rung
