//===- Generator.h - a sequence, token by token -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_GENERATOR_H
#define RUNG_TOOLS_RUNG_RUN_GENERATOR_H

#include "tools/rung-run/Model.h"
#include "tools/rung-run/Sampler.h"

#include <optional>
#include <vector>

namespace rung::tools {

/// Generates with a function that a bundle's description made for it.
///
/// With a prompt function, that function reads prompt and appended tokens in
/// one run; its states become those of the same names, and the first token
/// given to the step function is `start`, or without one the prompt's last.
/// Without a prompt function, the step function itself reads `start`, prompt
/// and appended tokens in one run, and what it gives after the last of them is
/// the first new token.
class Generator {
public:
  /// `step` must be made for generation; that the ports it names are there and
  /// of the right types is a rule of bundles. `model` and `session` must
  /// outlive the generator.
  static Result<Generator> make(const Model &model, const Function &step,
                                Session &session);

  /// Draw from the logits instead of taking the best token. Fails if the
  /// function has no logits.
  Status sampleWith(Sampler sampler);

  /// Start stochastic rounding from `seed`, in functions that round so.
  void roundWith(uint64_t seed) { seed_ = seed; }

  /// Reads a prompt, and forgets what went before.
  Status start(const std::vector<int32_t> &prompt);

  /// Has the step function read `tokens` next, behind what it has read and
  /// made. With start({}) or without, a conversation begins.
  void tell(const std::vector<int32_t> &tokens);

  /// Reads what is pending, and whether the likeliest token behind it is the
  /// one that ends the text. That token is not taken.
  Result<bool> endsHere();

  /// The next token, or none when it is the one that ends the text.
  Result<std::optional<int32_t>> next();

private:
  Generator(const Function &step, Session &session)
      : step_(&step), session_(&session) {}

  Result<Outcome> feed(const Function &function, const std::string &input,
                       const std::vector<int32_t> &tokens, NamedTensors states);
  Result<Outcome> readPending();
  int32_t choose(const Outcome &outcome);
  int32_t likeliest(const Outcome &outcome) const;
  std::vector<double> lastScores(const Outcome &outcome) const;
  NamedTensors firstStates(const Function &function) const;
  NamedTensors statesFor(const Function &from, const Outcome &outcome) const;

  const Function *step_;
  const Function *prompt_ = nullptr;
  Session *session_;
  std::optional<Sampler> sampler_;
  uint64_t seed_ = 0;
  std::vector<int32_t> pending_; // tokens that the step function reads next
  NamedTensors states_;
};

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_GENERATOR_H
