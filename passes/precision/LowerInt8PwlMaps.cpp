//===- LowerInt8PwlMaps.cpp - conversions around integer layers ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/LowerInt8PwlMaps.h"

#include "passes/precision/WeightValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace rung::rnn;

namespace rung::int8 {

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// An rnn.map whose body \p build writes: from rows of \p inputs and
/// \p weights to rows of \p elements.
static ResultRange
buildMap(OpBuilder &builder, Location location, ValueRange inputs,
         ArrayRef<WeightOp> weights, ArrayRef<Type> elements,
         llvm::function_ref<SmallVector<Value>(FixedBuilder &,
                                               Block::BlockArgListType)>
             build) {
  RankedTensorType shape = typeOf(inputs.front());
  int64_t width = shape.getShape().back();
  SmallVector<Value> rows;
  for (WeightOp weight : weights)
    rows.push_back(loadWeight(builder, weight));
  SmallVector<Type> results, arguments;
  for (Type element : elements)
    results.push_back(shape.clone(element));
  for (Value input : inputs)
    arguments.push_back(
        RankedTensorType::get({width}, typeOf(input).getElementType()));
  llvm::append_range(arguments, ValueRange(rows).getTypes());

  auto map = MapOp::create(builder, location, results, inputs, rows);
  OpBuilder::InsertionGuard guard(builder);
  Block *row =
      builder.createBlock(&map.getBody(), {}, arguments,
                          SmallVector<Location>(arguments.size(), location));
  FixedBuilder fixed(builder, location, width);
  SmallVector<Value> yielded = build(fixed, row->getArguments());
  YieldOp::create(fixed.builder(), /*outputs=*/yielded,
                  /*states=*/ValueRange());
  return map.getResults();
}

static Value floatSplat(FixedBuilder &b, double value) {
  auto type = cast<RankedTensorType>(b.type().clone(b.builder().getF32Type()));
  return arith::ConstantOp::create(b.builder(),
                                   DenseElementsAttr::get(type, float(value)));
}

/// In a body: the row \p x of floats on a grid. Scaling by a power of two is
/// exact, so that the one rounding is that to an integer; NaN becomes a limit.
static Fixed quantizeRow(FixedBuilder &b, Value x, int bits, int64_t limit) {
  if (!typeOf(x).getElementType().isF32())
    x = b.convert<arith::ExtFOp>(x, b.builder().getF32Type());
  x = b.make<arith::MulFOp>(x, floatSplat(b, std::ldexp(1.0, bits)));
  x = b.make<arith::MaxNumFOp>(x, floatSplat(b, -double(limit)));
  x = b.make<arith::MinNumFOp>(x, floatSplat(b, double(limit)));
  x = math::RoundEvenOp::create(b.builder(), x);
  return {b.convert<arith::FPToSIOp>(x, b.builder().getI32Type()),
          bits,
          -limit,
          limit,
          {}};
}

Fixed quantize(OpBuilder &builder, Location location, Value x, int bits,
               int64_t limit) {
  Fixed result = {{}, bits, -limit, limit, {}};
  result.value = buildMap(builder, location, x, {}, builder.getI32Type(),
                          [&](FixedBuilder &b, auto rows) {
                            return SmallVector<Value>{
                                quantizeRow(b, rows[0], bits, limit).value};
                          })
                     .front();
  return result;
}

Value dequantize(OpBuilder &builder, Location location, const Fixed &x) {
  return buildMap(builder, location, x.value, {}, builder.getF32Type(),
                  [&](FixedBuilder &b, auto rows) {
                    Fixed row = x;
                    row.value = rows[0];
                    row = b.toBits(
                        row, finestBits(row.magnitude(), 1 << 24, row.bits));
                    Value y = b.convert<arith::SIToFPOp>(
                        row.value, b.builder().getF32Type());
                    Value unit = floatSplat(b, std::ldexp(1.0, -row.bits));
                    return SmallVector<Value>{b.make<arith::MulFOp>(y, unit)};
                  })
      .front();
}

Fixed moveToGrid(OpBuilder &builder, Location location, const Fixed &x,
                 int bits, int64_t limit) {
  Fixed result;
  Value value = buildMap(builder, location, x.value, {}, builder.getI32Type(),
                         [&](FixedBuilder &b, auto rows) {
                           Fixed row = x;
                           row.value = rows[0];
                           result = b.clamp(b.toBits(row, bits), -limit, limit);
                           return SmallVector<Value>{result.value};
                         })
                    .front();
  result.value = value;
  return result;
}

Fixed addFixed(OpBuilder &builder, Location location, const Fixed &x,
               const Fixed &y) {
  Fixed result;
  Value value =
      buildMap(builder, location, {x.value, y.value}, {}, builder.getI32Type(),
               [&](FixedBuilder &b, auto rows) {
                 Fixed left = x, right = y;
                 left.value = rows[0];
                 right.value = rows[1];
                 result = b.add(left, right);
                 return SmallVector<Value>{result.value};
               })
          .front();
  result.value = value;
  return result;
}

Bytes splitInput(OpBuilder &builder, Location location, Value x, Fixed fixed,
                 double magnitude, int operandBytes) {
  int64_t depth = typeOf(x).getShape().back();
  Bytes result;
  SmallVector<Type> elements(operandBytes, builder.getI8Type());
  ResultRange values = buildMap(
      builder, location, fixed.value ? fixed.value : x, {}, elements,
      [&](FixedBuilder &b, auto rows) {
        if (fixed.value) {
          fixed.value = rows[0];
          auto most = int64_t(std::ceil(std::ldexp(magnitude, fixed.bits)));
          fixed = b.clamp(fixed, -most, most);
        } else {
          OperandGrid grid = operandGrid(magnitude, depth, operandBytes);
          fixed = quantizeRow(b, rows[0], grid.bits, grid.limit);
        }
        result = splitBytes(b, fixed, depth, operandBytes);
        SmallVector<Value> bytes{result.high};
        if (result.low)
          bytes.push_back(result.low);
        return bytes;
      });
  result.high = values[0];
  result.low = operandBytes == 2 ? values[1] : Value();
  return result;
}

Fixed joinProducts(OpBuilder &builder, Location location, Value high, Value low,
                   int operandBits, const ByteMatrix &matrix,
                   const FixedRow &bias, int bits, double magnitude) {
  SmallVector<Value> sums{high};
  SmallVector<WeightOp> weights{matrix.factors};
  if (low) {
    sums.push_back(low);
    weights.push_back(matrix.corrections);
  }
  if (bias.weight)
    weights.push_back(bias.weight);
  auto most = int64_t(std::ceil(std::ldexp(magnitude, bits))) + 2;
  Fixed result = {{}, bits, -most, most, {}};
  result.value =
      buildMap(
          builder, location, sums, weights, builder.getI32Type(),
          [&](FixedBuilder &b, auto rows) {
            Value sum = rows[0], factors = rows[sums.size()];
            if (low) {
              sum = b.make<arith::ShLIOp>(sum, b.splat(8));
              sum = b.make<arith::AddIOp>(sum, rows[1]);
              sum = b.make<arith::AddIOp>(sum, rows[3]);
            }
            Value y =
                b.requantize(sum, factors, matrix.shift + operandBits - bits);
            if (bias.weight) {
              Fixed row = {rows.back(), bias.bits, bias.low, bias.high, {}};
              y = b.make<arith::AddIOp>(y, b.toBits(row, bits).value);
            }
            return SmallVector<Value>{y};
          })
          .front();
  return result;
}

} // namespace rung::int8
