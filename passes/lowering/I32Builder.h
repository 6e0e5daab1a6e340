//===- I32Builder.h - arithmetic on 32-bit integers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_I32BUILDER_H
#define RUNG_PASSES_LOWERING_I32BUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <utility>

namespace rung {

/// Short ways to emit operations on i32 values; what is constant is folded at
/// once. Sums and products keep their low 32 bits.
class I32Builder {
public:
  explicit I32Builder(mlir::ImplicitLocOpBuilder &b) : b_(b) {}

  mlir::ImplicitLocOpBuilder &b() { return b_; }

  /// The low 32 bits of \p value.
  mlir::Value constant(int64_t value);

  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value add(mlir::Value lhs, int64_t rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value shiftLeft(mlir::Value value, mlir::Value by);
  mlir::Value shiftLeft(mlir::Value value, int64_t by);
  /// Bits of zero come in from above.
  mlir::Value shiftRight(mlir::Value value, mlir::Value by);
  mlir::Value shiftRight(mlir::Value value, int64_t by);
  /// Copies of the sign come in from above.
  mlir::Value shiftRightSigned(mlir::Value value, int64_t by);
  mlir::Value bitAnd(mlir::Value lhs, int64_t rhs);
  mlir::Value bitAnd(mlir::Value lhs, mlir::Value rhs);
  mlir::Value bitOr(mlir::Value lhs, mlir::Value rhs);
  mlir::Value bitXor(mlir::Value lhs, mlir::Value rhs);

  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value minSigned(mlir::Value lhs, mlir::Value rhs);
  mlir::Value maxSigned(mlir::Value lhs, mlir::Value rhs);
  mlir::Value minUnsigned(mlir::Value lhs, mlir::Value rhs);
  mlir::Value maxUnsigned(mlir::Value lhs, mlir::Value rhs);

  /// Low and high word of the 64-bit product.
  std::pair<mlir::Value, mlir::Value> multiplySigned(mlir::Value lhs,
                                                     mlir::Value rhs);
  std::pair<mlir::Value, mlir::Value> multiplyUnsigned(mlir::Value lhs,
                                                       mlir::Value rhs);

private:
  mlir::ImplicitLocOpBuilder &b_;
};

} // namespace rung

#endif // RUNG_PASSES_LOWERING_I32BUILDER_H
