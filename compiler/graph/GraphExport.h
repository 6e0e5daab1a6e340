//===- GraphExport.h - functions as graphs of the bundle ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_GRAPH_GRAPHEXPORT_H
#define RUNG_COMPILER_GRAPH_GRAPHEXPORT_H

#include "runtime/bundle/Bundle_generated.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"

namespace rung {

/// Symbol of an rnn.weight -> its index in the bundle's weights.
using WeightIndices = llvm::StringMap<uint32_t>;

/// The bundle's element type for \p type; none if a bundle has no such
/// elements.
std::optional<fb::ScalarType> exportElement(mlir::Type type);

/// What \p function computes, one node an operation. Dynamic sizes become T and
/// B: [T, B, N] and ids [T, B] are sequences, [B, N] is a state, [B] lengths.
/// Fails, with an error on the operation or value, on what a graph cannot say.
mlir::FailureOr<fb::GraphT> exportGraph(mlir::func::FuncOp function,
                                        const WeightIndices &weights);

/// The name, ports, states and graph of \p function. Fails, with an error on
/// it, if an argument or a result has no name, or two have the same.
mlir::FailureOr<fb::FunctionT> exportFunction(mlir::func::FuncOp function,
                                              const WeightIndices &weights);

} // namespace rung

#endif // RUNG_COMPILER_GRAPH_GRAPHEXPORT_H
