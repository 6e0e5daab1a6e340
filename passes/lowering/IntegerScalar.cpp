//===- IntegerScalar.cpp - integer functions of one element ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/IntegerScalar.h"

#include "passes/lowering/I32Builder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace rung {

namespace {

/// The low 32 bits of floor((high:low + 2^(shift-1)) / 2^shift).
Value emitRoundedShift(I32Builder &i, Value low, Value high, int64_t shift) {
  // Half of 2^shift is a multiple of the low word's range: no carry, and the
  // high word has room, since a product's is at most 2^30.
  if (shift > 32)
    return i.shiftRightSigned(i.add(high, int64_t(1) << (shift - 33)),
                              shift - 32);
  // Rounding half up adds the highest of the bits that are cut off.
  Value half = i.shiftRight(low, shift - 1);
  if (shift == 32)
    return i.add(high, half);
  Value floor =
      i.bitOr(i.shiftRight(low, shift), i.shiftLeft(high, 32 - shift));
  return i.add(floor, i.bitAnd(half, 1));
}

/// Halves lists of candidates by one comparison after the other. Equal numbers
/// are one constant, so that a choice between them is none.
class Bisection {
public:
  Bisection(I32Builder &i, Value x) : i_(i), x_(x) {}

  SmallVector<Value> constants(ArrayRef<int32_t> numbers, size_t count,
                               int32_t beyond) {
    SmallVector<Value> values;
    for (size_t j = 0; j < count; ++j)
      values.push_back(constant(j < numbers.size() ? numbers[j] : beyond));
    return values;
  }

  /// \p knots is one shorter than each of \p lists, whose size is a power of
  /// two; leaves one value in each.
  void run(SmallVector<Value> knots, ArrayRef<SmallVector<Value> *> lists) {
    for (size_t half = lists.front()->size() / 2; half > 0; half /= 2) {
      Value above = i_.compare(arith::CmpIPredicate::sge, x_, knots[half - 1]);
      choose(above, knots, half, half - 1);
      for (SmallVector<Value> *list : lists)
        choose(above, *list, half, half);
    }
  }

private:
  void choose(Value above, SmallVector<Value> &list, size_t from,
              size_t count) {
    for (size_t j = 0; j < count; ++j)
      list[j] = i_.select(above, list[from + j], list[j]);
    list.truncate(count);
  }

  Value constant(int32_t number) {
    // Keyed by 64 bits: the map keeps two keys of its type for itself.
    Value &value = constants_[number];
    if (!value)
      value = i_.constant(number);
    return value;
  }

  I32Builder &i_;
  Value x_;
  llvm::DenseMap<int64_t, Value> constants_;
};

} // namespace

Value emitRequantize(ImplicitLocOpBuilder &b, Value value, Value factor,
                     int64_t shift) {
  assert(shift >= 1 && shift <= 62 && "a verifier has seen the shift");
  I32Builder i(b);
  auto [low, high] = i.multiplySigned(value, factor);
  return emitRoundedShift(i, low, high, shift);
}

Value emitPiecewise(ImplicitLocOpBuilder &b, Value x, ArrayRef<int32_t> knots,
                    ArrayRef<int32_t> slopes, ArrayRef<int32_t> offsets,
                    int64_t shift) {
  assert(knots.size() + 1 == slopes.size() && slopes.size() == offsets.size());
  I32Builder i(b);
  Bisection bisection(i, x);
  size_t count = llvm::PowerOf2Ceil(slopes.size());
  // Past the last piece come copies of it.
  auto slope = bisection.constants(slopes, count, slopes.back());
  auto offset = bisection.constants(offsets, count, offsets.back());
  bisection.run(bisection.constants(knots, count - 1,
                                    std::numeric_limits<int32_t>::max()),
                {&slope, &offset});
  return i.add(offset[0], emitRequantize(b, x, slope[0], shift));
}

Value emitLookup(ImplicitLocOpBuilder &b, Value x, const TablePlace &place,
                 bool interpolate, function_ref<Value(Value)> load) {
  I32Builder i(b);
  // Clamped before the difference is taken, which then cannot overflow.
  int64_t last = place.low + (place.intervals << place.shift) - 1;
  last = std::min<int64_t>(last, std::numeric_limits<int32_t>::max());
  Value bounded =
      i.minSigned(i.maxSigned(x, i.constant(place.low)), i.constant(last));
  Value u = i.add(bounded, -place.low);
  Value entry = i.shiftRight(u, place.shift);
  auto entryAt = [&](Value index) {
    return load(b.createOrFold<arith::IndexCastOp>(b.getIndexType(), index));
  };
  Value here = entryAt(entry);
  if (!interpolate)
    return here;
  Value next = entryAt(i.add(entry, 1));
  int64_t unit = int64_t(1) << place.shift;
  Value rest = i.bitAnd(u, unit - 1);
  // The weighted mean of two entries, of which no difference is taken: that
  // might have 33 bits.
  auto [low, high] = i.multiplySigned(next, rest);
  auto [otherLow, otherHigh] =
      i.multiplySigned(here, i.sub(i.constant(unit), rest));
  Value sumLow = i.add(low, otherLow);
  Value carries = i.compare(arith::CmpIPredicate::ult, sumLow, low);
  Value sumHigh =
      i.add(i.add(high, otherHigh),
            b.createOrFold<arith::ExtUIOp>(b.getI32Type(), carries));
  return emitRoundedShift(i, sumLow, sumHigh, place.shift);
}

} // namespace rung
