//===- Observer.h - told which numbers a run meets --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_OBSERVER_H
#define RUNG_RUNTIME_REFERENCE_OBSERVER_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace rung::reference {

/// The least and the largest of some numbers; empty at first.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  /// The largest magnitude; 0 for an empty range.
  double magnitude() const {
    return empty() ? 0 : std::max(std::abs(low), std::abs(high));
  }
  void include(std::span<const double> values) {
    for (double value : values) { // A NaN widens nothing.
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
  }
  void include(const Range &other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

/// What a range is about.
enum class Observed {
  LinearInput, ///< the input of an rnn.linear
  NormInput,   ///< the input of an rnn.rms_norm
  Activation,  ///< the input of an rnn.sigmoid or a math.tanh in a body
  State,       ///< a state of an rnn.recurrence
};

/// Is told ranges while a program runs, on the thread that runs it.
class Observer {
public:
  virtual ~Observer() = default;

  /// \p node is the graph's node; \p ordinal counts the activations of its
  /// body or its states, and is 0 for other nodes.
  virtual void observe(uint32_t node, Observed kind, uint32_t ordinal,
                       const Range &range) = 0;
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_OBSERVER_H
