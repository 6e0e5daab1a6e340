//===- PairedBody.cpp - one step of a cell in pairs of f16 ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/PairedBody.h"

#include "passes/precision/PairActivations.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace rung {

using arith::CmpFPredicate;

static bool isMatrix(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank() == 3;
}

static Type inHalves(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.clone(Float16Type::get(type.getContext()));
}

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

PairedBody::PairedBody(rnn::RecurrenceOp from, rnn::RecurrenceOp to)
    : from_(from), to_(to), builder_(from.getContext()),
      row_(RankedTensorType::get({from.getWidth()}, builder_.getF16Type())),
      stochastic_(from.getPrecision() &&
                  from.getPrecision()->getRound() == rnn::Round::Stochastic) {}

LogicalResult PairedBody::build() {
  builder_.createBlock(&to_.getBody());
  addArguments();
  for (Operation &op : from_.getStep())
    if (failed(rewrite(op)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value PairedBody::addArgument(Value old) {
  return to_.getStep().addArgument(inHalves(old), old.getLoc());
}

void PairedBody::addPair(Value old) {
  Value high = addArgument(old);
  pairs_[old] = {high, addArgument(old), 0, true};
}

void PairedBody::addArguments() {
  for (Value sequence : from_.getSequenceArguments())
    addPair(sequence);
  for (Value weight : from_.getWeightArguments())
    if (isMatrix(weight))
      others_.map(weight, addArgument(weight));
    else
      addPair(weight);
  for (Value state : from_.getStateArguments())
    addPair(state);
}

Pair PairedBody::get(PairBuilder &b, Value old, int scale) {
  Pair pair = pairs_.lookup(old);
  return b.rescale(pair, std::min(pair.scale, scale));
}

Pair PairedBody::normal(PairBuilder &b, Value old) {
  Pair pair = b.normalise(get(b, old));
  pairs_[old] = pair;
  return pair;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult PairedBody::rewrite(Operation &op) {
  PairBuilder b(builder_, op.getLoc(), row_, stochastic_);
  if (auto yield = dyn_cast<rnn::YieldOp>(op))
    return rewriteYield(b, yield);
  bool done =
      llvm::TypeSwitch<Operation *, bool>(&op)
          .Case([&](tensor::ExtractSliceOp slice) {
            rewriteSlice(slice);
            return true;
          })
          .Case([&](rnn::DotOp dot) {
            rewriteDot(b, dot);
            return true;
          })
          .Case([&](arith::ConstantOp constant) {
            return rewriteConstant(b, constant);
          })
          .Default([&](Operation *other) {
            return rewriteArithmetic(b, *other) || rewriteActivation(b, *other);
          });
  if (!done)
    return op.emitOpError("has no form in pairs of f16");
  return success();
}

bool PairedBody::rewriteArithmetic(PairBuilder &b, Operation &op) {
  auto operand = [&](unsigned i) { return op.getOperand(i); };
  auto give = [&](Pair pair) {
    pairs_[op.getResult(0)] = pair;
    return true;
  };
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](arith::AddFOp) {
        // A share may stay at its scale: the sum takes it as an increment.
        Pair x = get(b, operand(0), kGateScale);
        return give(b.add(x, get(b, operand(1), kGateScale)));
      })
      .Case([&](arith::SubFOp) {
        Pair x = get(b, operand(0));
        return give(b.sub(x, get(b, operand(1))));
      })
      .Case([&](arith::MulFOp product) {
        rewriteProduct(b, product);
        return true;
      })
      .Case([&](arith::DivFOp) {
        Pair x = normal(b, operand(0));
        return give(buildQuotient(b, x, normal(b, operand(1))));
      })
      .Case([&](arith::NegFOp) { return give(b.neg(get(b, operand(0)))); })
      .Case([&](math::AbsFOp) { return give(b.abs(normal(b, operand(0)))); })
      .Case([&](arith::MaximumFOp) {
        return give(extreme(b, operand(0), operand(1), /*larger=*/true));
      })
      .Case([&](arith::MinimumFOp) {
        return give(extreme(b, operand(0), operand(1), /*larger=*/false));
      })
      .Case([&](arith::CmpFOp compare) {
        rewriteCompare(b, compare);
        return true;
      })
      .Case([&](arith::SelectOp select) {
        if (!isFloat(select.getResult())) {
          builder_.clone(op, others_);
          return true;
        }
        Pair yes = normal(b, select.getTrueValue());
        Pair no = normal(b, select.getFalseValue());
        return give(b.select(others_.lookup(select.getCondition()), yes, no));
      })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>([&](auto logic) {
        if (!getElementTypeOrSelf(logic.getResult()).isInteger(1))
          return false;
        builder_.clone(op, others_);
        return true;
      })
      .Default([](Operation *) { return false; });
}

bool PairedBody::rewriteActivation(PairBuilder &b, Operation &op) {
  auto give = [&](Pair pair) {
    pairs_[op.getResult(0)] = pair;
    return true;
  };
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](rnn::SigmoidOp sigmoid) {
        return give(buildSigmoid(b, normal(b, sigmoid.getInput())));
      })
      .Case([&](math::TanhOp tanh) {
        return give(buildTanh(b, normal(b, tanh.getOperand())));
      })
      .Case([&](math::ExpOp exp) {
        return give(buildExp(b, normal(b, exp.getOperand())));
      })
      .Default([](Operation *) { return false; });
}

void PairedBody::rewriteSlice(tensor::ExtractSliceOp slice) {
  auto take = [&](Value source) -> Value {
    return tensor::ExtractSliceOp::create(
        builder_, slice.getLoc(),
        cast<RankedTensorType>(inHalves(slice.getResult())), source,
        slice.getMixedOffsets(), slice.getMixedSizes(),
        slice.getMixedStrides());
  };
  if (isMatrix(slice.getSource())) {
    others_.map(slice.getResult(), take(others_.lookup(slice.getSource())));
    return;
  }
  Pair source = pairs_.lookup(slice.getSource());
  Value high = take(source.high);
  pairs_[slice.getResult()] = {high, take(source.low), 0, true};
}

void PairedBody::rewriteDot(PairBuilder &b, rnn::DotOp dot) {
  Pair input = normal(b, dot.getInput());
  Value matrix = others_.lookup(dot.getWeight());
  Type type = inHalves(dot.getResult());
  Value high =
      rnn::DotOp::create(builder_, dot.getLoc(), type, input.high, matrix);
  Value low =
      rnn::DotOp::create(builder_, dot.getLoc(), type, input.low, matrix);
  pairs_[dot.getResult()] = {high, low, 0, false};
}

bool PairedBody::rewriteConstant(PairBuilder &b, arith::ConstantOp constant) {
  auto splat = cast<SplatElementsAttr>(constant.getValue());
  if (splat.getElementType().isInteger(1)) {
    builder_.clone(*constant, others_);
    return true;
  }
  if (!isFloat(constant.getResult()))
    return false;
  APFloat value = splat.getSplatValue<APFloat>();
  pairs_[constant.getResult()] = b.constantPair(value.convertToDouble());
  return true;
}

void PairedBody::rewriteProduct(PairBuilder &b, arith::MulFOp product) {
  int scale = shareScale(from_, product);
  Pair x = get(b, product.getLhs(), scale);
  Pair y = get(b, product.getRhs(), scale);
  if (x.scale != 0 && y.scale != 0)
    y = b.rescale(y, 0);
  pairs_[product.getResult()] = b.mul(x, y);
}

Value PairedBody::compare(PairBuilder &b, CmpFPredicate predicate, Value x,
                          Value y) {
  if (matchPattern(y, m_AnyZeroFloat())) // The high half has the sign.
    return b.compare(predicate, normal(b, x).high, 0);
  Pair left = get(b, x);
  return b.compare(predicate, left, get(b, y));
}

void PairedBody::rewriteCompare(PairBuilder &b, arith::CmpFOp op) {
  others_.map(op.getResult(),
              compare(b, op.getPredicate(), op.getLhs(), op.getRhs()));
}

Pair PairedBody::extreme(PairBuilder &b, Value x, Value y, bool larger) {
  Value first =
      compare(b, larger ? CmpFPredicate::UGT : CmpFPredicate::ULT, x, y);
  Pair left = normal(b, x);
  Pair right = normal(b, y);
  Pair result = b.select(first, left, right);
  if (matchPattern(y, m_Constant()))
    return result;
  // A NaN of x was chosen above; one of y is here.
  Value isNan = compare(b, CmpFPredicate::UNO, y, y);
  return b.select(isNan, right, result);
}

LogicalResult PairedBody::markSums(rnn::YieldOp yield, unsigned state,
                                   const Pair &pair) {
  if (!pair.lowSum) {
    Operation *maker = yield.getStates()[state].getDefiningOp();
    return from_.emitOpError("makes state ")
           << state << " by "
           << (maker ? maker->getName().getStringRef() : "no operation")
           << ", which rounds its low half by no sum; nothing there can be "
              "rounded stochastically";
  }
  for (Operation *sum : {pair.lowSum, pair.gridSum})
    if (sum)
      sum->setAttr(kRoundsStateAttr, builder_.getUnitAttr());
  return success();
}

LogicalResult PairedBody::rewriteYield(PairBuilder &b, rnn::YieldOp yield) {
  SmallVector<Value> outputs, states;
  for (Value output : yield.getOutputs()) {
    Pair pair = normal(b, output);
    outputs.append({pair.high, pair.low});
  }
  for (auto [i, state] : llvm::enumerate(yield.getStates())) {
    Pair pair = normal(b, state);
    states.append({pair.high, pair.low});
    if (stochastic_ && failed(markSums(yield, i, pair)))
      return failure();
  }
  rnn::YieldOp::create(builder_, yield.getLoc(), outputs, states);
  return success();
}

//===----------------------------------------------------------------------===//
// Scale of a share
//===----------------------------------------------------------------------===//

/// True if no value of the row is more than 16 in magnitude.
static bool isSmall(Value row) {
  if (row.getDefiningOp<rnn::SigmoidOp>() || row.getDefiningOp<math::TanhOp>())
    return true;
  APFloat value(0.0);
  if (matchPattern(row, m_ConstantFloat(&value)))
    return std::abs(value.convertToDouble()) <= 16;
  if (auto product = row.getDefiningOp<arith::MulFOp>()) // Scaled tanh.
    return matchPattern(product.getRhs(), m_ConstantFloat(&value)) &&
           std::abs(value.convertToDouble()) <= 16 && isSmall(product.getLhs());
  return false;
}

int shareScale(rnn::RecurrenceOp recurrence, arith::MulFOp product) {
  if (!product->hasOneUse())
    return 0;
  auto sum = dyn_cast<arith::AddFOp>(*product->user_begin());
  if (!sum)
    return 0;
  Value state = sum.getLhs() == product ? sum.getRhs() : sum.getLhs();
  if (!llvm::is_contained(recurrence.getStateArguments(), state))
    return 0;
  auto distance = product.getRhs().getDefiningOp<arith::SubFOp>();
  if (!distance)
    distance = product.getLhs().getDefiningOp<arith::SubFOp>();
  bool bounded =
      distance && distance.getRhs() == state && isSmall(distance.getLhs());
  // u * 2^10 * (16 + 32) is an f16; so is u * 2^4 * 4000.
  return bounded ? kGateScale : 4;
}

} // namespace rung
