//===- Weights.cpp - a bundle's weights in double -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Weights.h"

namespace rung::reference {

std::shared_ptr<const Tensor> Weights::get(uint32_t index) {
  std::shared_ptr<const Tensor> &slot = decoded_[index];
  if (!slot) {
    const fb::TensorType &type = *bundle_->root().weights()->Get(index)->type();
    slot = std::make_shared<const Tensor>(
        decode(toScalarType(type.element()),
               Dims(type.dims()->begin(), type.dims()->end()),
               bundle_->weightBytes(index)));
  }
  return slot;
}

} // namespace rung::reference
