//===- ResidentSums.cpp - products of a resident head ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/ResidentSums.h"
#include "passes/lowering/CellEdges.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace rung {

void ResidentSums::loadWeights() {
  for (unsigned i = 0; i < plan.matrices.size(); ++i)
    matrices.push_back(cell.loadMatrix(i, cell.k.index(0), tiles.depth));
  for (unsigned i = 0; i < plan.inputMatrices.size(); ++i)
    inputMatrices.push_back(cell.loadInputMatrix(i));
}

void ResidentSums::start(const CellValues &values, const CellValues &edge) {
  for (const CellSum &sum : plan.sums) {
    Value start;
    const CellValues &rows = plan.isWide(sum.value) ? edge : values;
    for (Value row : sum.rows)
      start =
          start ? emitAdd(cell.k, start, rows.lookup(row)) : rows.lookup(row);
    Type element = getElementTypeOrSelf(sum.value);
    starts.push_back(start ? start : emitZero(cell.k, cell.accType(element)));
  }
}

SmallVector<Value> ResidentSums::multiplyInputs(const ResidentBuffers &buffers,
                                                Value row,
                                                const CellValues &edge) {
  KernelBuilder &k = cell.k;
  SmallVector<Value> parts = starts;
  for (auto [input, shared] : llvm::zip(plan.inputs, buffers.inputs)) {
    Value a = emitLoad(k, shared, row, k.index(0), tiles.rows,
                       cell.weights.inputDepth, tile::MatrixUse::A);
    for (const InputProduct &product : input.products) {
      Value &part = parts[plan.sumOf(product.dot)];
      part = tile::MmaOp::create(k.b(), part, a, inputMatrices[product.matrix]);
    }
  }
  SmallVector<Value> result;
  CellValues made = edge;
  for (auto [sum, part] : llvm::zip(plan.sums, parts))
    if (plan.isWide(sum.value))
      made[sum.value] = part;
    else if (!sum.inputs.empty())
      result.push_back(part);
  for (Value value : plan.narrowed)
    result.push_back(emitEdge(k, plan, value, made));
  return result;
}

void ResidentSums::bind(ValueRange parts, CellValues &values) {
  for (auto [sum, start] : llvm::zip(plan.sums, starts)) {
    if (plan.isWide(sum.value))
      continue;
    values[sum.value] = sum.inputs.empty() ? start : parts.front();
    parts = parts.drop_front(!sum.inputs.empty());
  }
  for (auto [value, matrix] : llvm::zip_equal(plan.narrowed, parts))
    values[value] = matrix;
}

void ResidentSums::multiply(unsigned phase, const ResidentBuffers &buffers,
                            Value row, CellValues &values) {
  KernelBuilder &k = cell.k;
  for (Value operand : plan.operandsOf(phase)) {
    Value a = emitLoad(k, buffers.operands.lookup(operand), row, k.index(0),
                       tiles.rows, tiles.depth, tile::MatrixUse::A);
    for (rnn::DotOp dot : plan.dotsOf(operand)) {
      Value &sum = values[plan.sums[plan.sumOf(dot)].value];
      sum = tile::MmaOp::create(k.b(), sum, a, matrices[plan.dots.lookup(dot)]);
    }
  }
}

} // namespace rung
