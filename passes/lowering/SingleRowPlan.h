//===- SingleRowPlan.h - which kernel computes which rows -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_SINGLEROWPLAN_H
#define RUNG_PASSES_LOWERING_SINGLEROWPLAN_H

#include "dialects/rnn/RnnOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace rung {

/// Element c of a row is element c + offset of `value`, of the graph or of a
/// body.
struct RowPlace {
  mlir::Value value;
  int64_t offset = 0;
  bool operator<(const RowPlace &other) const {
    return std::pair(value.getAsOpaquePointer(), offset) <
           std::pair(other.value.getAsOpaquePointer(), other.offset);
  }
};

/// Where \p place comes from one step further, if it is but another name:
/// arguments and results of bodies, slices.
std::optional<RowPlace> renamed(RowPlace place);

/// A product of one row with rows of a weight.
struct RowDot {
  mlir::Value operand, weight;
  int64_t firstRow = 0; ///< Of the weight, for the result's first element.
  int64_t depth = 0;
};
/// The product that \p op is, or none.
std::optional<RowDot> dotOf(mlir::Operation *op);

/// What \p op reads elements of: its operands without weights that are tables.
llvm::SmallVector<mlir::Value> elementOperands(mlir::Operation *op);

/// Which rows of a function with T and B 1 are kept in memory, and in which
/// order they are computed.
///
/// A kernel computes rows of one width and level. Level 1 needs no product of
/// another kernel; operands of products that themselves come from products are
/// kept, and what is behind them is one level up.
class SingleRowPlan {
public:
  /// Nothing where the function has something that no such kernel can do.
  static std::optional<SingleRowPlan> create(mlir::func::FuncOp function);

  /// One kernel's rows, or the operation that has a kernel of its own.
  struct Stage {
    llvm::SmallVector<mlir::Value> rows;
    mlir::Operation *apart = nullptr;
  };
  llvm::SmallVector<Stage> stages;

  /// Whether \p op takes all of a row at once, in a kernel of its own.
  static bool isApart(mlir::Operation *op);

  bool isKept(mlir::Value value) const { return kept_.contains(value); }
  /// The level of the kernel that computes a kept row.
  int64_t levelOf(mlir::Value value) const { return levels_.lookup(value); }
  /// Whether an operation elsewhere reads a kept row from memory.
  bool isReadLater(mlir::Value value) const { return read_.contains(value); }

private:
  bool visit(mlir::Value value);
  bool visitOperation(mlir::Operation *op);
  void keep(mlir::Value value, bool read);
  bool comesFromProduct(mlir::Value value);
  int64_t level(mlir::Value value);
  void sort();

  llvm::DenseSet<mlir::Value> seen_;
  llvm::SetVector<mlir::Value> kept_;
  llvm::DenseSet<mlir::Value> read_;
  llvm::SetVector<mlir::Operation *> apart_;
  llvm::DenseMap<mlir::Value, bool> fromProduct_;
  llvm::DenseMap<mlir::Value, int64_t> levels_;
};

} // namespace rung

#endif // RUNG_PASSES_LOWERING_SINGLEROWPLAN_H
