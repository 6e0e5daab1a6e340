//===- KernelBuilder.h - one kernel and its dispatch ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_KERNELBUILDER_H
#define RUNG_PASSES_LOWERING_KERNELBUILDER_H

#include "passes/lowering/ProgramBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <array>

namespace rung {

/// Builds a `tile.kernel` and the dispatch that runs it. Buffers and push
/// constants are declared first, then `begin` makes the kernel and its body is
/// emitted through `b`, then `dispatch` appends the command to the schedule.
class KernelBuilder {
public:
  KernelBuilder(ProgramBuilder &program, mlir::Location loc,
                llvm::StringRef stem, tile::LayoutAttr layout);

  /// Binds a buffer of the program; returns its index. A buffer that is bound
  /// already keeps its index and gains the access.
  unsigned bind(mlir::Value buffer, tile::Access access);
  unsigned push(tile::PushAttr value);
  unsigned push(tile::PushKind kind);

  void begin();
  /// Appends the dispatch at \p host, or at the program's end.
  void dispatch(std::array<tile::ExtentAttr, 3> groups,
                mlir::OpBuilder *host = nullptr);

  mlir::Value buffer(unsigned index) { return kernel_.getBuffer(index); }
  mlir::Value pushed(unsigned index) { return kernel_.getPush(index); }

  mlir::Value block(mlir::gpu::Dimension dimension);
  mlir::Value thread();
  mlir::Value index(int64_t value);
  mlir::Value f32(double value);
  /// 1 or 0 in \p type, a float or i32.
  mlir::Value indicator(mlir::Value condition, mlir::Type type);
  /// An index in \p type, a float or i32.
  mlir::Value number(mlir::Value index, mlir::Type type);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, int64_t rhs) { return mul(lhs, index(rhs)); }
  mlir::Value add(mlir::Value lhs, int64_t rhs) { return add(lhs, index(rhs)); }
  /// lhs < rhs, signed.
  mlir::Value less(mlir::Value lhs, mlir::Value rhs);
  mlir::Value equal(mlir::Value lhs, mlir::Value rhs);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  /// max(lhs, rhs), signed.
  mlir::Value maximum(mlir::Value lhs, mlir::Value rhs);
  /// `value` where `value < limit`, else -1: the row of a masked access.
  mlir::Value rowBelow(mlir::Value value, mlir::Value limit);

  /// Shared memory of [rows, columns] elements, rows padded against bank
  /// conflicts. Must be called before any loop is entered.
  mlir::Value shared(int64_t rows, int64_t columns, mlir::Type element);
  /// The same with rows \p pitch elements apart.
  mlir::Value sharedExactly(int64_t rows, int64_t pitch, mlir::Type element);

  /// From here on flights move no more than \p elements at once, a power of
  /// two, whatever they could: for kernels that mix flights of several origins.
  void moveAtMost(int64_t elements) { most_ = elements; }
  int64_t movesAtMost() const { return most_; }

  mlir::ImplicitLocOpBuilder &b() { return b_; }
  ProgramBuilder &program() { return program_; }
  tile::LayoutAttr layout() const { return layout_; }
  tile::KernelOp kernel() { return kernel_; }

private:
  ProgramBuilder &program_;
  std::string name_;
  tile::LayoutAttr layout_;
  mlir::ImplicitLocOpBuilder b_;
  tile::KernelOp kernel_;
  int64_t most_ = 16; ///< Bytes that an access moves: no limit.
  llvm::SmallVector<mlir::Value> buffers_;
  llvm::SmallVector<tile::Access> access_;
  llvm::SmallVector<tile::PushAttr> pushes_;
};

} // namespace rung

#endif // RUNG_PASSES_LOWERING_KERNELBUILDER_H
