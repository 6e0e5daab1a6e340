//===- Weights.h - a bundle's weights in double -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_WEIGHTS_H
#define RUNG_RUNTIME_REFERENCE_WEIGHTS_H

#include "runtime/bundle/Reader.h"
#include "runtime/reference/Tensor.h"

#include <memory>
#include <vector>

namespace rung::reference {

/// Decodes each weight once, when it is first asked for. The bundle must
/// outlive it.
class Weights {
public:
  explicit Weights(const BundleReader &bundle)
      : bundle_(&bundle), decoded_(bundle.root().weights()->size()) {}

  uint32_t count() const { return static_cast<uint32_t>(decoded_.size()); }
  /// `index` must be below `count()`.
  std::shared_ptr<const Tensor> get(uint32_t index);

private:
  const BundleReader *bundle_;
  std::vector<std::shared_ptr<const Tensor>> decoded_;
};

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_WEIGHTS_H
