//===- LowerInt8PwlActivation.cpp - sigmoid and tanh in integers ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/LowerInt8PwlBody.h"

#include "compiler/numerics/Requantize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace rung::rnn;
using rung::numerics::fitSquash;
using rung::numerics::IntegerTable;
using rung::numerics::kSquashLimit;
using rung::numerics::MirroredPieces;
using rung::numerics::Squash;
using rung::numerics::tabulateSquash;

namespace rung::int8 {

static constexpr int kTableCells = 256;

/// The arguments that calibration saw at activation \p index of \p op; without
/// it, what \p argument can be.
static numerics::Range seenRange(RecurrenceOp op, unsigned index,
                                 const Fixed &argument) {
  if (auto ranges = op->getAttrOfType<ArrayAttr>("rung.activation_ranges"))
    if (index < ranges.size())
      if (auto range = dyn_cast<DenseF64ArrayAttr>(ranges[index]))
        if (range.size() == 2 && range[0] < range[1])
          return {range[0], range[1]};
  return {
      std::max(std::ldexp(double(argument.low), -argument.bits), -kSquashLimit),
      std::min(std::ldexp(double(argument.high), -argument.bits),
               kSquashLimit)};
}

Fixed BodyLowering::squash(Squash function, Fixed argument) {
  numerics::Range seen = seenRange(source_, activations_++, argument);
  argument = b_.toBits(argument, std::min(argument.bits, kArgumentBits));
  return options_.form == ActivationForm::Piecewise
             ? pieces(function, argument, seen)
             : table(function, argument, seen);
}

static int outputBits(Squash function) {
  return function == Squash::Sigmoid ? kGateBits : kCandidateBits;
}

Fixed BodyLowering::pieces(Squash function, Fixed x, numerics::Range seen) {
  int bits = outputBits(function);
  MirroredPieces fit = fitSquash(function, seen, options_.pieces, x.bits, bits);
  Value negative = b_.make<arith::SubIOp>(b_.splat(0), x.value);
  int64_t lowest = std::min(x.low, -x.high);
  Fixed half = {
      b_.make<arith::MinSIOp>(x.value, negative), x.bits, lowest, 0, {}};
  half = b_.clamp(half, fit.lowest, 0);
  Value y = PiecewiseOp::create(b_.builder(), half.value, fit.pieces.knots,
                                fit.pieces.slopes, fit.pieces.offsets,
                                fit.pieces.shift);
  for (int i = 0; i < fit.squarings; ++i)
    y = b_.requantize(y, y, bits);
  Value mirrored = b_.make<arith::SubIOp>(b_.splat(fit.mirror), y);
  Value isAbove = arith::CmpIOp::create(b_.builder(), arith::CmpIPredicate::sgt,
                                        x.value, b_.splat(0));
  auto [low, high] = fit.bounds();
  return {arith::SelectOp::create(b_.builder(), isAbove, mirrored, y),
          bits,
          low,
          high,
          {}};
}

Fixed BodyLowering::table(Squash function, Fixed x, numerics::Range seen) {
  int bits = outputBits(function);
  bool interpolate = options_.form == ActivationForm::InterpolatedTable;
  IntegerTable table =
      tabulateSquash(function, seen, kTableCells, interpolate, x.bits, bits);
  auto [low, high] =
      std::minmax_element(table.entries.begin(), table.entries.end());
  int64_t least = *low, most = *high;
  StringRef name = function == Squash::Sigmoid ? "sigmoid.table" : "tanh.table";
  WeightOp weight = pool_.table(source_.getLoc(), name, table.entries);
  auto lookup = LookupOp::create(b_.builder(), x.value, argumentOf(weight),
                                 table.low, table.shift, interpolate);
  return {lookup, bits, least, most, {}};
}

} // namespace rung::int8
