//===- WeightData.cpp - the numbers of weights ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/bundle/WeightData.h"

#include "runtime/base/Half.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <array>
#include <bit>
#include <cstring>

using namespace mlir;

namespace rung {

namespace {

LogicalResult readDense(DenseFPElementsAttr dense, std::vector<float> &into) {
  for (APFloat element : dense) {
    bool lossy = false;
    element.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                    &lossy);
    into.push_back(element.convertToFloat());
  }
  return success();
}

LogicalResult readDense(DenseIntElementsAttr dense,
                        std::vector<int32_t> &into) {
  for (const APInt &element : dense)
    into.push_back(int32_t(element.getSExtValue()));
  return success();
}

/// Values of type Stored, one after the other.
template <typename Stored, typename Value>
LogicalResult readResource(rnn::WeightOp op, ArrayRef<char> bytes,
                           std::vector<Value> &into) {
  size_t count = op.getType().getNumElements();
  if (bytes.size() != count * sizeof(Stored))
    return op.emitOpError("has a resource of ")
           << bytes.size() << " bytes; " << count << " values of "
           << op.getType().getElementType() << " take "
           << count * sizeof(Stored);
  for (size_t i = 0; i < count; ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    into.push_back(value);
  }
  return success();
}

/// One of \p floats and \p integers is filled.
LogicalResult readValues(rnn::WeightOp op, std::vector<float> &floats,
                         std::vector<int32_t> &integers) {
  if (auto dense = dyn_cast<DenseFPElementsAttr>(op.getValue()))
    return readDense(dense, floats);
  if (auto dense = dyn_cast<DenseIntElementsAttr>(op.getValue()))
    return readDense(dense, integers);
  auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  Type element = op.getType().getElementType();
  if (blob && element.isF32())
    return readResource<float>(op, blob->getData(), floats);
  if (blob && element.isInteger(32))
    return readResource<int32_t>(op, blob->getData(), integers);
  if (blob && element.isInteger(8))
    return readResource<int8_t>(op, blob->getData(), integers);
  return op.emitOpError("has no values at hand; weights are dense, or "
                        "resources of f32, i32 or i8");
}

/// The bits of a value as an array's element.
template <typename Value> using Encode = uint32_t (*)(Value);

uint32_t floatBits(float value) { return std::bit_cast<uint32_t>(value); }
uint32_t halfBits(float value) { return toHalf(value); }
uint32_t bfloatBits(float value) { return toBFloat16(value); }
uint32_t integerBits(int32_t value) { return uint32_t(value); }

Encode<float> floatEncoder(Type type) {
  if (type.isF32())
    return floatBits;
  if (type.isF16())
    return halfBits;
  return type.isBF16() ? bfloatBits : nullptr;
}

struct PieceCopy {
  std::array<int64_t, 4> sizes{1, 1, 1, 1}, source{}, target{};
};

PieceCopy normalize(tile::PieceAttr piece) {
  PieceCopy copy;
  size_t rank = piece.getSizes().size(), lead = 4 - rank;
  for (size_t i = 0; i < rank; ++i) {
    copy.sizes[lead + i] = piece.getSizes()[i];
    copy.source[lead + i] = piece.getSourceStrides()[i];
    copy.target[lead + i] = piece.getTargetStrides()[i];
  }
  return copy;
}

int64_t lastIndex(int64_t offset, const std::array<int64_t, 4> &sizes,
                  const std::array<int64_t, 4> &strides) {
  for (size_t i = 0; i < 4; ++i)
    offset += (sizes[i] - 1) * strides[i];
  return offset;
}

/// Writes a piece's elements, of \p width bytes each, into \p bytes.
template <typename Value>
LogicalResult copyPiece(tile::PackedOp op, tile::PieceAttr piece,
                        ArrayRef<Value> from, Encode<Value> encode,
                        int64_t width, std::vector<std::byte> &bytes) {
  PieceCopy c = normalize(piece);
  int64_t last = lastIndex(piece.getOffset(), c.sizes, c.source);
  if (last >= int64_t(from.size()))
    return op.emitOpError("reads element ")
           << last << " of weight '" << piece.getWeight().getValue()
           << "', which has " << from.size();
  for (int64_t i = 0; i < c.sizes[0]; ++i)
    for (int64_t j = 0; j < c.sizes[1]; ++j)
      for (int64_t k = 0; k < c.sizes[2]; ++k)
        for (int64_t l = 0; l < c.sizes[3]; ++l) {
          int64_t target = piece.getTargetOffset() + i * c.target[0] +
                           j * c.target[1] + k * c.target[2] + l * c.target[3];
          uint32_t bits =
              encode(from[piece.getOffset() + i * c.source[0] +
                          j * c.source[1] + k * c.source[2] + l * c.source[3]]);
          // Little-endian, as every host that this runs on: low bytes first.
          std::memcpy(bytes.data() + target * width, &bits, width);
        }
  return success();
}

/// Whether all of a weight's integers are i8's, where that is wanted.
LogicalResult checkRange(tile::PackedOp op, StringRef name,
                         ArrayRef<int32_t> from, Type element) {
  if (!element.isInteger(8))
    return success();
  for (int32_t value : from)
    if (value != int8_t(value))
      return op.emitOpError("packs ")
             << value << " of weight '" << name << "' as i8";
  return success();
}

LogicalResult packPiece(tile::PackedOp op, tile::PieceAttr piece,
                        const WeightData &weights, Type element,
                        std::vector<std::byte> &bytes) {
  StringRef name = piece.getWeight().getValue();
  int64_t width = element.getIntOrFloatBitWidth() / 8;
  ArrayRef<float> floats = weights[name];
  ArrayRef<int32_t> integers = weights.integers(name);
  if (isa<FloatType>(element) ? !integers.empty() : !floats.empty())
    return op.emitOpError("packs weight '")
           << name << "' of " << (integers.empty() ? "floats" : "integers")
           << " as " << element;
  if (auto encode = floatEncoder(element))
    return copyPiece(op, piece, floats, encode, width, bytes);
  if (failed(checkRange(op, name, integers, element)))
    return failure();
  return copyPiece<int32_t>(op, piece, integers, integerBits, width, bytes);
}

} // namespace

FailureOr<WeightData> WeightData::read(ModuleOp module,
                                       const WeightData *known) {
  WeightData data;
  data.known_ = known;
  for (auto weight : module.getOps<rnn::WeightOp>()) {
    if (known && known->has(weight.getSymName()))
      continue;
    std::vector<float> floats;
    std::vector<int32_t> integers;
    if (failed(readValues(weight, floats, integers)))
      return failure();
    std::string name = weight.getSymName().str();
    if (integers.empty())
      data.floats_[name] = std::move(floats);
    else
      data.integers_[name] = std::move(integers);
  }
  return data;
}

bool WeightData::has(StringRef name) const {
  return !(*this)[name].empty() || !integers(name).empty();
}

ArrayRef<float> WeightData::operator[](StringRef name) const {
  auto found = floats_.find(std::string_view(name));
  if (found != floats_.end())
    return found->second;
  return known_ ? (*known_)[name] : ArrayRef<float>();
}

ArrayRef<int32_t> WeightData::integers(StringRef name) const {
  auto found = integers_.find(std::string_view(name));
  if (found != integers_.end())
    return found->second;
  return known_ ? known_->integers(name) : ArrayRef<int32_t>();
}

FailureOr<std::vector<std::byte>> packBytes(tile::PackedOp op,
                                            const WeightData &weights) {
  Type element = cast<tile::BufferType>(op.getType()).getElementType();
  if (!floatEncoder(element) && !element.isInteger(32) && !element.isInteger(8))
    return op.emitOpError("packs weights as ")
           << element << "; there are f32, f16, bf16, i32 and i8";
  int64_t width = element.getIntOrFloatBitWidth() / 8;
  std::vector<std::byte> bytes(op.getCount() * width);
  for (auto piece : op.getPieces().getAsRange<tile::PieceAttr>())
    if (failed(packPiece(op, piece, weights, element, bytes)))
      return failure();
  return bytes;
}

} // namespace rung
