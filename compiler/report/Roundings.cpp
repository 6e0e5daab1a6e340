//===- Roundings.cpp - what a step rounds ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/report/Roundings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"

#include <cmath>

using namespace mlir;
using namespace rung::rnn;
using rung::numerics::Arithmetic;
using rung::numerics::Grid;

namespace rung {

/// Distance of the numbers of \p type at 1.
static double unitInLastPlace(Type type) {
  if (type.isF16())
    return 0x1p-10;
  if (type.isBF16())
    return 0x1p-7;
  if (type.isF32())
    return 0x1p-23;
  return 0;
}

/// Terms that a matrix unit adds before it rounds to f16, as the reference has
/// it too.
static constexpr int64_t kTermsPerRounding = 16;

static int64_t depthOf(DotOp dot) {
  return cast<RankedTensorType>(dot.getWeight().getType()).getDimSize(2);
}

/// How many roundings \p op makes an element; 0 for what is exact.
static int64_t countRoundings(Operation &op) {
  if (auto dot = dyn_cast<DotOp>(op)) {
    Type element = getElementTypeOrSelf(dot.getResult());
    if (element.isInteger())
      return 0;
    return (depthOf(dot) + kTermsPerRounding - 1) / kTermsPerRounding;
  }
  if (isa<RequantizeOp, PiecewiseOp, LookupOp>(op))
    return 1;
  if (op.getNumResults() != 1 ||
      !isa<FloatType>(getElementTypeOrSelf(op.getResult(0))))
    return 0;
  // Selections, signs and widenings give one of the numbers they are given.
  bool rounds =
      isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::TruncFOp, arith::SIToFPOp, SigmoidOp, AddStochasticOp>(op) ||
      (isa<math::MathDialect>(op.getDialect()) &&
       !isa<math::AbsFOp, math::CopySignOp, math::RoundEvenOp, math::FloorOp,
            math::CeilOp, math::TruncOp>(op));
  return rounds ? 1 : 0;
}

static Rounding describe(Operation &op) {
  Type element = getElementTypeOrSelf(op.getResult(0));
  std::string format;
  llvm::raw_string_ostream(format) << element;
  double ulp = unitInLastPlace(element);
  if (isa<AddStochasticOp>(op))
    format += " stochastic";
  return {op.getName().getStringRef().str(), format, 0, ulp};
}

std::vector<Rounding> roundingsOf(RecurrenceOp recurrence) {
  llvm::MapVector<std::pair<OperationName, Type>, Rounding> groups;
  for (Operation &op : recurrence.getStep()) {
    int64_t count = countRoundings(op);
    if (count == 0)
      continue;
    Type element = getElementTypeOrSelf(op.getResult(0));
    auto [group, isNew] = groups.insert({{op.getName(), element}, Rounding()});
    if (isNew)
      group->second = describe(op);
    group->second.perUnit += count;
  }
  std::vector<Rounding> result;
  for (auto &[key, rounding] : groups)
    result.push_back(std::move(rounding));
  return result;
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

static Grid gridOf(Format format) {
  switch (format) {
  case Format::F32:
    return {0x1p-23, 0x1p-149};
  case Format::F16:
    return {0x1p-10, 0x1p-24};
  case Format::BF16:
    return {0x1p-7, 0x1p-133};
  case Format::F16x2:
    // The low half is spread evenly over a spacing of the high one, and has an
    // eleventh digit of its own: 2^-10 * 2^-10, times the root of the mean
    // square of that spread. Below, f16 ends at 2^-24.
    return {0.2124 * 0x1p-20, 0x1p-24};
  case Format::S8:
    return {0, 0x1p-7};
  case Format::S16:
    return {0, 0x1p-15};
  case Format::S32:
    return {0, 0x1p-24};
  }
  llvm_unreachable("every format has a grid");
}

Grid stateGridOf(PrecisionAttr precision) {
  return gridOf(precision.getState());
}

static int64_t productDepth(RecurrenceOp recurrence) {
  int64_t depth = 0;
  for (DotOp dot : recurrence.getStep().getOps<DotOp>())
    depth = std::max(depth, depthOf(dot));
  return depth;
}

static void setFloats(Arithmetic &a, Format format, Format accumulate,
                      int64_t depth) {
  a.argument = a.gate = a.increment = gridOf(format);
  a.accumulator = gridOf(accumulate);
  a.accumulations = int(depth / kTermsPerRounding + (depth % 16 != 0));
  a.argumentRoundings = 2;  // The input's product is stored; both are added.
  a.incrementRoundings = 2; // n - h, and times u.
}

/// Fills in what integer activations lose; defined in ActivationFits.cpp.
void setFits(Arithmetic &arithmetic, RecurrenceOp recurrence,
             const PrecisionOptions &options,
             const std::vector<numerics::UnitClass> &units);

Arithmetic arithmeticOf(RecurrenceOp recurrence,
                        const PrecisionOptions &options,
                        const std::vector<numerics::UnitClass> &units,
                        bool isRepresentable) {
  PrecisionAttr precision = *recurrence.getPrecision();
  Arithmetic a;
  int64_t depth = productDepth(recurrence);
  a.state = gridOf(precision.getState());
  if (!isRepresentable)
    a.input = gridOf(precision.getOperand());
  a.stochastic = precision.getRound() == Round::Stochastic;
  switch (precision.getState()) {
  case Format::F16x2:
    setFloats(a, Format::F16x2, precision.getAccumulate(), depth);
    // A gate is kept 2^10 times as large; both activations end in series.
    a.gate.absolute = 0x1p-34;
    a.gateFit = 0x1p-19;
    a.candidateFit = 0x1p-20;
    break;
  case Format::S8:
  case Format::S16:
  case Format::S32:
    // Sums are exact; the rest is finer than the pieces, but for the state's
    // high bytes that products take.
    // An input has 15 bits for twice the range that was seen of it, which is
    // about eight times its root mean square.
    a.input = {0, 0x1p-12};
    a.operand = {0, options.operandBytes == 1 ? 0x1p-7 : 0x1p-14};
    a.argument = {0, 0x1p-16};
    a.argumentRoundings = 2;
    a.gate = {0, 0x1p-24};
    setFits(a, recurrence, options, units);
    break;
  default:
    setFloats(a, precision.getAccumulate(), precision.getAccumulate(), depth);
    if (precision.getOperand() != precision.getState())
      a.operand = gridOf(precision.getOperand());
  }
  return a;
}

} // namespace rung
