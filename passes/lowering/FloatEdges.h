//===- FloatEdges.h - floats that no step's state depends on ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_FLOATEDGES_H
#define RUNG_PASSES_LOWERING_FLOATEDGES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace rung {

/// Follows values through the operations and the memory of one kernel.
class FloatEdges {
public:
  explicit FloatEdges(mlir::Operation *kernel);

  /// Whether \p value lies at the kernel's edge: it is made of constants and of
  /// what was read from global memory, and of nothing that one iteration of a
  /// loop hands to the next; or nothing is made of it but what is written to
  /// global memory.
  bool contains(mlir::Value value) const {
    return comesFromOutside(value) || onlyLeaves(value);
  }

private:
  /// Values stored to a variable, and values loaded from it.
  struct Traffic {
    llvm::SmallVector<mlir::Value> stored, loaded;
  };
  bool comesFromOutside(mlir::Value value) const;
  bool onlyLeaves(mlir::Value value) const;

  /// By the operation that makes a variable; none for global memory's.
  llvm::DenseMap<mlir::Operation *, Traffic> traffic_;
};

} // namespace rung

#endif // RUNG_PASSES_LOWERING_FLOATEDGES_H
