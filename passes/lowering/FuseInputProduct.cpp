//===- FuseInputProduct.cpp - input products into recurrences -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Lowering.h"
#include "passes/lowering/LoweringConfig.h"
#include "passes/lowering/ProfileOption.h"
#include "passes/lowering/ProgramBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace rung {
#define GEN_PASS_DEF_FUSEINPUTPRODUCT
#include "passes/lowering/Lowering.h.inc"

namespace {

/// A linear whose result is one recurrence's sequence and nothing else.
struct Candidate {
  rnn::RecurrenceOp recurrence;
  unsigned sequence = 0;
  rnn::LinearOp linear;

  BlockArgument row() { return recurrence.getSequenceArguments()[sequence]; }
  RankedTensorType weightType() {
    return cast<RankedTensorType>(linear.getWeight().getType());
  }
};

/// Whether \p user takes a row of the body's width: all of it, or a slice.
bool takesBodyRow(Operation *user, Value row, int64_t width) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
    return slice.getType().getShape() == ArrayRef<int64_t>{width};
  return cast<RankedTensorType>(row.getType()).getDimSize(0) == width &&
         !isa<rnn::DotOp>(user);
}

std::optional<Candidate> candidateAt(rnn::RecurrenceOp op, unsigned sequence) {
  Value operand = op.getSequences()[sequence];
  auto linear = operand.getDefiningOp<rnn::LinearOp>();
  if (!linear || !operand.hasOneUse() ||
      failed(findWeight(linear.getWeight())) ||
      (linear.getBias() && failed(findWeight(linear.getBias()))))
    return std::nullopt;
  Candidate candidate{op, sequence, linear};
  Value row = candidate.row();
  Type operandType = candidate.weightType().getElementType();
  bool fits = isa<FloatType>(operandType) &&
              getElementTypeOrSelf(row) == carrierOf(op) &&
              !op.getStep().getOps<rnn::DotOp>().empty() &&
              llvm::all_of(row.getUsers(), [&](Operation *user) {
                return takesBodyRow(user, row, op.getWidth());
              });
  for (rnn::DotOp dot : op.getStep().getOps<rnn::DotOp>())
    fits &= getElementTypeOrSelf(dot.getWeight()) == operandType;
  return fits ? std::optional(candidate) : std::nullopt;
}

/// The problem that is left where \p candidate is fused.
tiling::RecurrenceProblem problemOf(Candidate candidate) {
  tiling::RecurrenceProblem problem = describe(candidate.recurrence);
  int64_t slices =
      std::distance(candidate.row().user_begin(), candidate.row().user_end());
  problem.slices -= slices;
  problem.inputs += 1;
  problem.inputMatrices += slices;
  problem.inputWidth =
      std::max(problem.inputWidth, candidate.weightType().getDimSize(1));
  return problem;
}

/// The row of `width` elements from `offset` of what the linear gives.
Value buildProduct(OpBuilder &b, Candidate &candidate, Value input,
                   Value weight, Value bias, int64_t offset) {
  Location loc = candidate.linear.getLoc();
  auto type = RankedTensorType::get({candidate.recurrence.getWidth()},
                                    getElementTypeOrSelf(candidate.linear));
  Value product = rnn::InputDotOp::create(b, loc, type, input, weight, offset);
  if (!bias)
    return product;
  OpFoldResult first = b.getIndexAttr(offset), one = b.getIndexAttr(1),
               size = b.getIndexAttr(type.getDimSize(0));
  Value row = tensor::ExtractSliceOp::create(b, loc, bias, first, size, one);
  return arith::AddFOp::create(b, loc, product, row);
}

/// The recurrence with the linear's operands in place of its result.
rnn::RecurrenceOp replaceOperands(OpBuilder &b, Candidate &candidate) {
  rnn::RecurrenceOp old = candidate.recurrence;
  SmallVector<Value> sequences(old.getSequences()), weights(old.getWeights());
  sequences[candidate.sequence] = candidate.linear.getInput();
  weights.push_back(candidate.linear.getWeight());
  if (candidate.linear.getBias())
    weights.push_back(candidate.linear.getBias());
  auto fused = rnn::RecurrenceOp::create(
      b, old.getLoc(), old.getResultTypes(), sequences, weights,
      old.getInitial(), old.getLengths(), old.getRandom(), old.getDirection(),
      old.getHeads(), old.getPrecisionAttr());
  fused->setDiscardableAttrs(old->getDiscardableAttrDictionary());
  fused.getBody().takeBody(old.getBody());
  old->replaceAllUsesWith(fused);
  old.erase();
  return fused;
}

void fuse(Candidate candidate) {
  OpBuilder b(candidate.recurrence);
  unsigned sequence = candidate.sequence;
  size_t sequences = candidate.recurrence.getSequences().size();
  size_t weights = candidate.recurrence.getWeights().size();
  rnn::LinearOp linear = candidate.linear;
  candidate.recurrence = replaceOperands(b, candidate);

  Block &body = candidate.recurrence.getStep();
  auto rowType = cast<RankedTensorType>(linear.getInput().getType());
  BlockArgument input =
      body.insertArgument(sequence,
                          RankedTensorType::get({rowType.getShape().back()},
                                                rowType.getElementType()),
                          linear.getLoc());
  BlockArgument row = body.getArgument(sequence + 1);
  // One past their place for as long as the old row is there.
  unsigned end = sequences + weights + 1;
  Value weight =
      body.insertArgument(end, linear.getWeight().getType(), linear.getLoc());
  Value bias;
  if (linear.getBias())
    bias = body.insertArgument(end + 1, linear.getBias().getType(),
                               linear.getLoc());
  Value whole;
  for (Operation *user : llvm::make_early_inc_range(row.getUsers())) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (slice) {
      b.setInsertionPoint(slice);
      slice.replaceAllUsesWith(buildProduct(b, candidate, input, weight, bias,
                                            slice.getStaticOffsets()[0]));
      slice.erase();
      continue;
    }
    if (!whole) {
      b.setInsertionPointToStart(&body);
      whole = buildProduct(b, candidate, input, weight, bias, 0);
    }
    user->replaceUsesOfWith(row, whole);
  }
  body.eraseArgument(row.getArgNumber());
  linear.erase();
}

struct FuseInputProduct : impl::FuseInputProductBase<FuseInputProduct> {
  using FuseInputProductBase::FuseInputProductBase;

  void runOnOperation() override {
    FailureOr<Profile> target = resolveProfile(getOperation(), profile);
    if (failed(target))
      return signalPassFailure();
    SmallVector<rnn::RecurrenceOp> recurrences;
    getOperation().walk([&](rnn::RecurrenceOp op) {
      // A pinned strategy or pinned tiles were chosen for the body as it is.
      if (!op->hasAttr(kStrategyAttr) && !op->hasAttr(kTilesAttr))
        recurrences.push_back(op);
    });
    for (rnn::RecurrenceOp op : recurrences)
      for (unsigned i = 0, e = op.getSequences().size(); i < e; ++i) {
        std::optional<Candidate> candidate = candidateAt(op, i);
        if (!candidate || !tiling::fusesInput(*target, problemOf(*candidate)))
          continue;
        fuse(*candidate);
        break; // The operation is another; its other sequences stay.
      }
  }
};

} // namespace
} // namespace rung
