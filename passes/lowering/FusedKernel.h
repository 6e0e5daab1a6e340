//===- FusedKernel.h - many dispatches as one kernel ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_FUSEDKERNEL_H
#define RUNG_PASSES_LOWERING_FUSEDKERNEL_H

#include "passes/lowering/DispatchStages.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

#include <string>

namespace rung::tile {

/// One kernel that does the work of a program's dispatches. A fixed number of
/// workgroups share out each part's groups and wait for each other between
/// stages. Kernels are taken as one thread sees them, after `tile-distribute`.
class FusedKernel {
public:
  /// A kernel of at most \p groups workgroups.
  FusedKernel(ProgramOp program, int64_t groups, llvm::ArrayRef<Stage> stages)
      : program_(program), mostGroups_(groups), stages_(stages),
        b_(program.getLoc(), program.getContext()) {
    collect();
  }

  /// Says that the parts have \p scratch, of \p size bytes, in place of
  /// \p output, which the kernel copies it to when all is done.
  void standIn(mlir::Value scratch, mlir::Value output, ExtentAttr size);

  /// Why there can be no such kernel; empty where there can. It may use
  /// \p sharedLimit bytes of shared memory.
  std::string obstacle(int64_t sharedLimit) const;

  /// Makes the kernel, in front of the program. \p counter is the buffer in
  /// which workgroups count arrivals; it is bound last.
  mlir::FailureOr<KernelOp> emit(llvm::StringRef name, mlir::Value counter);
  /// Runs the kernel at the end of the program.
  DispatchOp dispatch(KernelOp kernel);

private:
  /// Of the parts, which use it one after the other.
  int64_t sharedBytes() const;
  static int64_t bytesOf(mlir::Type type);
  /// Whether it matters how many threads run \p op.
  static bool changesMemory(mlir::Operation *op);
  void collect();
  /// \p width: the groups of the level so far.
  void collect(const Part &part, int64_t &width);
  LayoutAttr layout() const;
  void emitFrame(llvm::StringRef name);
  mlir::LogicalResult emitStages();
  mlir::LogicalResult emitRepeat(llvm::ArrayRef<Level> levels);
  mlir::LogicalResult emitLevel(llvm::ArrayRef<Part> parts, mlir::Value step);
  mlir::LogicalResult emitPart(const Part &part, mlir::Value &taken,
                               mlir::Value step);
  mlir::LogicalResult emitBody(const Part &part, mlir::Value step,
                               llvm::ArrayRef<mlir::Value> group);
  void placeShared(mlir::Value array, mlir::Value memory, int64_t offset);
  mlir::LogicalResult narrow(mlir::Operation *op, int64_t threads);
  void waitForAll();
  void emitCopies();

  mlir::Value pushed(PushAttr push, mlir::Value step);
  mlir::Value extent(ExtentAttr extent);
  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  mlir::Value rem(mlir::Value lhs, mlir::Value rhs);
  mlir::Value div(mlir::Value lhs, mlir::Value rhs);

  ProgramOp program_;
  int64_t mostGroups_;
  llvm::ArrayRef<Stage> stages_;
  struct Copy {
    mlir::Value from, to;
    ExtentAttr size;
  };
  llvm::SmallVector<Copy> copies_;
  mlir::ImplicitLocOpBuilder b_;

  /// Of the kernel: threads a workgroup, products of matrices, and workgroups,
  /// no more than the widest level has work for.
  int64_t threads_ = 0, products_ = 0, groups_ = 1;
  llvm::SmallVector<KernelOp> kernels_; ///< Of the parts.
  LayoutAttr cooperative_;              ///< Of a part that is; null if none is.
  struct Binding {
    mlir::Type type; ///< Of the kernel's argument.
    Access access;
    mlir::Value argument;
  };
  llvm::MapVector<mlir::Value, Binding> buffers_;
  /// For each type of element one shared array, in which the arrays of each
  /// part lie one behind the other.
  struct Pool {
    int64_t elements = 0;
    mlir::Value memory;
  };
  llvm::MapVector<mlir::Type, Pool> shared_;

  KernelOp kernel_;
  mlir::Value steps_, batch_, group_, thread_, counter_;
  mlir::Value expected_; ///< Arrivals after which the next wait ends.
};

} // namespace rung::tile

#endif // RUNG_PASSES_LOWERING_FUSEDKERNEL_H
