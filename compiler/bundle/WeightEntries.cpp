//===- WeightEntries.cpp - the weights that a bundle's graphs load --------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/bundle/WeightEntries.h"

#include "compiler/graph/GraphExport.h"
#include "passes/precision/GraphCasts.h"
#include "runtime/base/Half.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <algorithm>
#include <cstring>

using namespace mlir;

namespace rung {

namespace {

/// The bytes as they lie in the attribute: all, or those of a splat; null if
/// there are none.
std::optional<ArrayRef<char>> rawBytes(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  return blob ? std::optional(blob->getData()) : std::nullopt;
}

} // namespace

FailureOr<std::vector<std::byte>> weightBytes(rnn::WeightOp weight) {
  ElementsAttr value = weight.getValue();
  std::optional<ArrayRef<char>> raw = rawBytes(value);
  if (!raw || !exportElement(value.getElementType()))
    return weight.emitOpError("has no values at hand");
  size_t width = value.getElementType().getIntOrFloatBitWidth() / 8;
  std::vector<std::byte> bytes(size_t(value.getNumElements()) * width);
  bool splat = isa<SplatElementsAttr>(value);
  if (raw->size() != (splat ? width : bytes.size()))
    return weight.emitOpError("has values of ")
           << raw->size() << " bytes; its type takes " << bytes.size();
  for (size_t at = 0; at < bytes.size(); at += raw->size())
    std::memcpy(bytes.data() + at, raw->data(), raw->size());
  return bytes;
}

std::string WeightEntries::freeName(std::string name) const {
  auto taken = [&](const std::string &candidate) {
    return llvm::any_of(bundle_.weights, [&](const auto &entry) {
      return entry->name == candidate;
    });
  };
  std::string candidate = name;
  for (unsigned i = 1; taken(candidate); ++i)
    candidate = name + "." + std::to_string(i);
  return candidate;
}

uint32_t WeightEntries::append(std::string name, RankedTensorType type,
                               std::vector<std::byte> bytes) {
  auto entry = std::make_unique<fb::WeightT>();
  entry->name = std::move(name);
  entry->type = std::make_unique<fb::TensorTypeT>();
  entry->type->element = *exportElement(type.getElementType());
  for (int64_t dim : type.getShape())
    entry->type->dims.push_back(int32_t(dim));
  entry->size = bytes.size();
  entry->offset = pool_.add(std::move(bytes));
  bundle_.weights.push_back(std::move(entry));
  return uint32_t(bundle_.weights.size()) - 1;
}

FailureOr<WeightIndices> WeightEntries::add(ModuleOp module) {
  WeightIndices indices;
  for (auto weight : module.getOps<rnn::WeightOp>()) {
    StringRef name = weight.getSymName();
    auto found = added_.find(name);
    if (found != added_.end() && found->second.second == weight.getValue()) {
      indices[name] = found->second.first;
      continue;
    }
    FailureOr<std::vector<std::byte>> bytes = weightBytes(weight);
    if (failed(bytes))
      return failure();
    uint32_t index =
        append(freeName(name.str()), weight.getType(), std::move(*bytes));
    indices[name] = index;
    added_[name] = {index, weight.getValue()};
  }
  return indices;
}

/// An entry with the numbers of \p weight rounded to \p format, as f32.
FailureOr<std::string> WeightEntries::roundedEntry(rnn::WeightOp weight,
                                                   StringRef format) {
  if (!weight.getType().getElementType().isF32() ||
      (format != "f16" && format != "bf16"))
    return weight.emitOpError("has elements of ")
           << weight.getType().getElementType() << " and '" << kOwnFormatAttr
           << "' of '" << format << "'; f32 is rounded to f16 or bf16";
  FailureOr<std::vector<std::byte>> bytes = weightBytes(weight);
  if (failed(bytes))
    return failure();
  for (size_t at = 0; at < bytes->size(); at += sizeof(float)) {
    float value;
    std::memcpy(&value, bytes->data() + at, sizeof(float));
    value = format == "f16" ? fromHalf(toHalf(value))
                            : fromBFloat16(toBFloat16(value));
    std::memcpy(bytes->data() + at, &value, sizeof(float));
  }
  std::string name = freeName((weight.getSymName() + ".own").str());
  append(name, weight.getType(), std::move(*bytes));
  return name;
}

LogicalResult WeightEntries::addOwn(ModuleOp module,
                                    const WeightIndices &indices,
                                    const WeightIndices &named) {
  for (auto weight : module.getOps<rnn::WeightOp>()) {
    auto entry = named.find(weight.getSymName());
    if (entry == named.end())
      continue;
    uint32_t index = entry->second;
    if (auto own = weight->getAttrOfType<FlatSymbolRefAttr>(kOwnAttr)) {
      auto found = indices.find(own.getValue());
      if (found == indices.end())
        return weight.emitOpError("has '")
               << kOwnAttr << "' " << own << ", which is no weight";
      bundle_.weights[index]->own = bundle_.weights[found->second]->name;
    } else if (auto format =
                   weight->getAttrOfType<StringAttr>(kOwnFormatAttr)) {
      FailureOr<std::string> name = roundedEntry(weight, format.getValue());
      if (failed(name))
        return failure();
      bundle_.weights[index]->own = *name;
    }
  }
  return success();
}

} // namespace rung
