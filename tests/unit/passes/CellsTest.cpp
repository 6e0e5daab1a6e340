//===- CellsTest.cpp - cells written in the dialect, by their equations ---===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/reference/RunGraph.h"
#include "tests/unit/support/ParsedModule.h"

#include <cmath>
#include <fstream>
#include <sstream>

using namespace rung;
using namespace rung::test;

namespace {

using Numbers = std::vector<double>;

class Cell {
public:
  explicit Cell(const std::string &name) : module_(read(name)) {}

  std::vector<reference::Tensor> run(std::vector<reference::Tensor> inputs,
                                     int64_t steps, int64_t batch) {
    return RunnableModel(module_.toModel())
        .run(std::move(inputs), steps, batch);
  }
  Numbers weight(const std::string &name) {
    for (auto weight : module_.module().getOps<rnn::WeightOp>())
      if (weight.getSymName() == name) {
        auto values = weight.getValue().getValues<float>();
        return Numbers(values.begin(), values.end());
      }
    ADD_FAILURE() << "no weight " << name;
    return {};
  }

private:
  static std::string read(const std::string &name) {
    std::ifstream file(std::string(RUNG_SOURCE_DIR) + "/tests/e2e/cells/" +
                       name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  ParsedModule module_;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// row of w [rows, columns] times x, and b.
double product(const Numbers &w, const double *x, size_t row, size_t columns,
               const Numbers &b) {
  double sum = b[row];
  for (size_t i = 0; i < columns; ++i)
    sum += w[row * columns + i] * x[i];
  return sum;
}

TEST(Cells, LstmFollowsItsEquations) {
  constexpr size_t steps = 4, batch = 3, inputs = 4, hidden = 6, head = 3;
  Cell cell("lstm.mlir");
  Numbers w = cell.weight("w"), b = cell.weight("b"), u = cell.weight("u");
  auto x = randomTensor({steps, batch, inputs}, 1);
  auto h0 = randomTensor({batch, hidden}, 2);
  auto c0 = randomTensor({batch, hidden}, 3);
  const Numbers lengths = {4, 0, 2};
  auto results = cell.run(
      {x, tensor({batch}, lengths, ScalarType::I32), h0, c0}, steps, batch);
  ASSERT_EQ(results.size(), 3u);

  Numbers y(steps * batch * hidden, 0.0), h = h0.values, c = c0.values;
  for (size_t row = 0; row < batch; ++row)
    for (size_t t = 0; t < size_t(lengths[row]); ++t) {
      const double *in = &x.values[(t * batch + row) * inputs];
      Numbers before(h.begin() + row * hidden, h.begin() + (row + 1) * hidden);
      for (size_t j = 0; j < hidden; ++j) {
        double a[4];
        for (size_t gate = 0; gate < 4; ++gate) {
          a[gate] = product(w, in, gate * hidden + j, inputs, b);
          size_t block = j / head, o = gate * head + j % head;
          for (size_t k = 0; k < head; ++k)
            a[gate] +=
                u[(block * 4 * head + o) * head + k] * before[block * head + k];
        }
        size_t at = row * hidden + j;
        c[at] = sigmoid(a[1]) * c[at] + sigmoid(a[0]) * std::tanh(a[2]);
        h[at] = sigmoid(a[3]) * std::tanh(c[at]);
        y[(t * batch + row) * hidden + j] = h[at];
      }
    }
  EXPECT_LT(largestDifference(results[0],
                              tensor({steps, batch, hidden}, std::move(y))),
            1e-13);
  EXPECT_LT(largestDifference(results[1], tensor({batch, hidden}, h)), 1e-13);
  EXPECT_LT(largestDifference(results[2], tensor({batch, hidden}, c)), 1e-13);
}

TEST(Cells, MinimalGruFollowsItsEquations) {
  constexpr size_t steps = 6, batch = 2, inputs = 3, hidden = 5;
  Cell cell("mingru.mlir");
  Numbers w = cell.weight("w"), b = cell.weight("b");
  auto x = randomTensor({steps, batch, inputs}, 1);
  auto h0 = randomTensor({batch, hidden}, 2);
  auto results = cell.run({x, h0}, steps, batch);
  ASSERT_EQ(results.size(), 2u);

  Numbers y(steps * batch * hidden), h = h0.values;
  for (size_t t = steps; t-- > 0;) // It runs backwards.
    for (size_t row = 0; row < batch; ++row)
      for (size_t j = 0; j < hidden; ++j) {
        const double *in = &x.values[(t * batch + row) * inputs];
        double z = sigmoid(product(w, in, j, inputs, b));
        double a = product(w, in, hidden + j, inputs, b);
        double n = a >= 0 ? a + 0.5 : sigmoid(a);
        double &state = h[row * hidden + j];
        state = (1 - z) * state + z * n;
        y[(t * batch + row) * hidden + j] = state;
      }
  EXPECT_LT(largestDifference(results[0],
                              tensor({steps, batch, hidden}, std::move(y))),
            1e-13);
  EXPECT_LT(largestDifference(results[1], tensor({batch, hidden}, h)), 1e-13);
}

} // namespace
