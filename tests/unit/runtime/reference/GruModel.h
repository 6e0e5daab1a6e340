//===- GruModel.h - a GRU twice: named, and as a cell's body ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_RUNTIME_REFERENCE_GRUMODEL_H
#define RUNG_TESTS_UNIT_RUNTIME_REFERENCE_GRUMODEL_H

#include "tests/unit/support/ModelBuilder.h"

#include <ostream>
#include <string>
#include <vector>

namespace rung::test {

/// One variant of the recurrent unit, with random weights.
struct GruVariant {
  int32_t inputs = 3, hidden = 4, heads = 1;
  std::string reset = "after", update = "keep", direction = "forward";
  bool inputBias = true, recurrentBias = true, lengths = false;
  std::vector<std::string> activations = {"sigmoid", "tanh"};
  double clip = 0; ///< 0: none.

  bool bidirectional() const { return direction == "bidirectional"; }
  uint32_t directions() const { return bidirectional() ? 2 : 1; }
};

inline std::ostream &operator<<(std::ostream &stream, const GruVariant &v) {
  return stream << v.hidden << "/" << v.heads << " " << v.reset << " "
                << v.update << " " << v.direction << " biases " << v.inputBias
                << v.recurrentBias << " lengths " << v.lengths << " clip "
                << v.clip;
}

/// Inputs x, h (h.reverse), lengths; outputs y, h (h.reverse) of one rnn.gru.
ModelBuilder gruModel(const GruVariant &variant);

/// The same function of one direction with sigmoid and tanh and without clip,
/// written as rnn.linear and an rnn.recurrence.
ModelBuilder gruBodyModel(const GruVariant &variant);

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_RUNTIME_REFERENCE_GRUMODEL_H
