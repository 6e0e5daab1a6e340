//===- VariantEmitter.h - kernels and schedules of one target ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_BUNDLE_VARIANTEMITTER_H
#define RUNG_COMPILER_BUNDLE_VARIANTEMITTER_H

#include "compiler/bundle/WeightData.h"
#include "runtime/base/Profile.h"
#include "runtime/bundle/Bundle_generated.h"
#include "runtime/bundle/Writer.h"

#include "llvm/ADT/StringMap.h"

namespace rung {

/// Entries of a weights blob, equal ones once.
class BlobPool {
public:
  explicit BlobPool(BlobBuilder &blob) : blob_(blob) {}
  uint64_t add(std::vector<std::byte> bytes);

private:
  BlobBuilder &blob_;
  std::map<std::vector<std::byte>, uint64_t> offsets_;
};

/// The variant that \p module, lowered to `spirv.module`s and `tile.program`s
/// for \p target, stands for; a schedule for each name of \p functions, in
/// their order. Packed weights go to \p blob. Fails, with an error on the
/// operation, on what a bundle cannot hold.
mlir::FailureOr<fb::VariantT> emitVariant(mlir::ModuleOp module,
                                          const Profile &target,
                                          llvm::ArrayRef<std::string> functions,
                                          const WeightData &weights,
                                          BlobPool &blob);

} // namespace rung

#endif // RUNG_COMPILER_BUNDLE_VARIANTEMITTER_H
