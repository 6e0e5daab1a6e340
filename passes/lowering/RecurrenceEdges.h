//===- RecurrenceEdges.h - what a recurrence can take in --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Products and pointwise conversions around a recurrence that can be done in
// its body, where what they read or give is at hand.
//
//===----------------------------------------------------------------------===//

#ifndef RUNG_PASSES_LOWERING_RECURRENCEEDGES_H
#define RUNG_PASSES_LOWERING_RECURRENCEEDGES_H

#include "dialects/rnn/RnnOps.h"

#include "llvm/ADT/SetVector.h"

#include <optional>

namespace rung {

/// What makes some of a recurrence's sequences: linears, and casts and maps of
/// what they give, which nothing else reads.
struct InputEdge {
  llvm::SmallVector<unsigned> sequences;
  llvm::SetVector<mlir::Operation *> operations; ///< Linears first in each way.

  /// Null where a sequence is made otherwise, or others read what makes it.
  static std::optional<InputEdge> find(rnn::RecurrenceOp op,
                                       mlir::ArrayRef<unsigned> sequences);
};

/// The one reader of outputs: a cast or a map that gives f32.
struct OutputEdge {
  llvm::SmallVector<unsigned> outputs;
  mlir::Operation *reader = nullptr;

  static std::optional<OutputEdge> find(rnn::RecurrenceOp op);
};

/// \p op with its edges inside, before it. The operations of the edges stay.
rnn::RecurrenceOp buildFused(rnn::RecurrenceOp op, const InputEdge &inputs,
                             const std::optional<OutputEdge> &outputs);

/// Puts \p fused in place of \p op and its edges.
void replaceFused(rnn::RecurrenceOp op, rnn::RecurrenceOp fused,
                  const InputEdge &inputs,
                  const std::optional<OutputEdge> &outputs);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_RECURRENCEEDGES_H
