//===- SingleRowKernel.h - some rows of a run of one row --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_SINGLEROWKERNEL_H
#define RUNG_PASSES_LOWERING_SINGLEROWKERNEL_H

#include "passes/lowering/KernelBuilder.h"
#include "passes/lowering/SingleRow.h"
#include "passes/lowering/SingleRowPlan.h"

namespace rung {

/// One kernel of a program for a single row. A subgroup multiplies some rows of
/// weights, each lane its part of the depth; single threads compute what the
/// sums are for:
///
///   each subgroup: the rows of weights of its elements, into registers
///   all threads: operands of the products -> shared memory, as i8
///   barrier
///   each subgroup: products, summed over its lanes -> shared memory
///   barrier
///   a thread an element: the kernel's rows -> global memory
class SingleRowKernel {
public:
  SingleRowKernel(ProgramBuilder &p, const SingleRowPlan &plan,
                  const SingleRowTarget &target,
                  llvm::ArrayRef<mlir::Value> rows);

  mlir::LogicalResult emit();

private:
  /// Neighbours of a row.
  using Elements = llvm::SmallVector<mlir::Value>;
  /// What is computed already, of elements `column` + offset.
  struct Scope {
    mlir::Value column;
    int64_t width = 1; ///< Neighbours from the column on.
    std::map<RowPlace, Elements> known;
  };
  struct WeightRow {
    mlir::Value weight;
    int64_t firstRow, depth;
  };

  // Before the kernel begins: what it reads, and which products it does.
  mlir::LogicalResult gather(RowPlace place, bool isOperand);
  mlir::LogicalResult gatherDot(RowPlace place, RowDot dot);
  unsigned bind(mlir::Value value, mlir::Value buffer);
  mlir::LogicalResult bindWeight(mlir::Value weight);
  mlir::Value sourceOf(mlir::Value value) const;
  bool isLoaded(mlir::Value value) const;
  void chooseShape();

  // The kernel.
  void loadWeights();
  void loadLeaves();
  void prepareShared();
  void computeOperands();
  void multiply();
  void finish(llvm::ArrayRef<std::pair<mlir::Value, unsigned>> outputs);

  // Single elements.
  const Elements &at(RowPlace place, Scope &scope);
  Elements compute(RowPlace place, Scope &scope);
  Elements computeDot(RowPlace place, Scope &scope);
  Elements computeEmbedding(rnn::EmbeddingOp op, int64_t offset, Scope &scope);
  Elements computePointwise(mlir::Operation *op, int64_t offset, Scope &scope);
  Elements load(unsigned buffer, mlir::Value index, int64_t width);
  mlir::Value loadTable(mlir::Value table, mlir::Value index);

  mlir::ImplicitLocOpBuilder &b() { return k_->b(); }
  mlir::Value elementOf(int64_t u);

  ProgramBuilder &p_;
  const SingleRowPlan &plan_;
  SingleRowTarget target_;
  llvm::SmallVector<mlir::Value> rows_;
  int64_t width_ = 0, level_ = 0;
  // The shape: subgroups, and elements of each.
  int64_t subgroups_ = 1, elements_ = 1;

  std::map<RowPlace, bool> gathered_;
  llvm::SmallVector<RowPlace> leaves_; ///< What the rows take from memory.
  llvm::SmallVector<std::pair<mlir::Value, tile::Access>> bound_;
  llvm::DenseMap<mlir::Value, unsigned> buffers_; ///< Rows, weights -> number.
  llvm::SmallVector<WeightRow> weightRows_;
  llvm::MapVector<mlir::Value, int64_t> operands_; ///< -> depth.
  /// Products by (row of weights, operand), and where their sums are.
  llvm::MapVector<std::pair<unsigned, unsigned>, unsigned> products_;
  std::map<RowPlace, unsigned> dots_;            ///< -> product.
  llvm::MapVector<mlir::Value, int64_t> tables_; ///< -> entries.

  std::optional<KernelBuilder> k_;
  mlir::Value thread_, lane_, subgroup_, first_;
  Scope own_; ///< Of this thread's element, or the last one of all.
  llvm::SmallVector<llvm::SmallVector<Elements>> weights_; ///< [u][row].
  llvm::SmallVector<mlir::Value> operandMemory_;
  llvm::DenseMap<mlir::Value, mlir::Value> tableMemory_;
  mlir::Value sums_;
};

} // namespace rung

#endif // RUNG_PASSES_LOWERING_SINGLEROWKERNEL_H
