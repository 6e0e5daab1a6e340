//===- Calibrate.cpp - what range each number of a model takes ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Calibrate.h"

#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace rung::reference {
namespace {

/// Gathers the ranges of a graph's nodes.
class Gatherer final : public Observer {
public:
  void observe(uint32_t node, Observed kind, uint32_t ordinal,
               const Range &range) override {
    ranges_[{node, kind, ordinal}].include(range);
  }

  Range operator()(uint32_t node, Observed kind, uint32_t ordinal = 0) const {
    auto found = ranges_.find({node, kind, ordinal});
    return found == ranges_.end() ? Range() : found->second;
  }

private:
  std::map<std::tuple<uint32_t, Observed, uint32_t>, Range> ranges_;
};

uint32_t countActivations(const fb::Graph &body) {
  uint32_t count = 0;
  for (const fb::Node *node : *body.nodes()) {
    std::string_view op = node->op()->string_view();
    count += op == "rnn.sigmoid" || op == "math.tanh";
  }
  return count;
}

} // namespace

struct Calibrator::Function {
  Gatherer gatherer;
  std::optional<Program> program; // once it has run
};

Calibrator::Calibrator(const BundleReader &bundle)
    : bundle_(bundle), weights_(bundle),
      functions_(bundle.root().functions()->size()) {
  for (std::unique_ptr<Function> &function : functions_)
    function = std::make_unique<Function>();
}

Calibrator::~Calibrator() = default;

Result<std::vector<Tensor>> Calibrator::run(uint32_t index,
                                            std::vector<Tensor> inputs,
                                            int64_t steps, int64_t batch) {
  Function &function = *functions_[index];
  if (!function.program) {
    const fb::Graph &graph = *bundle_.root().functions()->Get(index)->graph();
    Interpretation how;
    how.observer = &function.gatherer;
    RUNG_ASSIGN_OR_RETURN(function.program,
                          Program::make(graph, weights_, how));
  }
  return function.program->run(std::move(inputs), steps, batch);
}

FunctionRanges Calibrator::ranges(uint32_t index) const {
  const Gatherer &rangeOf = functions_[index]->gatherer;
  const fb::Graph &graph = *bundle_.root().functions()->Get(index)->graph();
  FunctionRanges result;
  for (uint32_t i = 0; i < graph.nodes()->size(); ++i) {
    const fb::Node &node = *graph.nodes()->Get(i);
    std::string_view op = node.op()->string_view();
    if (op == "rnn.linear")
      result.linears.push_back(rangeOf(i, Observed::LinearInput));
    if (op == "rnn.rms_norm")
      result.norms.push_back(rangeOf(i, Observed::NormInput));
    if (op != "rnn.recurrence" || !node.body())
      continue;
    RecurrenceRanges &recurrence = result.recurrences.emplace_back();
    uint32_t activations = countActivations(*node.body());
    for (uint32_t k = 0; k < activations; ++k)
      recurrence.activations.push_back(rangeOf(i, Observed::Activation, k));
    Result<std::vector<uint32_t>> segments = NodeView(graph, i).segments(5);
    for (uint32_t k = 0; segments.isOk() && k < (*segments)[2]; ++k)
      recurrence.states.push_back(rangeOf(i, Observed::State, k));
  }
  return result;
}

Tensor zeroInput(const fb::Function &function, uint32_t index, int64_t steps,
                 int64_t batch) {
  const fb::TensorType &type = *function.inputs()->Get(index)->type();
  Dims dims;
  for (int32_t dim : *type.dims())
    dims.push_back(dim == kDimT ? steps : dim == kDimB ? batch : dim);
  return Tensor::zeros(toScalarType(type.element()), std::move(dims));
}

} // namespace rung::reference
