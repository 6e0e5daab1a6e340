//===- Kernel.h - a graph's node, ready to compute --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_KERNEL_H
#define RUNG_RUNTIME_REFERENCE_KERNEL_H

#include "runtime/reference/NodeView.h"
#include "runtime/reference/Observer.h"
#include "runtime/reference/Tensor.h"

#include <functional>
#include <span>
#include <vector>

namespace rung::reference {

using Operands = std::span<const Tensor *const>;

/// Computes a node's results from its operands. Shapes are those of the
/// operands given, and are checked; the node's declared types say no more than
/// how results are rounded.
using Kernel = std::function<Result<std::vector<Tensor>>(Operands)>;

/// What becomes of a recurrent state between two steps.
enum class CarriedState {
  /// It is rounded to the type that it has as a function's output. So a run in
  /// segments, with that output fed back, gives the same bits as one run.
  AsDeclared,
  /// It stays a double: for measuring how far other arithmetic drifts.
  Exact,
};

/// How a graph is interpreted.
struct Interpretation {
  CarriedState carried = CarriedState::AsDeclared;
  /// Is told the ranges of numbers; may be null. Outlives the kernels.
  Observer *observer = nullptr;
};

/// Checks a node, attributes included, and binds it. The error of an op that
/// is not known lists none of the others: there are too many.
Result<Kernel> makeKernel(const NodeView &node, const Interpretation &how);

/// The kernels by family; null without an error where the op is of another.
Result<Kernel> makeTensorKernel(const NodeView &node,
                                const Interpretation &how);
Result<Kernel> makePointwiseKernel(const NodeView &node,
                                   const Interpretation &how);
Result<Kernel> makeGruKernel(const NodeView &node, const Interpretation &how);
Result<Kernel> makeLinearKernel(const NodeView &node,
                                const Interpretation &how);
Result<Kernel> makeIntegerNormKernel(const NodeView &node,
                                     const Interpretation &how);
Result<Kernel> makeMapKernel(const NodeView &node, const Interpretation &how);
Result<Kernel> makeRecurrenceKernel(const NodeView &node,
                                    const Interpretation &how);

/// Fails unless an operand has the shape or the element type that it needs.
Status expectShape(const NodeView &node, std::string_view what,
                   const Tensor &tensor, const Dims &wanted);
Status expectElement(const NodeView &node, std::string_view what,
                     const Tensor &tensor, ScalarType wanted);

/// How many of `steps` steps each of a batch's rows has: all of them where
/// `lengths` is null. A length outside 0 .. `steps` acts as the nearer end, as
/// it does in the kernels.
std::vector<int64_t> rowLengths(const Tensor *lengths, int64_t steps,
                                int64_t batch);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_KERNEL_H
