//===- BundleEmitter.h - the bundle of a model ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_BUNDLE_BUNDLEEMITTER_H
#define RUNG_COMPILER_BUNDLE_BUNDLEEMITTER_H

#include "compiler/Compiler.h"
#include "compiler/bundle/VariantEmitter.h"
#include "frontends/ModelExtras.h"

namespace rung {

/// Gathers a bundle: interface, graphs and weights first, then a variant a
/// target.
class BundleEmitter {
public:
  /// \p source is the module at stage `rnn`, what the model says; \p graph the
  /// same at stage `precision`, what the kernels compute.
  static mlir::FailureOr<BundleEmitter> create(mlir::ModuleOp source,
                                               mlir::ModuleOp graph,
                                               const ModelExtras &extras,
                                               const CompileOptions &options);

  /// \p module at stage `spirv`.
  mlir::LogicalResult addVariant(mlir::ModuleOp module, const Profile &target);

  /// The file. \p stages are names and texts to keep.
  Result<std::vector<std::byte>>
  finish(const std::vector<std::pair<std::string, std::string>> &stages);

private:
  mlir::LogicalResult addFunctions(mlir::ModuleOp source, mlir::ModuleOp graph);
  mlir::LogicalResult addExtras(mlir::ModuleOp graph,
                                const ModelExtras &extras);

  std::unique_ptr<fb::BundleT> bundle_ = std::make_unique<fb::BundleT>();
  std::unique_ptr<BlobBuilder> blob_ = std::make_unique<BlobBuilder>();
  std::unique_ptr<BlobPool> pool_ = std::make_unique<BlobPool>(*blob_);
  WeightData weights_;
  std::vector<std::string> functions_;
};

} // namespace rung

#endif // RUNG_COMPILER_BUNDLE_BUNDLEEMITTER_H
