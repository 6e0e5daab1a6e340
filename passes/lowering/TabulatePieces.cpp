//===- TabulatePieces.cpp - piecewise functions by tables -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/TabulatePieces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <map>

using namespace mlir;

namespace rung {

namespace {

/// So many are chosen by selection.
constexpr size_t kFewPieces = 8;

class Tabulation {
public:
  explicit Tabulation(rnn::RecurrenceOp op) : op_(op) {}

  void replace(rnn::PiecewiseOp pieces) {
    ImplicitLocOpBuilder b(pieces.getLoc(), pieces);
    row_ = cast<RankedTensorType>(pieces.getType());
    size_t count = llvm::PowerOf2Ceil(pieces.getNumPieces());
    // Past the last piece come copies of it, behind knots that nothing passes
    // but the largest number, for which it is the same.
    auto knots =
        padded(pieces.getKnots(), count, std::numeric_limits<int32_t>::max());
    auto slopes = padded(pieces.getSlopes(), count, pieces.getSlopes().back());
    auto offsets =
        padded(pieces.getOffsets(), count, pieces.getOffsets().back());
    Value x = pieces.getInput();
    Value piece = findPiece(b, x, knots);
    Value slope = lookUp(b, piece, slopes);
    Value offset = lookUp(b, piece, offsets);
    Value rise =
        rnn::RequantizeOp::create(b, row_, x, slope, pieces.getShiftAttr());
    Value sum = arith::AddIOp::create(b, offset, rise);
    pieces.replaceAllUsesWith(sum);
    pieces.erase();
  }

private:
  static std::vector<int32_t> padded(ArrayRef<int32_t> numbers, size_t count,
                                     int32_t beyond) {
    std::vector<int32_t> result(numbers);
    result.resize(count, beyond);
    return result;
  }

  Value constant(ImplicitLocOpBuilder &b, int32_t number) {
    return arith::ConstantOp::create(b, DenseElementsAttr::get(row_, number));
  }

  /// The number of knots that are at most x, as many bits of it as the number
  /// of knots has.
  Value findPiece(ImplicitLocOpBuilder &b, Value x,
                  const std::vector<int32_t> &knots) {
    size_t half = knots.size() / 2;
    auto isPast = [&](Value knot) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::sge, x, knot);
    };
    auto choose = [&](Value condition, Value yes, Value no) -> Value {
      return arith::SelectOp::create(b, condition, yes, no);
    };
    Value past = isPast(constant(b, knots[half - 1]));
    Value piece = choose(past, constant(b, int32_t(half)), constant(b, 0));
    Value knot = choose(past, constant(b, knots[half + half / 2 - 1]),
                        constant(b, knots[half / 2 - 1]));
    for (half /= 2; half > 0; half /= 2) {
      Value next = arith::AddIOp::create(b, piece, constant(b, int32_t(half)));
      piece = choose(isPast(knot), next, piece);
      if (half == 1)
        break;
      Value middle = piece;
      if (half > 2)
        middle =
            arith::AddIOp::create(b, piece, constant(b, int32_t(half / 2 - 1)));
      knot = lookUp(b, middle, knots);
    }
    return piece;
  }

  Value lookUp(ImplicitLocOpBuilder &b, Value index,
               const std::vector<int32_t> &entries) {
    auto lookup = rnn::LookupOp::create(b, row_, index, table(entries),
                                        /*low=*/0, /*shift=*/0,
                                        /*interpolate=*/false);
    lookup->setAttr(kInTableAttr, b.getUnitAttr());
    return lookup;
  }

  /// The body's argument for a weight of these entries; equal ones share one.
  Value table(const std::vector<int32_t> &entries) {
    Value &argument = tables_[entries];
    if (argument)
      return argument;
    OpBuilder b(op_);
    auto type =
        RankedTensorType::get({int64_t(entries.size())}, b.getI32Type());
    Value loaded = rnn::LoadWeightOp::create(
        b, op_.getLoc(), type,
        FlatSymbolRefAttr::get(addWeight(type, entries)));
    unsigned position = op_.getSequences().size() + op_.getWeights().size();
    op_.getWeightsMutable().append(loaded);
    return argument =
               op_.getStep().insertArgument(position, type, op_.getLoc());
  }

  StringAttr addWeight(RankedTensorType type,
                       const std::vector<int32_t> &entries) {
    auto module = op_->getParentOfType<ModuleOp>();
    unsigned number = 0;
    auto name = SymbolTable::generateSymbolName<32>(
        "pieces",
        [&](StringRef candidate) {
          return module.lookupSymbol(candidate) != nullptr;
        },
        number);
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    auto weight =
        rnn::WeightOp::create(b, op_.getLoc(), StringRef(name),
                              DenseElementsAttr::get(type, ArrayRef(entries)));
    return weight.getSymNameAttr();
  }

  rnn::RecurrenceOp op_;
  RankedTensorType row_;
  std::map<std::vector<int32_t>, Value> tables_;
};

} // namespace

void tabulatePieces(rnn::RecurrenceOp op) {
  Tabulation tabulation(op);
  for (auto pieces :
       llvm::make_early_inc_range(op.getStep().getOps<rnn::PiecewiseOp>()))
    if (pieces.getNumPieces() > kFewPieces)
      tabulation.replace(pieces);
}

} // namespace rung
