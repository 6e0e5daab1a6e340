//===- CellPlan.h - what a recurrence's body consists of --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_CELLPLAN_H
#define RUNG_PASSES_LOWERING_CELLPLAN_H

#include "dialects/rnn/RnnOps.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace rung {

/// A row of a sequence that a step reads: `width` elements from `offset`.
struct SequenceSlice {
  unsigned sequence = 0;
  int64_t offset = 0;
  mlir::Value value; ///< In the body.
};

/// A row vector of a weight, of the body's width.
struct WeightRow {
  unsigned weight = 0;
  int64_t offset = 0;
  mlir::Value value;
};

/// The matrices of a product: `rows` per head from `firstRow` of each head.
struct WeightMatrix {
  unsigned weight = 0;
  int64_t firstRow = 0;
  mlir::Type element; ///< What the product takes.
  bool operator==(const WeightMatrix &) const = default;
};

/// The weights of a product with a sequence's whole row: rows from `firstRow`,
/// as many as the body is wide.
struct InputMatrix {
  unsigned weight = 0;
  int64_t firstRow = 0;
  bool operator==(const InputMatrix &) const = default;
};

/// A product with a sequence's whole row, and the index of its matrix.
struct InputProduct {
  rnn::InputDotOp dot;
  unsigned matrix = 0;
};

/// A sequence whose whole rows are operands of products.
struct InputRow {
  unsigned sequence = 0;
  int64_t width = 0;
  llvm::SmallVector<InputProduct> products;
};

/// Products and rows of weights that are added to each other and to nothing
/// else, and so can be added up by matrix instructions alone.
struct CellSum {
  mlir::Value value; ///< The sum, or the one product that it is, in the body.
  llvm::SmallVector<mlir::Value> rows;
  llvm::SmallVector<rnn::InputDotOp> inputs;
  llvm::SmallVector<rnn::DotOp> dots; ///< Of one phase.
};

/// A whole weight that elements look numbers up in, `offset` entries from the
/// start of all tables.
struct WeightTable {
  unsigned weight = 0;
  int64_t offset = 0;
  mlir::Value value;
};

/// What a body consists of, in terms that kernels need.
///
/// A body of f16 or i32 may hold f32 at its edges: in what is made of products
/// with inputs alone, until it is rounded to f16, and in what is made of an
/// output. Such values are *wide*, and operations that take or give them lie
/// outside the carrier (see CellEdges.h).
class CellPlan {
public:
  /// Fails, with an error on the operation, on a body that kernels can't run.
  static mlir::FailureOr<CellPlan> create(rnn::RecurrenceOp op);

  rnn::RecurrenceOp op;
  /// The format of all rows, sums and states in a kernel (see carrierOf).
  mlir::Type carrier;
  int64_t heads = 1, headWidth = 0;
  unsigned phases = 0;
  llvm::SmallVector<SequenceSlice> slices;
  llvm::SmallVector<WeightRow> rows;
  llvm::SmallVector<WeightRow> wideRows; ///< Of f32, at the body's edge.
  llvm::SmallVector<WeightTable> tables;
  int64_t tableEntries = 0; ///< Of all tables.
  llvm::SmallVector<WeightMatrix> matrices;
  mlir::Type operandType; ///< What products take, if there are any.
  /// Products that need nothing of the step before, by their operand.
  llvm::SmallVector<InputRow> inputs;
  llvm::SmallVector<InputMatrix> inputMatrices;
  int64_t inputWidth = 0; ///< Of the widest operand.
  /// What the body takes of wide values that are made of those products.
  llvm::SmallVector<mlir::Value> narrowed;
  /// Products with states, each with the index of its matrix.
  llvm::MapVector<rnn::DotOp, unsigned> dots;
  /// Distinct operands of products, in the order of the phase that needs them.
  llvm::SetVector<mlir::Value> operands;

  /// Every product in one sum, once gatherSums was called. Sums are leaves
  /// then.
  llvm::SmallVector<CellSum> sums;

  /// With \p fold a sum is of as much as the body adds in f32; the order of a
  /// sum's parts, and with it its rounding, is then the sum's own: rows,
  /// products with sequences' rows, products with states. Else, of one product.
  void gatherSums(bool fold);
  /// The index of the sum that \p product is in.
  unsigned sumOf(mlir::Operation *product) const;

  /// 1 for a product whose operand needs no product, and so on; 0 for what
  /// needs none, and for products with sequences' rows.
  unsigned phase(mlir::Value value) const { return phase_.lookup(value); }
  llvm::SmallVector<mlir::Value> operandsOf(unsigned phase) const;
  llvm::SmallVector<rnn::DotOp> dotsOf(mlir::Value operand) const;
  llvm::SmallVector<rnn::DotOp> dotsOf(unsigned phase) const;
  /// The outputs and the next states.
  llvm::SmallVector<mlir::Value> results() const;
  /// The leaves - slices, rows, states, products - that \p targets come from.
  llvm::SetVector<mlir::Value>
  leavesOf(llvm::ArrayRef<mlir::Value> targets) const;
  /// The pointwise operations behind \p targets, in the body's order.
  llvm::SmallVector<mlir::Operation *>
  operationsOf(llvm::ArrayRef<mlir::Value> targets) const;
  /// Whether \p targets need random bits.
  bool draws(llvm::ArrayRef<mlir::Value> targets) const;
  bool isWide(mlir::Value value) const;
  /// Whether \p op takes or gives a wide value.
  bool isEdge(mlir::Operation *op) const;
  bool isSlice(mlir::Value value) const;
  bool isState(mlir::Value value) const;
  /// Whether \p value, a leaf, is a row of a weight.
  bool isFixed(mlir::Value value) const;
  /// Where \p table begins among all tables.
  int64_t tableOffset(mlir::Value table) const;

private:
  mlir::LogicalResult checkOperand(mlir::Type element);
  mlir::LogicalResult addOperand(mlir::Value value);
  mlir::LogicalResult addDot(rnn::DotOp dot);
  mlir::LogicalResult addInput(rnn::InputDotOp dot);
  mlir::LogicalResult addTable(rnn::LookupOp lookup);
  mlir::LogicalResult checkFormat(mlir::Value value, llvm::StringRef what);
  void findNarrowed();
  bool isSum(mlir::Value value) const;
  /// The operation on single elements, within the carrier, that makes \p value.
  mlir::Operation *pointwiseDefinition(mlir::Value value) const;
  std::optional<CellSum> foldSum(mlir::Value root) const;

  llvm::DenseMap<mlir::Value, unsigned> phase_;
};

} // namespace rung

#endif // RUNG_PASSES_LOWERING_CELLPLAN_H
