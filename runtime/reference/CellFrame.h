//===- CellFrame.h - the values of one step of a cell -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_CELLFRAME_H
#define RUNG_RUNTIME_REFERENCE_CELLFRAME_H

#include "runtime/reference/CellBody.h"
#include "runtime/reference/Observer.h"

#include <optional>
#include <span>
#include <vector>

namespace rung::reference {

/// What no step of a body changes: its weights and all that follows from them.
/// Frames on several threads may share it.
class CellWeights {
public:
  /// \p weights are the weights' elements, in the arguments' order; they and
  /// the body must live as long.
  CellWeights(const CellBody &body, const BodyArguments &arguments,
              std::span<const Tensor *const> weights);

private:
  friend class CellFrame;
  void compute(const CellBody &body, const CellBody::Instruction &instruction);

  std::vector<std::vector<double>> storage_;
  std::vector<const double *> values_; // null for those that vary
  std::vector<std::optional<HeadMatrices>> matrices_; // by instruction
};

/// The values of one step, for `count` columns from `begin` on.
class CellFrame {
public:
  CellFrame(const CellBody &body, const CellWeights &weights, int64_t begin,
            int64_t count);

  /// \p row is the whole row, of all columns.
  void setArgument(uint32_t i, const double *row);
  /// Computes one step. \p place is that of the row; its column is 0.
  /// \p activations, one a sigmoid or tanh, may be null.
  void run(Place place, std::vector<Range> *activations = nullptr);

  /// The frame's columns of a value that the body yields.
  const double *yielded(uint32_t i) const { return values_[body_.yields_[i]]; }
  /// Which part of a row of `width` elements the frame computes: the first
  /// element, and how many.
  int64_t begin() const { return begin_; }
  int64_t countOf(int64_t width) const { return apart_ ? count_ : width; }

private:
  void execute(uint32_t instruction, const Place &place);

  const CellBody &body_;
  const CellWeights &weights_;
  int64_t begin_, count_;
  bool apart_; // columns are computed apart from others
  std::vector<std::vector<double>> slots_;
  std::vector<const double *> values_; // their first element of the frame
};

/// How many columns a frame should take, for memory that is near.
int64_t columnsOfAFrame(const CellBody &body);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_CELLFRAME_H
