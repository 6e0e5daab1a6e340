//===- TileDistributeWide.cpp - several elements at once -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A unit is what one access moves: 4, 8 or 16 bytes, as one, two or four i32.
// Memory that is accessed so is an array of units, since a driver takes the
// width and the alignment of an access from the type that it names.
//
//===----------------------------------------------------------------------===//

#include "dialects/tile/TileWidths.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/lowering/TileDistributor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace rung::tile;

static Type formatOf(Value memory) {
  return cast<MemRefType>(memory.getType()).getElementType();
}

static int64_t unitBytes(Type unit) {
  auto vector = dyn_cast<VectorType>(unit);
  return vector ? vector.getNumElements() * 4 : 4;
}

/// The largest unit that divides \p bytes and holds several elements of
/// \p element bytes; 0 if there is none.
static int64_t unitWithin(int64_t bytes, int64_t element) {
  for (int64_t unit = kAccessBytes; unit >= 4; unit /= 2)
    if (unit > element && bytes % unit == 0)
      return unit;
  return 0;
}

//===----------------------------------------------------------------------===//
// Which memory is made of units
//===----------------------------------------------------------------------===//

int64_t TileDistributor::sharedUnit(SharedOp op) const {
  MemRefType type = op.getMemory().getType();
  int64_t size = elementBytes(type.getElementType());
  int64_t elements = type.getDimSize(1);
  auto matrix = [&](Value column, MatrixType matrix,
                    bool transposed = false) -> int64_t {
    if (!cooperative())
      return 1;
    Blocks blocks = blocksOf(matrix);
    return std::gcd(knownDivisor(column),
                    transposed ? blocks.rows : blocks.columns);
  };
  // A plain left operand is read by its products.
  auto operand = [&](LoadOp load) {
    int64_t moved = knownDivisor(load.getColumn());
    for (Operation *user : load.getMatrix().getUsers())
      moved =
          std::gcd(moved, isa<MmaOp>(user) ? plainWidth(cast<MmaOp>(user)) : 1);
    return moved;
  };
  for (OpOperand &use : op.getMemory().getUses()) {
    int64_t moved =
        llvm::TypeSwitch<Operation *, int64_t>(use.getOwner())
            .Case([&](LandOp land) {
              return std::gcd(knownDivisor(land.getColumn()),
                              land.getFlight().getType().getWidth());
            })
            .Case([&](DrainOp drain) {
              return std::gcd(knownDivisor(drain.getColumn()),
                              drain.getWidth());
            })
            .Case([&](ConvertSharedOp convert) {
              bool source = use.get() == convert.getSource() &&
                            use.getOperandNumber() == 0;
              return std::gcd(knownDivisor(source ? convert.getSourceColumn()
                                                  : convert.getTargetColumn()),
                              convert.getWidth());
            })
            .Case([&](LoadOp load) {
              MatrixType type = load.getMatrix().getType();
              return !cooperative() && type.getUse() == MatrixUse::A
                         ? operand(load)
                         : matrix(load.getColumn(), type, load.getTransposed());
            })
            .Case([&](PutOp put) {
              return std::gcd(knownDivisor(put.getColumn()),
                              int64_t(put.getValues().size()));
            })
            .Case([&](LaneRowOp) { return kAccessBytes; })
            .Case([&](StoreOp store) {
              return matrix(store.getColumn(), store.getMatrix().getType());
            })
            .Case([&](AwaitRowsOp) { return kAccessBytes / size; })
            .Case([&](SplitMmaOp mma) {
              return use.get() == mma.getOperand() ? layout_.getK() : 1;
            })
            .Default([](Operation *) { return 1; });
    elements = std::gcd(elements, moved);
  }
  return unitWithin(elements * size, size);
}

LogicalResult TileDistributor::emitOp(SharedOp op) {
  int64_t unit = sharedUnit(op);
  auto type = cast<MemRefType>(convertType(op.getType()));
  if (unit != 0) {
    sharedUnits_[op.getMemory()] = unit;
    int64_t per = unit / elementBytes(type.getElementType());
    type = MemRefType::get({type.getDimSize(0), type.getDimSize(1) / per},
                           unitType(op.getContext(), unit),
                           MemRefLayoutAttrInterface(), type.getMemorySpace());
  }
  mapping_.map(op.getMemory(), b_.create<SharedOp>(type).getMemory());
  return success();
}

int64_t TileDistributor::packedUnit(LoadPackedOp op) const {
  if (!cooperative())
    return 0;
  Blocks blocks = blocksOf(op.getMatrix().getType());
  int64_t elements = op.getTransposed() ? blocks.rows : blocks.columns;
  for (Value value : {op.getBase(), op.getPitch()})
    elements = std::gcd(elements, knownDivisor(value));
  int64_t size = elementBytes(formatOf(op.getMemory()));
  return unitWithin(elements * size, size);
}

int64_t TileDistributor::packedUnit(BroadcastRowOp op) const {
  if (!cooperative())
    return 0;
  int64_t elements = std::gcd(blocksOf(op.getMatrix().getType()).columns,
                              knownDivisor(op.getBase()));
  int64_t size = elementBytes(formatOf(op.getMemory()));
  return unitWithin(elements * size, size);
}

Value TileDistributor::view(Value buffer, int64_t bytes) {
  if (bytes == 0)
    return buffer;
  Value &view = views_[{buffer, bytes}];
  if (!view) {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(&kernel_.getBody());
    auto memory = cast<MemRefType>(buffer.getType());
    view = b_.create<ViewOp>(MemRefType::get({ShapedType::kDynamic},
                                             unitType(b_.getContext(), bytes),
                                             MemRefLayoutAttrInterface(),
                                             memory.getMemorySpace()),
                             buffer);
  }
  return view;
}

//===----------------------------------------------------------------------===//
// Units and elements
//===----------------------------------------------------------------------===//

Value TileDistributor::toUnits(Value elements, int64_t per) {
  if (per == 1)
    return elements;
  return b_.createOrFold<arith::ShRUIOp>(elements, index(llvm::Log2_64(per)));
}

Value TileDistributor::toGroups(Value elements, int64_t width) {
  if (width == 1)
    return elements;
  return b_.createOrFold<arith::ShRSIOp>(elements, index(llvm::Log2_64(width)));
}

SmallVector<Value> TileDistributor::regroup(ValueRange units, int64_t bytes) {
  int64_t from = unitBytes(units.front().getType());
  if (from == bytes)
    return Values(units);
  Values words;
  for (Value unit : units)
    for (int32_t i = 0; i < from / 4; ++i)
      words.push_back(from == 4 ? unit
                                : b_.create<spirv::CompositeExtractOp>(
                                        unit, ArrayRef<int32_t>(i))
                                      .getResult());
  if (bytes == 4)
    return words;
  Values result;
  Type type = unitType(b_.getContext(), bytes);
  for (ValueRange rest = words; !rest.empty();
       rest = rest.drop_front(bytes / 4))
    result.push_back(b_.create<spirv::CompositeConstructOp>(
        type, rest.take_front(bytes / 4)));
  return result;
}

SmallVector<Value> TileDistributor::unpack(ValueRange units, Type element) {
  Values words = regroup(units, 4), elements;
  Type type = convertType(element);
  int64_t count = 4 / elementBytes(element);
  if (type == b_.getI32Type())
    return words;
  for (Value word : words) {
    if (count == 1) {
      elements.push_back(b_.create<arith::BitcastOp>(type, word));
      continue;
    }
    Value parts =
        b_.create<spirv::BitcastOp>(VectorType::get({count}, type), word);
    for (int32_t i = 0; i < count; ++i)
      elements.push_back(
          b_.create<spirv::CompositeExtractOp>(parts, ArrayRef<int32_t>(i)));
  }
  return elements;
}

SmallVector<Value> TileDistributor::pack(ValueRange elements, Type element,
                                         int64_t bytes) {
  Type type = convertType(element), i32 = b_.getI32Type();
  int64_t count = 4 / elementBytes(element);
  if (type == i32)
    return regroup(elements, bytes);
  Values words;
  for (; !elements.empty(); elements = elements.drop_front(count)) {
    if (count == 1) {
      words.push_back(b_.create<arith::BitcastOp>(i32, elements.front()));
      continue;
    }
    Value parts = b_.create<spirv::CompositeConstructOp>(
        VectorType::get({count}, type), elements.take_front(count));
    words.push_back(b_.create<spirv::BitcastOp>(i32, parts));
  }
  return regroup(words, bytes);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

SmallVector<Value> TileDistributor::loadShared(Value memory, Value row,
                                               Value column, Value group,
                                               int64_t width, int64_t bytes) {
  Type element = formatOf(memory);
  int64_t unit = sharedUnits_.lookup(memory);
  int64_t per = unit == 0 ? 1 : unit / elementBytes(element);
  Value start = add(toUnits(column, per), mul(group, width / per));
  Values loaded;
  for (int64_t i = 0; i < width / per; ++i)
    loaded.push_back(b_.create<memref::LoadOp>(mapped(memory),
                                               ValueRange{row, add(start, i)}));
  if (unit == 0)
    return bytes == 0 ? loaded : pack(loaded, element, bytes);
  return bytes == 0 ? unpack(loaded, element) : regroup(loaded, bytes);
}

void TileDistributor::storeShared(ValueRange values, int64_t bytes,
                                  Value memory, Value row, Value column,
                                  Value group, int64_t width) {
  Type element = formatOf(memory);
  int64_t unit = sharedUnits_.lookup(memory);
  int64_t per = unit == 0 ? 1 : unit / elementBytes(element);
  Values stored(values);
  if (unit != 0)
    stored = bytes == 0 ? pack(values, element, unit) : regroup(values, unit);
  else if (bytes != 0)
    stored = unpack(values, element);
  Value start = add(toUnits(column, per), mul(group, width / per));
  for (auto [i, value] : llvm::enumerate(stored))
    b_.create<memref::StoreOp>(value, mapped(memory),
                               ValueRange{row, add(start, i)});
}
