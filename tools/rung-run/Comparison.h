//===- Comparison.h - how far an output is from what it should be -*-C++-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_COMPARISON_H
#define RUNG_TOOLS_RUNG_RUN_COMPARISON_H

#include "runtime/base/Tensor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace rung::tools {

/// An element is bad where |got - expected| > absolute + relative * |expected|,
/// as in numpy.allclose. Equal infinities and two NaNs agree.
struct Tolerance {
  double absolute = 1e-5;
  double relative = 1e-5;
};

struct Comparison {
  std::string output;
  bool shapesAgree = true;
  std::string gotType, expectedType; ///< "f32[2, 3]"
  double maxAbsolute = 0; ///< NaN where one side alone is NaN or infinite.
  double maxRelative = 0; ///< Over elements with expected != 0.
  double meanAbsolute = 0;
  uint64_t elements = 0, bad = 0;

  struct Element {
    std::vector<uint64_t> index;
    double got = 0, expected = 0;
  };
  std::optional<Element> firstBad;
  std::optional<Element> worst; ///< The one of maxAbsolute.

  bool passed() const { return shapesAgree && bad == 0; }
};

/// Compares element by element, in double.
Comparison compare(std::string output, const Tensor &got,
                   const Tensor &expected, Tolerance tolerance);

/// One line for people.
std::string toString(const Comparison &comparison);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_COMPARISON_H
