//===- ChatScore.h - how well a model chats ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_BENCH_CHATSCORE_H
#define RUNG_TOOLS_RUNG_BENCH_CHATSCORE_H

#include "tools/rung-bench/HeldOutChats.h"
#include "tools/rung-run/Model.h"

#include <cstdint>
#include <functional>
#include <string>

namespace rung::tools {

/// What a model does on chats that it has not seen.
struct ChatScore {
  std::string bundle, device, variant;
  uint64_t characters = 0; ///< That were to be guessed.
  double bits = 0;         ///< -log2 of the right ones' shares, summed.
  uint64_t right = 0;      ///< Guessed right, the right text being fed.
  uint64_t determined = 0, determinedRight = 0; ///< In determined answers.
  uint64_t answers = 0, answersRight = 0; ///< Written right to the letter from
                                          ///< the model's own characters.

  double bitsPerCharacter() const { return bits / characters; }
};

/// Measures a function that is made for generating, reads its prompts itself
/// and has logits. `done` is told of steps that are done, of `chatScoreSteps`.
Result<ChatScore> scoreChats(Session &session, const Function &function,
                             const HeldOutChats &chats, uint64_t seed,
                             const std::function<void(uint64_t)> &done);

/// How many steps that takes: the chats', and the longest answer's.
uint64_t chatScoreSteps(const HeldOutChats &chats);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_BENCH_CHATSCORE_H
