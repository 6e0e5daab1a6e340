//===- WeightTable.h - tensors of a file as weights of a module -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SPEC_WEIGHTTABLE_H
#define RUNG_FRONTENDS_SPEC_WEIGHTTABLE_H

#include "dialects/rnn/RnnOps.h"
#include "frontends/safetensors/Archive.h"
#include "frontends/spec/Description.h"

#include "mlir/IR/BuiltinOps.h"

#include <set>

namespace rung::spec {

/// Makes one `rnn.weight` of each tensor and arrangement that is asked for, so
/// that functions and layers share weights as the description shares names.
class WeightTable {
public:
  /// `archive` is null when the model has no weights file.
  WeightTable(mlir::ModuleOp module, const safetensors::Archive *archive,
              const FileDiagnostics &report);

  bool contains(std::string_view name) const {
    return archive_ && archive_->find(name);
  }
  /// The float tensor `name`, or null after a report on behalf of `user`.
  const safetensors::Tensor *find(const Name &name, const std::string &user);

  /// The elements as float32. Warns once of a tensor with values that are not
  /// finite; a value that float32 can't hold is an error.
  std::optional<std::vector<float>> values(const safetensors::Tensor &tensor,
                                           SourceLocation location);

  /// The weight that was added under `key`, or null.
  rnn::WeightOp lookup(const std::string &key) const;
  /// Adds a weight; its symbol is `symbol`, changed if that is taken. `key`
  /// tells apart different arrangements of one tensor.
  rnn::WeightOp add(const std::string &key, const std::string &symbol,
                    const std::vector<int64_t> &shape,
                    std::vector<float> values, mlir::Location location);

  /// The whole tensor as it is, or transposed if it is a matrix.
  rnn::WeightOp addPlain(const safetensors::Tensor &tensor, bool transposed,
                         SourceLocation location, mlir::Location irLocation);

  /// Keeps `name` free for a function.
  void reserveSymbol(const std::string &name) { symbols_.insert(name); }

  const FileDiagnostics &report() const { return report_; }

private:
  mlir::ModuleOp module_;
  const safetensors::Archive *archive_;
  const FileDiagnostics &report_;
  std::map<std::string, rnn::WeightOp> weights_;
  std::set<std::string> symbols_;
  std::set<std::string> warned_;
};

} // namespace rung::spec

#endif // RUNG_FRONTENDS_SPEC_WEIGHTTABLE_H
