//===- HeldOutChats.h - chats that a model has not seen ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_HELDOUTCHATS_H
#define RUNG_TOOLS_RUNG_BENCH_HELDOUTCHATS_H

#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rung::tools {

/// Chats as tokens, and which of their answers the lines before leave no
/// choice in. models/cat_chat/held_out.py writes them as an .npz archive:
///
///     ids      [T, B]  tokens, the start mark first; what is behind a row's
///                      length means nothing
///     lengths  [B]     tokens of each chat
///     answers  [N, 3]  row, begin and end of each determined answer
///     bits     [1]     the grammar's bits for all chats: no model needs fewer
struct HeldOutChats {
  struct Answer {
    uint32_t row, begin, end; ///< 1 <= begin < end <= the row's length.
  };

  uint32_t steps = 0, rows = 0; ///< T and B
  std::vector<int32_t> ids;     ///< [T, B]
  std::vector<uint32_t> lengths;
  std::vector<Answer> answers; ///< By their beginnings.
  double bits = 0;

  int32_t id(uint32_t step, uint32_t row) const {
    return ids[uint64_t(step) * rows + row];
  }
  /// Tokens that are to be guessed: all but each row's first.
  uint64_t characters() const;

  static Result<HeldOutChats> read(const std::string &path);
};

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_HELDOUTCHATS_H
