//===- NodeAttributes.h - attributes of graph nodes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_GRAPH_NODEATTRIBUTES_H
#define RUNG_COMPILER_GRAPH_NODEATTRIBUTES_H

#include "compiler/graph/GraphExport.h"

namespace rung {

/// Adds to \p node what \p op says beside operands, results and regions. Fails,
/// with an error on \p op, on an operation that graphs do not have.
mlir::LogicalResult exportAttributes(mlir::Operation &op,
                                     const WeightIndices &weights,
                                     fb::NodeT &node);

} // namespace rung

#endif // RUNG_COMPILER_GRAPH_NODEATTRIBUTES_H
