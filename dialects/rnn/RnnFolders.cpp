//===- RnnFolders.cpp - folding of graph operations ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnOps.h"

using namespace mlir;
using namespace rung::rnn;

OpFoldResult ActivationOp::fold(FoldAdaptor) {
  if (getFunction().getFunction() == Function::Identity)
    return getInput();
  return {};
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1 && getInputs().front().getType() == getType())
    return getInputs().front();
  return {};
}

/// True if every number of \p narrow is one of \p wide.
static bool holds(FloatType wide, FloatType narrow) {
  return wide == narrow ||
         (wide.isF32() && (narrow.isF16() || narrow.isBF16()));
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  // A wider format on the way changes nothing.
  auto first = getInput().getDefiningOp<CastOp>();
  if (!first || first.getInput().getType() != getType())
    return {};
  auto wide = cast<FloatType>(first.getType().getElementType());
  auto narrow = cast<FloatType>(getType().getElementType());
  return holds(wide, narrow) ? OpFoldResult(first.getInput()) : OpFoldResult();
}
