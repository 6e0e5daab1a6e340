//===- CellBody.h - one step of one row, given as a graph -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_CELLBODY_H
#define RUNG_RUNTIME_REFERENCE_CELLBODY_H

#include "runtime/reference/NodeView.h"
#include "runtime/reference/Pointwise.h"
#include "runtime/reference/Product.h"
#include "runtime/reference/Tensor.h"

#include <vector>

namespace rung::reference {

/// How a body's arguments split, in their order.
struct BodyArguments {
  uint32_t rows = 0; ///< of sequences
  uint32_t weights = 0;
  uint32_t states = 0;
  uint32_t count() const { return rows + weights + states; }
  bool isWeight(uint32_t i) const { return i >= rows && i - rows < weights; }
};

/// The body of an rnn.recurrence or an rnn.map, checked: every shape and type
/// in it is known, so that a step needs no checks.
///
/// Where no column of a row depends on another but through products within a
/// head, as the rnn dialect demands, columns can be computed apart: a frame
/// then takes whole groups of them through all steps.
class CellBody {
public:
  /// \p owner is the node that the body belongs to. A body of width N has
  /// constants and first arguments of N: the first state, or else row.
  static Result<CellBody> make(const NodeView &owner, BodyArguments arguments,
                               F32 f32);

  uint32_t argumentCount() const { return arguments_.size(); }
  uint32_t yieldCount() const { return yields_.size(); }
  const Dims &argumentDims(uint32_t i) const { return dims_[arguments_[i]]; }
  const Dims &yieldDims(uint32_t i) const { return dims_[yields_[i]]; }
  ScalarType argumentElement(uint32_t i) const {
    return elements_[arguments_[i]];
  }

  /// N.
  int64_t width() const { return width_; }
  /// A frame takes a multiple of this many columns; N if they hang together.
  int64_t group() const { return group_; }
  bool takesRandom() const { return takesRandom_; }
  /// Sigmoids and hyperbolic tangents.
  uint32_t activationCount() const { return activationCount_; }
  /// About how many operations a step of one row makes.
  double operations() const;

private:
  friend class CellWeights;
  friend class CellFrame;

  struct Slice {
    Dims source, offsets, sizes, strides;
    bool isRow() const { return source.size() == 1 && strides[0] == 1; }
  };
  struct Instruction {
    enum Kind { kPointwise, kDot, kSlice } kind;
    std::vector<uint32_t> operands;
    uint32_t result;
    Pointwise pointwise;
    Accumulation accumulation;
    Slice slice;
    /// Among the sigmoids and hyperbolic tangents, if it is one.
    std::optional<uint32_t> activation;
  };
  /// A value that is a part of an argument's row.
  struct Alias {
    uint32_t argument, result;
    int64_t offset;
  };

  Status readValues(const NodeView &owner);
  Status addNode(const NodeView &node);
  Status bindPointwise(const NodeView &node, Instruction &instruction) const;
  Status bindDot(const NodeView &node, Instruction &instruction) const;
  Result<Slice> bindSlice(const NodeView &node) const;
  void schedule(Instruction instruction);
  bool isArgument(uint32_t value) const;
  int64_t findGroup() const;
  void planSlots();

  std::vector<Dims> dims_;           // of each value
  std::vector<ScalarType> elements_; // its type
  std::vector<int64_t> sizes_;       // its elements
  std::vector<bool> varies_;         // whether it changes from step to step
  std::vector<uint32_t> arguments_, yields_;
  F32 f32_ = F32::Real;
  int64_t width_ = 0, group_ = 0;
  bool takesRandom_ = false;
  uint32_t activationCount_ = 0;
  std::vector<Instruction> instructions_;
  std::vector<uint32_t> once_, each_; // of instructions
  std::vector<Alias> aliases_;
  std::vector<uint32_t> slots_;    // of each value that a step computes
  std::vector<int64_t> slotSizes_; // in elements
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_CELLBODY_H
