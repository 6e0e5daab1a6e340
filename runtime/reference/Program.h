//===- Program.h - a bundle's function, interpreted -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_PROGRAM_H
#define RUNG_RUNTIME_REFERENCE_PROGRAM_H

#include "runtime/bundle/Reader.h"
#include "runtime/reference/Kernel.h"
#include "runtime/reference/Weights.h"

#include <memory>
#include <vector>

namespace rung::reference {

/// One graph of a bundle, each node bound to its kernel. What depends on
/// weights alone is computed once, when the program is made. The bundle must
/// outlive it.
class Program {
public:
  /// Fails on the first node that the interpreter can't run, and names it.
  static Result<Program> make(const fb::Graph &graph, Weights &weights,
                              const Interpretation &how = {});

  /// One tensor per input in, one per output out, both in the graph's order and
  /// for `steps` steps and `batch` rows. Every value of the graph is
  /// checked against the shape that it is declared with.
  Result<std::vector<Tensor>> run(std::vector<Tensor> inputs, int64_t steps,
                                  int64_t batch) const;

  size_t inputCount() const { return graph_->inputs()->size(); }

private:
  using Value = std::shared_ptr<const Tensor>;
  struct Step {
    NodeView node;
    Kernel kernel;
  };

  Status bind(const NodeView &node, Weights &weights,
              const Interpretation &how);
  Status bindWeight(const NodeView &node, Weights &weights);
  void dropUnusedConstants();
  void planReleases();

  const fb::Graph *graph_ = nullptr;
  std::vector<Step> steps_;
  std::vector<Value> constants_;               // by value, null if it varies
  std::vector<std::vector<uint32_t>> release_; // values last used by each step
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_PROGRAM_H
