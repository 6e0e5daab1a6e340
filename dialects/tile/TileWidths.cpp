//===- TileWidths.cpp - how much a thread moves at once --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileWidths.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace rung::tile {

/// Chains of arithmetic longer than this are not looked through.
static constexpr int kDepth = 16;

static int64_t divisorOf(Value index, int depth) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return std::abs(constant.getSExtValue());
  if (depth == kDepth)
    return 1;
  auto of = [&](Value value) { return divisorOf(value, depth + 1); };
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar()
               ? std::gcd(of(loop.getLowerBound()), of(loop.getStep()))
               : 1;
  }
  return llvm::TypeSwitch<Operation *, int64_t>(index.getDefiningOp())
      .Case<arith::MulIOp>([&](auto op) {
        int64_t a = of(op.getLhs()), b = of(op.getRhs()), product;
        return llvm::MulOverflow(a, b, product) ? std::max(a, b) : product;
      })
      // The remainder differs from the left operand by a multiple of the right.
      .Case<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp,
            arith::RemUIOp, arith::RemSIOp>(
          [&](auto op) { return std::gcd(of(op.getLhs()), of(op.getRhs())); })
      .Case<arith::SelectOp>([&](auto op) {
        return std::gcd(of(op.getTrueValue()), of(op.getFalseValue()));
      })
      .Case<arith::IndexCastOp>([&](auto op) { return of(op.getIn()); })
      .Default([](Operation *) { return 1; });
}

int64_t knownDivisor(Value index) { return divisorOf(index, 0); }

int64_t elementBytes(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

bool isWidth(int64_t width, Type element) {
  int64_t bytes = width * elementBytes(element);
  return width == 1 ||
         (llvm::isPowerOf2_64(width) &&
          (bytes == 4 || bytes == 8 || bytes % kAccessBytes == 0));
}

int64_t widestWidth(Type from, Type to, int64_t divisor) {
  int64_t bytes = std::min(elementBytes(from), elementBytes(to));
  for (int64_t width = kAccessBytes / bytes; width > 1; width /= 2)
    if (divisor % width == 0 && isWidth(width, from) && isWidth(width, to))
      return width;
  return 1;
}

int64_t unitOf(int64_t width, Type element) {
  return width == 1 ? 0 : std::min(kAccessBytes, width * elementBytes(element));
}

Type unitType(MLIRContext *context, int64_t bytes) {
  Type word = IntegerType::get(context, 32);
  return bytes == 4 ? word : Type(VectorType::get({bytes / 4}, word));
}

} // namespace rung::tile
