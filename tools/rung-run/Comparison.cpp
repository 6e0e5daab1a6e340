//===- Comparison.cpp - how far an output is from what it should be -------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Comparison.h"

#include "runtime/base/Text.h"

#include <cmath>
#include <utility>

namespace rung::tools {
namespace {

std::vector<uint64_t> unflatten(uint64_t flat,
                                const std::vector<uint64_t> &shape) {
  std::vector<uint64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index;
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

std::string describe(const Comparison::Element &element) {
  return concat("[", joined(element.index), "]: got ", element.got,
                ", expected ", element.expected);
}

} // namespace

Comparison compare(std::string output, const Tensor &got,
                   const Tensor &expected, Tolerance tolerance) {
  Comparison result;
  result.output = std::move(output);
  result.gotType = rung::toString(got);
  result.expectedType = rung::toString(expected);
  result.shapesAgree = got.shape == expected.shape;
  if (!result.shapesAgree)
    return result;
  result.elements = got.elementCount();
  double sum = 0;
  for (uint64_t i = 0; i < result.elements; ++i) {
    double g = toDouble(got, i), e = toDouble(expected, i);
    if (same(g, e))
      continue;
    double error = std::abs(g - e);
    sum += error;
    // The negations make a NaN the largest error and always bad.
    if (!(error <= result.maxAbsolute)) {
      result.maxAbsolute = error;
      result.worst = {unflatten(i, got.shape), g, e};
    }
    if (e != 0 && !(error / std::abs(e) <= result.maxRelative))
      result.maxRelative = error / std::abs(e);
    if (!(error <= tolerance.absolute + tolerance.relative * std::abs(e)) ||
        std::isinf(e)) {
      if (result.bad++ == 0)
        result.firstBad = {unflatten(i, got.shape), g, e};
    }
  }
  if (result.elements != 0)
    result.meanAbsolute = sum / static_cast<double>(result.elements);
  return result;
}

std::string toString(const Comparison &c) {
  std::string verdict = c.passed() ? "ok" : "FAILED";
  if (!c.shapesAgree)
    return concat(c.output, ": ", verdict, ", got ", c.gotType, ", expected ",
                  c.expectedType);
  std::string text =
      concat(c.output, ": ", verdict, ", max abs ", c.maxAbsolute, ", max rel ",
             c.maxRelative, ", mean abs ", c.meanAbsolute);
  if (c.firstBad)
    text += concat(", ", c.bad, " of ", c.elements, " bad, first bad at ",
                   describe(*c.firstBad));
  return text;
}

} // namespace rung::tools
