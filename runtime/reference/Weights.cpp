//===- Weights.cpp - a bundle's weights in double -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Weights.h"

namespace rung::reference {

uint32_t Weights::chosen(uint32_t index) const {
  const auto &weights = *bundle_->root().weights();
  std::string_view own = weights[index]->own()->string_view();
  for (uint32_t i = 0; choice_ == WeightChoice::Own && i < count(); ++i)
    if (weights[i]->name()->string_view() == own)
      return i;
  return index;
}

std::shared_ptr<const Tensor> Weights::get(uint32_t index) {
  std::shared_ptr<const Tensor> &slot = decoded_[index];
  if (!slot) {
    index = chosen(index);
    const fb::TensorType &type = *bundle_->root().weights()->Get(index)->type();
    slot = std::make_shared<const Tensor>(
        decode(toScalarType(type.element()),
               Dims(type.dims()->begin(), type.dims()->end()),
               bundle_->weightBytes(index)));
  }
  return slot;
}

} // namespace rung::reference
