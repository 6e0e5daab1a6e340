//===- LowerInt8PwlStates.cpp - grids of carried states ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/LowerInt8PwlGraph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace rung::rnn;
using Bounds = rung::numerics::Range;

namespace rung::int8 {

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The states of a run may go past those of the calibration.
static constexpr double kStateHeadroom = 1.5;

static Bounds product(Bounds a, Bounds b) {
  if (!std::isfinite(a.low + a.high + b.low + b.high))
    return {-kInfinity, kInfinity};
  auto bounds = std::minmax(
      {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {bounds.first, bounds.second};
}

/// Where \p value of a body lies whatever its arguments are.
static Bounds rangeOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {-kInfinity, kInfinity};
  auto operand = [&](unsigned i) { return rangeOf(op->getOperand(i)); };
  return llvm::TypeSwitch<Operation *, Bounds>(op)
      .Case<SigmoidOp>([](auto) { return Bounds{0, 1}; })
      .Case<math::TanhOp>([](auto) { return Bounds{-1, 1}; })
      .Case<arith::ConstantOp>([](arith::ConstantOp constant) {
        APFloat number(0.0);
        if (!matchPattern(constant.getResult(), m_ConstantFloat(&number)))
          return Bounds{-kInfinity, kInfinity};
        return Bounds{number.convertToDouble(), number.convertToDouble()};
      })
      .Case<arith::MulFOp>(
          [&](auto) { return product(operand(0), operand(1)); })
      .Case<arith::AddFOp>([&](auto) {
        return Bounds{operand(0).low + operand(1).low,
                      operand(0).high + operand(1).high};
      })
      .Case<arith::SubFOp>([&](auto) {
        return Bounds{operand(0).low - operand(1).high,
                      operand(0).high - operand(1).low};
      })
      .Case<arith::MaximumFOp>([&](auto) {
        return Bounds{std::max(operand(0).low, operand(1).low),
                      std::max(operand(0).high, operand(1).high)};
      })
      .Case<arith::MinimumFOp>([&](auto) {
        return Bounds{std::min(operand(0).low, operand(1).low),
                      std::min(operand(0).high, operand(1).high)};
      })
      .Default([](Operation *) { return Bounds{-kInfinity, kInfinity}; });
}

/// If \p next is state + u * (n - state) with u in 0 .. 1: n. Null otherwise.
static Value candidateOf(Value next, Value state) {
  auto sum = next.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return {};
  Value step = sum.getLhs() == state   ? sum.getRhs()
               : sum.getRhs() == state ? sum.getLhs()
                                       : Value();
  auto share = step ? step.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  if (!share)
    return {};
  for (unsigned i : {0, 1}) {
    auto distance = share->getOperand(i).getDefiningOp<arith::SubFOp>();
    Bounds u = rangeOf(share->getOperand(1 - i));
    if (distance && distance.getRhs() == state && u.low >= 0 && u.high <= 1)
      return distance.getLhs();
  }
  return {};
}

/// The largest magnitude that a state that \p next follows can reach.
static double provenMagnitude(Value next, Value state) {
  Value candidate = candidateOf(next, state);
  Bounds range = rangeOf(candidate ? candidate : next);
  double magnitude = std::max(std::abs(range.low), std::abs(range.high));
  // A share leaves the state between where it was and the candidate.
  return candidate ? std::max(1.0, magnitude) : magnitude;
}

FailureOr<SmallVector<StateGrid>> chooseStateGrids(RecurrenceOp op,
                                                   bool isShort) {
  SmallVector<StateGrid> grids;
  auto seen = op->getAttrOfType<DenseF64ArrayAttr>("rung.state_range");
  for (auto [i, state, next] :
       llvm::enumerate(op.getStateArguments(), op.getYield().getStates())) {
    double magnitude = provenMagnitude(next, state);
    if (!std::isfinite(magnitude) && seen && int64_t(i) < seen.size())
      magnitude = std::max(kStateHeadroom * seen[i], 1e-3);
    if (!std::isfinite(magnitude))
      return op.emitOpError("has state ")
             << i << " whose range is not known; int8 needs it calibrated: "
             << "rung-compile --calibrate, or rung.state_range";
    grids.push_back(stateGrid(magnitude, isShort));
  }
  return grids;
}

} // namespace rung::int8
