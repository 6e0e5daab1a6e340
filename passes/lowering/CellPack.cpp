//===- CellPack.cpp - a recurrence's weights as its kernels read them -----===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Cell.h"

using namespace mlir;

namespace rung {

static FailureOr<WeightSource> findOperand(rnn::RecurrenceOp op,
                                           unsigned weight) {
  FailureOr<WeightSource> source = findWeight(op.getWeights()[weight]);
  if (failed(source))
    return op.emitOpError("has weight operand ")
           << weight << " that is not an rnn.weight";
  return source;
}

// Where in the packed arrays a head's part goes; what is padded is zero.

FailureOr<Value> packRows(ProgramBuilder &p, const CellPlan &plan,
                          ArrayRef<WeightRow> rows, int64_t columns,
                          Type element) {
  SmallVector<tile::PieceAttr> pieces;
  for (auto [i, row] : llvm::enumerate(rows)) {
    FailureOr<WeightSource> source = findOperand(plan.op, row.weight);
    if (failed(source))
      return failure();
    pieces.push_back(tile::PieceAttr::get(
        p.context(), source->symbol, row.offset, {plan.heads, plan.headWidth},
        {plan.headWidth, 1}, int64_t(i) * plan.heads * columns, {columns, 1}));
  }
  return p.packed(element, rows.size() * plan.heads * columns, pieces);
}

/// Where a matrix of every head goes in packed weights, as the one at \p index:
/// from \p firstRow on the head's width of rows of \p inner elements, of
/// \p headRows that a head has in \p source.
static tile::PieceAttr headPiece(const CellPlan &plan,
                                 const WeightSource &source, int64_t firstRow,
                                 int64_t headRows, int64_t inner, int64_t index,
                                 int64_t columns, int64_t depth) {
  const int64_t head = columns * depth;
  return tile::PieceAttr::get(
      source.type.getContext(), source.symbol, firstRow * inner,
      {plan.heads, plan.headWidth, inner}, {headRows * inner, inner, 1},
      index * plan.heads * head, {head, depth, 1});
}

FailureOr<Value> packMatrices(ProgramBuilder &p, const CellPlan &plan,
                              int64_t columns, int64_t depth) {
  SmallVector<tile::PieceAttr> pieces;
  for (auto [index, matrix] : llvm::enumerate(plan.matrices)) {
    FailureOr<WeightSource> source = findOperand(plan.op, matrix.weight);
    if (failed(source))
      return failure();
    pieces.push_back(headPiece(plan, *source, matrix.firstRow,
                               source->type.getDimSize(1), plan.headWidth,
                               index, columns, depth));
  }
  return p.packed(plan.matrices.front().element,
                  pieces.size() * plan.heads * columns * depth, pieces);
}

FailureOr<Value> packInputMatrices(ProgramBuilder &p, const CellPlan &plan,
                                   int64_t columns, int64_t depth,
                                   Type element) {
  SmallVector<tile::PieceAttr> pieces;
  for (auto [index, matrix] : llvm::enumerate(plan.inputMatrices)) {
    FailureOr<WeightSource> source = findOperand(plan.op, matrix.weight);
    if (failed(source))
      return failure();
    pieces.push_back(headPiece(plan, *source, matrix.firstRow, plan.headWidth,
                               source->type.getDimSize(1), index, columns,
                               depth));
  }
  return p.packed(element, pieces.size() * plan.heads * columns * depth,
                  pieces);
}

FailureOr<Value> packTables(ProgramBuilder &p, const CellPlan &plan) {
  SmallVector<tile::PieceAttr> pieces;
  for (const WeightTable &table : plan.tables) {
    FailureOr<WeightSource> source = findOperand(plan.op, table.weight);
    if (failed(source))
      return failure();
    pieces.push_back(tile::PieceAttr::get(p.context(), source->symbol, 0,
                                          {source->type.getDimSize(0)}, {1},
                                          table.offset, {1}));
  }
  return p.packed(IntegerType::get(p.context(), 32), plan.tableEntries, pieces);
}

} // namespace rung
