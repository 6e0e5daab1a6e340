//===- WeightEntries.h - the weights that a bundle's graphs load -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_BUNDLE_WEIGHTENTRIES_H
#define RUNG_COMPILER_BUNDLE_WEIGHTENTRIES_H

#include "compiler/bundle/VariantEmitter.h"
#include "compiler/graph/GraphExport.h"
#include "dialects/rnn/RnnOps.h"

#include "mlir/IR/BuiltinOps.h"

namespace rung {

/// On an rnn.weight of stage `precision`, says what the kernels use in its
/// place: a weight of the same type. Where they use the same numbers rounded,
/// kOwnFormatAttr says so instead.
inline constexpr llvm::StringLiteral kOwnAttr = "rung.own";

/// The bytes of \p weight, row-major, in its own element type. Fails, with an
/// error on it, where they are not at hand.
mlir::FailureOr<std::vector<std::byte>> weightBytes(rnn::WeightOp weight);

/// Gathers the weights of a model's two modules.
class WeightEntries {
public:
  WeightEntries(fb::BundleT &bundle, BlobPool &pool)
      : bundle_(bundle), pool_(pool) {}

  /// Adds the weights of \p module and says which entry each is. A weight that
  /// is there already, with the same value, is not added again; one of the same
  /// name and another value gets a new name.
  mlir::FailureOr<WeightIndices> add(mlir::ModuleOp module);

  /// Tells the own weights of the entries \p named by symbol, as \p module says
  /// them, and adds those that need be; \p indices are of its weights.
  mlir::LogicalResult addOwn(mlir::ModuleOp module,
                             const WeightIndices &indices,
                             const WeightIndices &named);

private:
  std::string freeName(std::string name) const;
  uint32_t append(std::string name, mlir::RankedTensorType type,
                  std::vector<std::byte> bytes);
  mlir::FailureOr<std::string> roundedEntry(rnn::WeightOp weight,
                                            llvm::StringRef format);

  fb::BundleT &bundle_;
  BlobPool &pool_;
  llvm::StringMap<std::pair<uint32_t, mlir::Attribute>> added_; // by symbol
};

} // namespace rung

#endif // RUNG_COMPILER_BUNDLE_WEIGHTENTRIES_H
