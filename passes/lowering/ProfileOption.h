//===- ProfileOption.h - the device profile that a pass works for -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_PROFILEOPTION_H
#define RUNG_PASSES_LOWERING_PROFILEOPTION_H

#include "compiler/target/Target.h"

#include "mlir/IR/Operation.h"

namespace rung {

/// The profile of that name, or an error on \p op.
inline mlir::FailureOr<Profile> resolveProfile(mlir::Operation *op,
                                               const std::string &name) {
  Result<Profile> profile = findProfile(name);
  if (profile.isOk())
    return std::move(profile.value());
  return op->emitError(profile.status().message());
}

} // namespace rung

#endif // RUNG_PASSES_LOWERING_PROFILEOPTION_H
