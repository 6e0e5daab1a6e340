//===- CellBody.h - one step of one row, given as a graph -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_CELLBODY_H
#define RUNG_RUNTIME_REFERENCE_CELLBODY_H

#include "runtime/reference/NodeView.h"
#include "runtime/reference/Pointwise.h"
#include "runtime/reference/Tensor.h"

#include <vector>

namespace rung::reference {

/// The body of an rnn.recurrence, checked: every shape in it is known, so that
/// a step needs no checks.
class CellBody {
public:
  /// `sequences`, `weights` and `states` say how the body's arguments split.
  /// `recurrence` is the node it belongs to, for messages.
  static Result<CellBody> make(const NodeView &recurrence, uint32_t sequences,
                               uint32_t weights, uint32_t states);

  uint32_t argumentCount() const { return arguments_.size(); }
  uint32_t yieldCount() const { return yields_.size(); }
  const Dims &argumentDims(uint32_t i) const { return dims_[arguments_[i]]; }
  const Dims &yieldDims(uint32_t i) const { return dims_[yields_[i]]; }

  /// The values of one step. Arguments point to memory of the caller.
  class Frame {
  public:
    explicit Frame(const CellBody &body);

    void setArgument(uint32_t i, const double *row) {
      values_[body_->arguments_[i]] = row;
    }
    /// Computes what depends on weights alone; call when those are set.
    void runOnce() { run(body_->once_); }
    /// Computes everything else.
    void runStep() { run(body_->each_); }
    const double *yielded(uint32_t i) const {
      return values_[body_->yields_[i]];
    }

  private:
    void run(const std::vector<uint32_t> &instructions);

    const CellBody *body_;
    std::vector<std::vector<double>> storage_; // of values that are computed
    std::vector<const double *> values_;
  };

private:
  struct Slice {
    Dims source, offsets, sizes, strides;
  };
  struct Instruction {
    enum Kind { kPointwise, kDot, kSlice } kind;
    std::vector<uint32_t> operands;
    uint32_t result;
    ScalarType element;
    Pointwise pointwise;
    Slice slice;
  };

  Status addNode(const NodeView &node);
  Status bindPointwise(const NodeView &node, Instruction &instruction) const;
  Status bindDot(const NodeView &node) const;
  Result<Slice> bindSlice(const NodeView &node) const;
  void schedule(Instruction instruction);

  std::vector<Dims> dims_;     // of each value
  std::vector<int64_t> sizes_; // its elements
  std::vector<bool> varies_;   // whether it changes from step to step
  std::vector<uint32_t> arguments_, yields_;
  int64_t width_ = 0;
  std::vector<Instruction> instructions_;
  std::vector<uint32_t> once_, each_;
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_CELLBODY_H
