//===- GridOperands.cpp - operands that workgroups exchange ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/GridOperands.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace rung {

/// Bits of a word that are not its tag.
static constexpr unsigned kPayload = 16;

static unsigned bitsOf(Value operand) {
  return getElementTypeOrSelf(operand).getIntOrFloatBitWidth();
}

FailureOr<GridOperands> GridOperands::create(ProgramBuilder &p,
                                             const CellPlan &plan) {
  GridOperands result;
  rnn::RecurrenceOp op = plan.op;
  Type word = IntegerType::get(p.context(), 32);
  for (unsigned phase = 1; phase <= plan.phases; ++phase) {
    unsigned used = kPayload;
    for (Value operand : plan.operandsOf(phase)) {
      unsigned bits = bitsOf(operand);
      if (bits > kPayload)
        return op.emitOpError("multiplies operands of ")
               << getElementTypeOrSelf(operand) << "; strategy 'resident-grid' "
               << "exchanges no more than " << kPayload << " bits";
      if (used + bits > kPayload) {
        int64_t halves = phase == 1 ? 2 : 1;
        Value buffer =
            p.scratch(word, tile::ExtentAttr::get(p.context(), tile::Symbol::B,
                                                  1, halves * op.getWidth()));
        result.groups.push_back({phase, {}, buffer});
        used = 0;
      }
      result.groups.back().operands.push_back(operand);
      used += bits;
    }
  }
  result.progress = p.progress(/*words=*/1);
  return result;
}

/// A flight that \p body computes of flights, element by element.
static Value
emitMap(KernelBuilder &k, ValueRange flights, Type element,
        llvm::function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  auto from = cast<tile::FlightType>(flights.front().getType());
  auto type = tile::FlightType::get(from.getRows(), from.getColumns(), element,
                                    from.getWidth());
  auto map = tile::MapOp::create(
      k.b(), TypeRange{type}, flights,
      [&](OpBuilder &builder, Location loc, ValueRange elements) {
        ImplicitLocOpBuilder b(loc, builder);
        Value result = body(b, elements);
        builder.setInsertionPoint(b.getInsertionBlock(), b.getInsertionPoint());
        return SmallVector<Value>{result};
      });
  return map.getResult(0);
}

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(int32_t(value)));
}

/// A value in the carrier as the bits of \p operand's format, in an i32.
static Value toBits(ImplicitLocOpBuilder &b, Value value, Type format) {
  if (isa<FloatType>(format)) {
    if (value.getType() != format)
      value = arith::TruncFOp::create(b, format, value);
    Type bits = b.getIntegerType(format.getIntOrFloatBitWidth());
    value = arith::BitcastOp::create(b, bits, value);
    return arith::ExtUIOp::create(b, b.getI32Type(), value);
  }
  if (value.getType() != b.getI32Type())
    value = arith::ExtUIOp::create(b, b.getI32Type(), value);
  int64_t mask = (int64_t(1) << format.getIntOrFloatBitWidth()) - 1;
  return arith::AndIOp::create(b, value, constant(b, mask));
}

Value emitPack(KernelBuilder &k, const OperandWords &group, ValueRange values) {
  return emitMap(
      k, values, k.b().getI32Type(),
      [&](ImplicitLocOpBuilder &b, ValueRange elements) {
        Value word;
        unsigned shift = 0;
        for (auto [operand, element] : llvm::zip(group.operands, elements)) {
          Value bits = toBits(b, element, getElementTypeOrSelf(operand));
          if (shift)
            bits = arith::ShLIOp::create(b, bits, constant(b, shift));
          word = word ? arith::OrIOp::create(b, word, bits).getResult() : bits;
          shift += bitsOf(operand);
        }
        return word;
      });
}

SmallVector<Value> emitUnpack(KernelBuilder &k, const OperandWords &group,
                              Value words) {
  SmallVector<Value> result;
  unsigned shift = 0;
  for (Value operand : group.operands) {
    Type format = getElementTypeOrSelf(operand);
    result.push_back(emitMap(
        k, words, format, [&](ImplicitLocOpBuilder &b, ValueRange elements) {
          Value bits = elements[0];
          if (shift)
            bits = arith::ShRUIOp::create(b, bits, constant(b, shift));
          bits = arith::TruncIOp::create(
              b, b.getIntegerType(format.getIntOrFloatBitWidth()), bits);
          return isa<FloatType>(format)
                     ? arith::BitcastOp::create(b, format, bits).getResult()
                     : bits;
        }));
    shift += bitsOf(operand);
  }
  return result;
}

Value emitSum(KernelBuilder &k, ArrayRef<Value> flights) {
  auto type = cast<tile::FlightType>(flights.front().getType());
  return emitMap(
      k, flights, type.getElementType(),
      [&](ImplicitLocOpBuilder &b, ValueRange elements) {
        SmallVector<Value> sums(elements);
        for (; sums.size() > 1; sums.resize((sums.size() + 1) / 2))
          for (size_t i = 0; 2 * i + 1 < sums.size(); ++i) {
            Value left = sums[2 * i], right = sums[2 * i + 1];
            sums[i] = isa<FloatType>(left.getType())
                          ? arith::AddFOp::create(b, left, right).getResult()
                          : arith::AddIOp::create(b, left, right).getResult();
            if (2 * i + 3 == sums.size())
              sums[i + 1] = sums.back();
          }
        return sums.front();
      });
}

} // namespace rung
