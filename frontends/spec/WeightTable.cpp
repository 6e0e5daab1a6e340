//===- WeightTable.cpp - tensors of a file as weights of a module ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/spec/WeightTable.h"
#include "frontends/Suggest.h"
#include "frontends/safetensors/Convert.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <format>

using namespace mlir;

namespace rung::spec {

/// Weights of at most this many elements are printed with the IR.
constexpr size_t kMaxInlineElements = 64;

WeightTable::WeightTable(ModuleOp module, const safetensors::Archive *archive,
                         const FileDiagnostics &report)
    : module_(module), archive_(archive), report_(report) {}

const safetensors::Tensor *WeightTable::find(const Name &name,
                                             const std::string &user) {
  if (!archive_) {
    report_.error(name.location,
                  std::format("{} needs tensor '{}', but the description names "
                              "no weights file and none is given",
                              user, name.value));
    return nullptr;
  }
  const safetensors::Tensor *tensor = archive_->find(name.value);
  if (!tensor) {
    report_.error(name.location,
                  std::format("{} needs tensor '{}', which is not in '{}'{}",
                              user, name.value, archive_->path(),
                              didYouMean(name.value, archive_->names())));
    return nullptr;
  }
  if (!safetensors::isFloat(*tensor)) {
    report_.error(name.location,
                  std::format("tensor '{}' of '{}' has dtype {}; weights are "
                              "F32, F16, BF16 or F64",
                              name.value, tensor->file, tensor->dtype));
    return nullptr;
  }
  return tensor;
}

static std::string indexText(size_t flat, const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = static_cast<int64_t>(flat) % shape[i];
    flat /= static_cast<size_t>(shape[i]);
  }
  return safetensors::shapeText(index);
}

std::optional<std::vector<float>>
WeightTable::values(const safetensors::Tensor &tensor,
                    SourceLocation location) {
  std::vector<float> values = safetensors::toFloat32(tensor);
  safetensors::ValueCheck check = safetensors::checkValues(tensor, values);
  if (check.overflowed) {
    report_.error(
        location,
        std::format("tensor '{}' of '{}' has {} values beyond the range of "
                    "f32, the first not finite as f32 at {}",
                    tensor.name, tensor.file, check.overflowed,
                    indexText(check.first, tensor.shape)));
    return std::nullopt;
  }
  // An infinite bias that masks a class is legitimate, so this is no error.
  if (check.nonFinite && warned_.insert(tensor.name).second)
    report_.warning(
        location,
        std::format("tensor '{}' of '{}' has {} values that are not finite, "
                    "the first at {}",
                    tensor.name, tensor.file, check.nonFinite,
                    indexText(check.first, tensor.shape)));
  return values;
}

rnn::WeightOp WeightTable::lookup(const std::string &key) const {
  auto entry = weights_.find(key);
  return entry == weights_.end() ? rnn::WeightOp() : entry->second;
}

/// The values as an attribute; a large one owns its memory outside the context.
static ElementsAttr makeElements(RankedTensorType type, llvm::StringRef name,
                                 std::vector<float> values) {
  if (values.size() <= kMaxInlineElements)
    return DenseElementsAttr::get(type, llvm::ArrayRef<float>(values));
  auto owner = std::make_unique<std::vector<float>>(std::move(values));
  llvm::ArrayRef<char> bytes(reinterpret_cast<const char *>(owner->data()),
                             owner->size() * sizeof(float));
  AsmResourceBlob blob(
      bytes, alignof(float),
      [owner = std::move(owner)](void *, size_t, size_t) {},
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, name, std::move(blob));
}

rnn::WeightOp WeightTable::add(const std::string &key,
                               const std::string &symbol,
                               const std::vector<int64_t> &shape,
                               std::vector<float> values,
                               mlir::Location location) {
  std::string name = symbol;
  for (unsigned i = 1; !symbols_.insert(name).second; ++i)
    name = std::format("{}.{}", symbol, i);

  OpBuilder builder(module_.getContext());
  builder.setInsertionPointToEnd(module_.getBody());
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  auto weight = builder.create<rnn::WeightOp>(
      location, builder.getStringAttr(name),
      makeElements(type, name, std::move(values)));
  weights_[key] = weight;
  return weight;
}

rnn::WeightOp WeightTable::addPlain(const safetensors::Tensor &tensor,
                                    bool transposed, SourceLocation location,
                                    mlir::Location irLocation) {
  std::string key = tensor.name + (transposed ? "|transposed" : "|plain");
  if (rnn::WeightOp weight = lookup(key))
    return weight;
  auto values = this->values(tensor, location);
  if (!values)
    return {};
  std::vector<int64_t> shape = tensor.shape;
  if (transposed) {
    size_t rows = static_cast<size_t>(shape[0]);
    size_t columns = static_cast<size_t>(shape[1]);
    std::vector<float> turned(values->size());
    for (size_t r = 0; r < rows; ++r)
      for (size_t c = 0; c < columns; ++c)
        turned[c * rows + r] = (*values)[r * columns + c];
    values = std::move(turned);
    std::swap(shape[0], shape[1]);
  }
  return add(key, tensor.name, shape, std::move(*values), irLocation);
}

} // namespace rung::spec
