//===- Weights.h - a bundle's weights in double -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_WEIGHTS_H
#define RUNG_RUNTIME_REFERENCE_WEIGHTS_H

#include "runtime/bundle/Reader.h"
#include "runtime/reference/Tensor.h"

#include <memory>
#include <vector>

namespace rung::reference {

/// Whether a graph's weights are those that it names, or what the kernels use
/// in their place.
enum class WeightChoice { AsNamed, Own };

/// Decodes each weight once, when it is first asked for. The bundle must
/// outlive it.
class Weights {
public:
  explicit Weights(const BundleReader &bundle,
                   WeightChoice choice = WeightChoice::AsNamed)
      : bundle_(&bundle), choice_(choice),
        decoded_(bundle.root().weights()->size()) {}

  uint32_t count() const { return static_cast<uint32_t>(decoded_.size()); }
  /// `index` must be below `count()`.
  std::shared_ptr<const Tensor> get(uint32_t index);

private:
  uint32_t chosen(uint32_t index) const;

  const BundleReader *bundle_;
  WeightChoice choice_;
  std::vector<std::shared_ptr<const Tensor>> decoded_;
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_WEIGHTS_H
