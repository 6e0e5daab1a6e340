//===- WeightValues.cpp - numbers of weights, read and made --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/precision/WeightValues.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

#include <cstring>
#include <memory>

using namespace mlir;
using namespace rung::rnn;

namespace rung {

/// Weights of at most this many elements are printed with the IR.
static constexpr size_t kMaxInlineElements = 64;

static std::vector<float> readDense(DenseFPElementsAttr dense) {
  std::vector<float> result;
  result.reserve(dense.getNumElements());
  for (APFloat element : dense) {
    bool lossy = false;
    element.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                    &lossy);
    result.push_back(element.convertToFloat());
  }
  return result;
}

FailureOr<std::vector<float>> readWeight(WeightOp weight) {
  ElementsAttr value = weight.getValue();
  if (auto dense = dyn_cast<DenseFPElementsAttr>(value))
    return readDense(dense);
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || !value.getElementType().isF32())
    return weight.emitOpError("has no values at hand; weights of floats are "
                              "dense, or f32 resources");
  std::vector<float> result(value.getNumElements());
  ArrayRef<char> bytes = blob->getData();
  if (bytes.size() != result.size() * sizeof(float))
    return weight.emitOpError("has a resource of ")
           << bytes.size() << " bytes; " << result.size()
           << " values of f32 take " << result.size() * sizeof(float);
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

WeightOp loadedWeight(Value value) {
  auto load = value.getDefiningOp<LoadWeightOp>();
  if (!load)
    return {};
  return SymbolTable::lookupNearestSymbolFrom<WeightOp>(load,
                                                        load.getWeightAttr());
}

static std::string freeName(ModuleOp module, StringRef name) {
  std::string result = name.str();
  for (unsigned i = 1; module.lookupSymbol(result); ++i)
    result = (name + "." + Twine(i)).str();
  return result;
}

/// The values as an attribute; a large one owns its memory outside the context.
template <typename T>
static ElementsAttr makeElements(RankedTensorType type, StringRef name,
                                 std::vector<T> values) {
  if (values.size() <= kMaxInlineElements)
    return DenseElementsAttr::get(type, ArrayRef<T>(values));
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  ArrayRef<char> bytes(reinterpret_cast<const char *>(owner->data()),
                       owner->size() * sizeof(T));
  AsmResourceBlob blob(
      bytes, alignof(T), [owner = std::move(owner)](void *, size_t, size_t) {},
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

template <typename T>
static WeightOp create(ModuleOp module, Location location, StringRef name,
                       ArrayRef<int64_t> shape, Type element,
                       std::vector<T> values) {
  std::string symbol = freeName(module, name);
  auto type = RankedTensorType::get(shape, element);
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  for (WeightOp other : module.getOps<WeightOp>())
    builder.setInsertionPointAfter(other);
  return WeightOp::create(builder, location, symbol,
                          makeElements(type, symbol, std::move(values)));
}

WeightOp createWeight(ModuleOp module, Location location, StringRef name,
                      ArrayRef<int64_t> shape, std::vector<float> values) {
  return create(module, location, name, shape,
                Float32Type::get(module.getContext()), std::move(values));
}

WeightOp createWeight(ModuleOp module, Location location, StringRef name,
                      ArrayRef<int64_t> shape, std::vector<int8_t> values) {
  return create(module, location, name, shape,
                IntegerType::get(module.getContext(), 8), std::move(values));
}

WeightOp createWeight(ModuleOp module, Location location, StringRef name,
                      ArrayRef<int64_t> shape, std::vector<int32_t> values) {
  return create(module, location, name, shape,
                IntegerType::get(module.getContext(), 32), std::move(values));
}

Value loadWeight(OpBuilder &builder, WeightOp weight) {
  return LoadWeightOp::create(builder, weight.getLoc(), weight.getType(),
                              FlatSymbolRefAttr::get(weight.getSymNameAttr()));
}

void eraseUnusedWeights(ModuleOp module) {
  module.walk([](LoadWeightOp load) {
    if (load.use_empty())
      load.erase();
  });
  // One walk over all attributes: a weight may be named by a load, or by
  // another weight whose rounded values it is.
  llvm::StringSet<> used;
  module.walk([&](Operation *op) {
    op->getAttrDictionary().walk(
        [&](FlatSymbolRefAttr symbol) { used.insert(symbol.getValue()); });
  });
  for (WeightOp weight : llvm::make_early_inc_range(module.getOps<WeightOp>()))
    if (!used.contains(weight.getSymName()))
      weight.erase();
}

} // namespace rung
