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

/// Where more parts are needed, pieces are chosen by selection, too.
constexpr int64_t kMostParts = 4096;

/// The logarithm of the largest power of two that no two of \p knots are closer
/// than.
int64_t partShift(ArrayRef<int32_t> knots) {
  int64_t gap = int64_t(1) << 30;
  for (auto [knot, next] : llvm::zip(knots, knots.drop_front()))
    gap = std::min(gap, int64_t(next) - knot);
  return llvm::Log2_64(uint64_t(gap));
}

/// Parts of so many numbers each, from the first knot to the last.
int64_t countParts(ArrayRef<int32_t> knots) {
  int64_t range = int64_t(knots.back()) - knots.front();
  return (range >> partShift(knots)) + 1;
}

bool isTabulated(rnn::PiecewiseOp pieces) {
  ArrayRef<int32_t> knots = pieces.getKnots();
  return size_t(pieces.getNumPieces()) > kFewPieces &&
         countParts(knots) <= kMostParts &&
         int64_t(knots.back()) + (int64_t(1) << partShift(knots)) <=
             std::numeric_limits<int32_t>::max();
}

class Tabulation {
public:
  explicit Tabulation(rnn::RecurrenceOp op) : op_(op) {}

  void replace(rnn::PiecewiseOp pieces) {
    ImplicitLocOpBuilder b(pieces.getLoc(), pieces);
    row_ = cast<RankedTensorType>(pieces.getType());
    Value x = pieces.getInput();
    Value piece = findPiece(b, x, pieces.getKnots());
    Value slope = lookUp(b, piece, pieces.getSlopes());
    Value offset = lookUp(b, piece, pieces.getOffsets());
    Value rise =
        rnn::RequantizeOp::create(b, row_, x, slope, pieces.getShiftAttr());
    Value sum = arith::AddIOp::create(b, offset, rise);
    pieces.replaceAllUsesWith(sum);
    pieces.erase();
  }

private:
  Value constant(ImplicitLocOpBuilder &b, int32_t number) {
    return arith::ConstantOp::create(b, DenseElementsAttr::get(row_, number));
  }

  /// The number of \p knots that are at most x. Their range is cut into equal
  /// parts, so many that no two knots are in one: a part tells how many are
  /// before it, and which is next.
  Value findPiece(ImplicitLocOpBuilder &b, Value x, ArrayRef<int32_t> knots) {
    int64_t shift = partShift(knots), low = knots.front();
    std::vector<int32_t> before, next;
    for (int64_t start = low; start <= knots.back(); start += 1ll << shift) {
      size_t count = llvm::lower_bound(knots, start) - knots.begin();
      before.push_back(int32_t(count));
      next.push_back(knots[count]);
    }
    // What is past the last part counts as in it, and is past its knot.
    auto take = [&](const std::vector<int32_t> &entries) -> Value {
      return rnn::LookupOp::create(b, row_, x, table(entries), int32_t(low),
                                   int32_t(shift), /*interpolate=*/false);
    };
    Value first = take(before);
    Value past =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sge, x, take(next));
    Value after = arith::AddIOp::create(b, first, constant(b, 1));
    return arith::SelectOp::create(b, past, after, first);
  }

  Value lookUp(ImplicitLocOpBuilder &b, Value index,
               ArrayRef<int32_t> entries) {
    auto lookup = rnn::LookupOp::create(b, row_, index, table(entries),
                                        /*low=*/0, /*shift=*/0,
                                        /*interpolate=*/false);
    lookup->setAttr(kInTableAttr, b.getUnitAttr());
    return lookup;
  }

  /// The body's argument for a weight of these entries; equal ones share one.
  Value table(ArrayRef<int32_t> numbers) {
    std::vector<int32_t> entries(numbers);
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
    if (isTabulated(pieces))
      tabulation.replace(pieces);
}

} // namespace rung
