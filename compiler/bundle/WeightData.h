//===- WeightData.h - the numbers of weights --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_BUNDLE_WEIGHTDATA_H
#define RUNG_COMPILER_BUNDLE_WEIGHTDATA_H

#include "dialects/rnn/RnnOps.h"
#include "dialects/tile/TileOps.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <vector>

namespace rung {

/// The f32 values of every rnn.weight of a module, by name.
class WeightData {
public:
  /// Fails, with an error on the weight, where its values are not at hand.
  static mlir::FailureOr<WeightData> read(mlir::ModuleOp module);

  const std::map<std::string, std::vector<float>> &all() const {
    return values_;
  }
  llvm::ArrayRef<float> operator[](llvm::StringRef name) const;

private:
  std::map<std::string, std::vector<float>> values_;
};

/// The bytes of a packed array: zero, and its pieces converted to the array's
/// element type, to the nearest, ties to even. Fails, with an error on \p op,
/// on a piece that reaches past its weight.
mlir::FailureOr<std::vector<std::byte>> packBytes(tile::PackedOp op,
                                                  const WeightData &weights);

} // namespace rung

#endif // RUNG_COMPILER_BUNDLE_WEIGHTDATA_H
