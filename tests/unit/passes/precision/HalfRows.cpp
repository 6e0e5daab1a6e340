//===- HalfRows.cpp - emitted f16 arithmetic on many numbers --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/passes/precision/HalfRows.h"

#include "runtime/base/Half.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

using namespace mlir;

namespace rung::test {

MLIRContext *HalfRows::load(MLIRContext &context) {
  context.loadDialect<arith::ArithDialect, math::MathDialect>();
  return &context;
}

static std::unique_ptr<Block> makeBlock(MLIRContext *context, Type row,
                                        unsigned arguments) {
  auto block = std::make_unique<Block>();
  for (unsigned i = 0; i < arguments; ++i)
    block->addArgument(row, UnknownLoc::get(context));
  return block;
}

HalfRows::HalfRows(unsigned arguments, bool stochastic)
    : builder_(load(context_)),
      row_(RankedTensorType::get({4}, builder_.getF16Type())),
      block_(makeBlock(&context_, row_, arguments)),
      pairs_(builder_, UnknownLoc::get(&context_), row_, stochastic) {
  builder_.setInsertionPointToEnd(block_.get());
}

size_t HalfRows::count() const {
  size_t count = 0;
  for (Operation &op : *block_)
    count += !isa<arith::ConstantOp, arith::NegFOp, arith::BitcastOp>(op);
  return count;
}

/// a * b + c rounded once: the double nearest to it is moved, where it is
/// inexact, to the one beside it with an odd last bit, so that the rounding to
/// f16 sees on which side of a tie the sum lies.
static uint16_t fused(double a, double b, double c) {
  double product = a * b, sum = product + c;
  double part = sum - product;
  double missed = (product - (sum - part)) + (c - part);
  if (std::isfinite(sum) && missed != 0 &&
      (std::bit_cast<uint64_t>(sum) & 1) == 0)
    sum = std::nextafter(sum, missed > 0 ? INFINITY : -INFINITY);
  return toHalf(sum);
}

static bool holds(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::OLT:
    return a < b;
  case P::OGT:
    return a > b;
  case P::UGT:
    return unordered || a > b;
  case P::ULT:
    return unordered || a < b;
  case P::UNO:
    return unordered;
  default:
    ADD_FAILURE() << "predicate is not modelled";
    return false;
  }
}

/// One element of the result of \p op. Sums and products of two f16 are exact
/// in double.
static uint16_t evaluate(Operation *op, ArrayRef<uint16_t> x) {
  auto f = [&](unsigned i) { return double(fromHalf(x[i])); };
  return TypeSwitch<Operation *, uint16_t>(op)
      .Case([&](arith::AddFOp) { return toHalf(f(0) + f(1)); })
      .Case([&](arith::SubFOp) { return toHalf(f(0) - f(1)); })
      .Case([&](arith::MulFOp) { return toHalf(f(0) * f(1)); })
      .Case([&](math::FmaOp) { return fused(f(0), f(1), f(2)); })
      .Case([&](arith::NegFOp) { return x[0] ^ 0x8000; })
      .Case([&](math::AbsFOp) { return x[0] & 0x7fff; })
      .Case([&](arith::CmpFOp compare) {
        return holds(compare.getPredicate(), f(0), f(1));
      })
      .Case([&](arith::SelectOp) { return x[0] ? x[1] : x[2]; })
      .Case([&](arith::BitcastOp) { return x[0]; })
      .Case([&](arith::SubIOp) { return x[0] - x[1]; })
      .Case([&](arith::ShLIOp) { return x[0] << x[1]; })
      .Default([](Operation *other) {
        ADD_FAILURE() << other->getName().getStringRef().str()
                      << " is not modelled";
        return uint16_t(0);
      });
}

static uint16_t splat(arith::ConstantOp constant) {
  auto elements = cast<SplatElementsAttr>(constant.getValue());
  APInt bits = isa<FloatType>(elements.getElementType())
                   ? elements.getSplatValue<APFloat>().bitcastToAPInt()
                   : elements.getSplatValue<APInt>();
  return static_cast<uint16_t>(bits.getZExtValue());
}

std::vector<Bits> HalfRows::run(const std::vector<Bits> &inputs,
                                ArrayRef<Value> results) {
  size_t size = inputs.front().size();
  llvm::DenseMap<Value, Bits> values;
  for (auto [i, input] : llvm::enumerate(inputs))
    values[argument(i)] = input;
  std::vector<uint16_t> operands;
  for (Operation &op : *block_) {
    Bits result(size);
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      result.assign(size, splat(constant));
    } else {
      std::vector<const Bits *> from;
      for (Value operand : op.getOperands())
        from.push_back(&values.find(operand)->second);
      operands.resize(from.size());
      for (size_t i = 0; i < size; ++i) {
        for (size_t j = 0; j < from.size(); ++j)
          operands[j] = (*from[j])[i];
        result[i] = evaluate(&op, operands);
      }
    }
    values[op.getResult(0)] = std::move(result);
  }
  std::vector<Bits> wanted;
  for (Value result : results)
    wanted.push_back(values.find(result)->second);
  return wanted;
}

std::vector<double> numbers(const Bits &high, const Bits &low, int scale) {
  std::vector<double> result;
  for (size_t i = 0; i < high.size(); ++i)
    result.push_back(
        std::ldexp(double(fromHalf(high[i])) + fromHalf(low[i]), -scale));
  return result;
}

Bits everyFinite() {
  Bits result;
  for (unsigned bits = 0; bits < 0x10000; ++bits)
    if ((bits & 0x7c00) != 0x7c00)
      result.push_back(static_cast<uint16_t>(bits));
  return result;
}

Bits randomLows(const Bits &highs, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> share(-0.499, 0.499);
  Bits result;
  for (uint16_t high : highs) {
    uint16_t magnitude = high & 0x7fff;
    double last = double(fromHalf(magnitude)) -
                  fromHalf(magnitude ? magnitude - 1 : magnitude);
    result.push_back(toHalf(share(engine) * last));
  }
  return result;
}

Bits highsOf(const std::vector<double> &values) {
  Bits result;
  for (double value : values)
    result.push_back(toHalf(value));
  return result;
}

Bits lowsOf(const std::vector<double> &values) {
  Bits result;
  for (double value : values)
    result.push_back(toHalf(value - fromHalf(toHalf(value))));
  return result;
}

} // namespace rung::test
