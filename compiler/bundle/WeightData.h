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

/// The values of every rnn.weight of a module, by name: those of float weights
/// as f32, those of integer weights exactly.
class WeightData {
public:
  /// Fails, with an error on the weight, where its values are not at hand. Only
  /// weights whose names \p known lacks are read, the others looked up there:
  /// it must outlive the result.
  static mlir::FailureOr<WeightData> read(mlir::ModuleOp module,
                                          const WeightData *known = nullptr);

  /// A float weight's values; none of another weight, since no weight is empty.
  llvm::ArrayRef<float> operator[](llvm::StringRef name) const;
  /// An i8 or i32 weight's values; none of another weight.
  llvm::ArrayRef<int32_t> integers(llvm::StringRef name) const;

private:
  bool has(llvm::StringRef name) const;

  const WeightData *known_ = nullptr;
  std::map<std::string, std::vector<float>, std::less<>> floats_;
  std::map<std::string, std::vector<int32_t>, std::less<>> integers_;
};

/// The bytes of a packed array: zero, and its pieces converted to the array's
/// element type: floats to the nearest, ties to even, integers exactly. Fails,
/// with an error on \p op, on a piece that reaches past its weight, on one of
/// floats where integers are wanted or the reverse, and on an integer that the
/// element type lacks.
mlir::FailureOr<std::vector<std::byte>> packBytes(tile::PackedOp op,
                                                  const WeightData &weights);

} // namespace rung

#endif // RUNG_COMPILER_BUNDLE_WEIGHTDATA_H
