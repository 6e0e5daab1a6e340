//===- ProgramBuilder.h - buffers and weights of a schedule -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_PROGRAMBUILDER_H
#define RUNG_PASSES_LOWERING_PROGRAMBUILDER_H

#include "dialects/rnn/RnnOps.h"
#include "dialects/tile/TileOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace rung {

/// A weight of the model as an operand of the graph, seen through casts.
struct WeightSource {
  mlir::FlatSymbolRefAttr symbol;
  mlir::RankedTensorType type; ///< As stored, before any cast.
};

/// Builds the `tile.program` of one function: which device buffer holds which
/// tensor of the graph, and which packed arrays its kernels read. Tensors lie
/// in memory exactly as the interface has them, row-major and unpadded.
class ProgramBuilder {
public:
  /// Makes the program behind \p function, and its input buffers. Fails, with
  /// an error on the function, on tensors whose steps or batch are not dynamic.
  /// It has the function's name, or \p name.
  static mlir::FailureOr<ProgramBuilder> create(mlir::func::FuncOp function,
                                                llvm::StringRef name = {});

  /// Keeps \p value in scratch even where the function returns it, for kernels
  /// that read it: an output that none reads can lie where the host sees it.
  void keepInScratch(mlir::Value value);

  /// The buffer that holds \p value, made on first request: an output port's
  /// if the function returns the value, else scratch.
  mlir::Value bufferOf(mlir::Value value);
  /// A further scratch buffer of \p elements elements.
  mlir::Value scratch(mlir::Type elementType, tile::ExtentAttr elements);
  /// What workgroups that wait for one another count in or report to.
  mlir::Value progress(int64_t words);
  /// The buffer of output port \p port.
  mlir::Value output(unsigned port);

  mlir::Value packed(mlir::Type elementType, int64_t count,
                     llvm::ArrayRef<tile::PieceAttr> pieces);

  /// Rows of a tensor: steps times batch for sequences, batch for states; and
  /// the push constant that gives their number to a kernel.
  static tile::Symbol rowSymbol(mlir::Value value);
  static tile::PushKind rowPush(mlir::Value value);
  /// Elements of one row.
  static int64_t rowWidth(mlir::Value value);

  /// A kernel name that is free in the module, beginning with \p stem.
  std::string kernelName(llvm::StringRef stem);

  tile::ProgramOp program() const { return program_; }
  mlir::func::FuncOp function() const { return function_; }
  mlir::MLIRContext *context() const { return host_.getContext(); }
  /// Inserts at the program's end.
  mlir::OpBuilder &host() { return host_; }
  mlir::Location loc() { return function_.getLoc(); }

private:
  ProgramBuilder(mlir::func::FuncOp function, tile::ProgramOp program);
  tile::ExtentAttr bytes(mlir::Type elementType, tile::Symbol rows,
                         int64_t width) const;

  mlir::func::FuncOp function_;
  tile::ProgramOp program_;
  mlir::OpBuilder host_;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers_;
  llvm::DenseMap<unsigned, mlir::Value> outputs_;
};

/// The weight that \p value is, seen through casts; fails if it isn't one.
mlir::FailureOr<WeightSource> findWeight(mlir::Value value);

/// The activation behind a cast.
mlir::Value seeThroughCast(mlir::Value value);

/// Whether \p use is a recurrence's sequence whose rows its body does nothing
/// with but multiply them: its kernel rounds what is behind a cast on its way
/// in.
bool roundsInKernel(mlir::OpOperand &use);

/// Bytes of one element of \p type.
int64_t byteWidth(mlir::Type type);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_PROGRAMBUILDER_H
