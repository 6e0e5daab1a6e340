//===- TabulatePieces.h - piecewise functions by tables ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_TABULATEPIECES_H
#define RUNG_PASSES_LOWERING_TABULATEPIECES_H

#include "dialects/rnn/RnnOps.h"

namespace rung {

/// Set on an `rnn.lookup` of intervals of one place from 0 on, whose input is
/// known to be the number of an entry: it need not be limited to the table.
inline constexpr llvm::StringLiteral kInTableAttr = "rung.in_table";

/// Writes each `rnn.piecewise` of \p op that has more than eight pieces with
/// lookups: slopes and offsets become weights of the recurrence, and so do two
/// tables of equal parts of the knots' range, which tell how many knots are
/// before a part and which is next: one comparison finds the piece. A choice
/// among constants takes about three selections a piece, by each element. Knots
/// that lie too close for that stay. Bits are the same.
void tabulatePieces(rnn::RecurrenceOp op);

} // namespace rung

#endif // RUNG_PASSES_LOWERING_TABULATEPIECES_H
