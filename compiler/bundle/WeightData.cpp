//===- WeightData.cpp - the numbers of weights ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/bundle/WeightData.h"

#include "runtime/base/Half.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <array>
#include <cstring>

using namespace mlir;

namespace rung {

namespace {

FailureOr<std::vector<float>> readValues(rnn::WeightOp op) {
  ElementsAttr value = op.getValue();
  std::vector<float> result(value.getNumElements());
  if (auto dense = dyn_cast<DenseFPElementsAttr>(value)) {
    size_t i = 0;
    for (const APFloat &element : dense) {
      APFloat narrowed = element;
      bool lossy = false;
      narrowed.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                       &lossy);
      result[i++] = narrowed.convertToFloat();
    }
    return result;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || !value.getElementType().isF32())
    return op.emitOpError("has no values at hand; weights are dense, or f32 "
                          "resources");
  if (blob->getData().size() != result.size() * sizeof(float))
    return op.emitOpError("has a resource of ")
           << blob->getData().size() << " bytes; " << result.size()
           << " values of f32 take " << result.size() * sizeof(float);
  std::memcpy(result.data(), blob->getData().data(), blob->getData().size());
  return result;
}

/// Writes one element at \p index.
using Write = void (*)(std::vector<std::byte> &, size_t index, float value);

template <typename Bits, auto Convert>
void writeElement(std::vector<std::byte> &bytes, size_t index, float value) {
  Bits bits = Convert(value);
  std::memcpy(bytes.data() + index * sizeof(Bits), &bits, sizeof(Bits));
}

float sameFloat(float value) { return value; }
uint16_t halfBits(float value) { return toHalf(value); }
uint16_t bfloatBits(float value) { return toBFloat16(value); }

Write writerOf(Type type) {
  if (type.isF32())
    return writeElement<float, sameFloat>;
  if (type.isF16())
    return writeElement<uint16_t, halfBits>;
  if (type.isBF16())
    return writeElement<uint16_t, bfloatBits>;
  return nullptr;
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

} // namespace

FailureOr<WeightData> WeightData::read(ModuleOp module) {
  WeightData data;
  for (auto weight : module.getOps<rnn::WeightOp>()) {
    FailureOr<std::vector<float>> values = readValues(weight);
    if (failed(values))
      return failure();
    data.values_[weight.getSymName().str()] = std::move(*values);
  }
  return data;
}

ArrayRef<float> WeightData::operator[](StringRef name) const {
  auto found = values_.find(name.str());
  return found == values_.end() ? ArrayRef<float>()
                                : ArrayRef<float>(found->second);
}

FailureOr<std::vector<std::byte>> packBytes(tile::PackedOp op,
                                            const WeightData &weights) {
  Type element = cast<tile::BufferType>(op.getType()).getElementType();
  Write write = writerOf(element);
  if (!write)
    return op.emitOpError("packs weights as ")
           << element << "; there are f32, f16 and bf16";
  int64_t width = element.getIntOrFloatBitWidth() / 8;
  std::vector<std::byte> bytes(op.getCount() * width);
  for (auto piece : op.getPieces().getAsRange<tile::PieceAttr>()) {
    ArrayRef<float> from = weights[piece.getWeight().getValue()];
    PieceCopy c = normalize(piece);
    int64_t last = lastIndex(piece.getOffset(), c.sizes, c.source);
    if (last >= int64_t(from.size()))
      return op.emitOpError("reads element ")
             << last << " of weight '" << piece.getWeight().getValue()
             << "', which has " << from.size();
    for (int64_t i = 0; i < c.sizes[0]; ++i)
      for (int64_t j = 0; j < c.sizes[1]; ++j)
        for (int64_t k = 0; k < c.sizes[2]; ++k)
          for (int64_t l = 0; l < c.sizes[3]; ++l)
            write(bytes,
                  piece.getTargetOffset() + i * c.target[0] + j * c.target[1] +
                      k * c.target[2] + l * c.target[3],
                  from[piece.getOffset() + i * c.source[0] + j * c.source[1] +
                       k * c.source[2] + l * c.source[3]]);
  }
  return bytes;
}

} // namespace rung
