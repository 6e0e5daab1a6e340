//===- InputSource.h - inputs that a seed makes -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_DRIFT_INPUTSOURCE_H
#define RUNG_TOOLS_DRIFT_INPUTSOURCE_H

#include "tools/rung-run/Model.h"

#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace rung::tools {

/// Standard normal numbers by Box and Muller's method: of every two numbers of
/// std::mt19937_64, whose sequence the C++ standard fixes, the upper 53 bits
/// are u and v in [0, 1), and sqrt(-2 ln(1-u)) times cos(2 pi v), then times
/// sin(2 pi v), are two normal numbers.
class NormalSource {
public:
  explicit NormalSource(uint64_t seed) : generator_(seed) {}
  double next();

private:
  std::mt19937_64 generator_;
  std::optional<double> second_;
};

enum class InputKind {
  White, ///< Every element is drawn anew.
  Slow,  ///< x_t = a x_(t-1) + sqrt(1 - a^2) n_t, x_0 = n_0; a is the memory.
};
std::string_view toString(InputKind kind);
std::optional<InputKind> parseInputKind(std::string_view text);

/// What the inputs of a function are to be.
struct InputRecipe {
  InputKind kind = InputKind::White;
  double memory = 0.999; ///< Of slow inputs.
  uint64_t seed = 0;     ///< Of the inputs, and of stochastic rounding.
  uint64_t batch = 4;
  uint32_t tokens = 0; ///< Token inputs draw from 0 to before it; 0: unknown.
  NamedTensors given;  ///< In the types of their ports.
};

/// The inputs of a function, step after step. Two sources of one recipe give
/// the same, however the steps are asked for.
///
/// The port with index i in the function draws from a generator of its own,
/// seeded with seed + 2^32 i, in the order in which its elements lie. Float
/// inputs are normal numbers, white or slow, rounded to bf16 and f16 (so that
/// no float rung rounds them further); token inputs the upper 32 bits of a
/// number of std::mt19937_64, times the count of tokens, over 2^32. Given
/// arrays go before.
class InputSource {
public:
  /// Fails on inputs that a seed cannot make, and on given arrays that have
  /// fewer steps than `steps`.
  static Result<InputSource> make(const Function &function,
                                  const InputRecipe &recipe, uint64_t steps);

  /// The states before the first step, as far as they are not zero.
  NamedTensors firstStates() const;

  /// All other inputs, for the next `steps` steps.
  NamedTensors next(uint64_t steps);

private:
  struct Stream {
    const Port *port = nullptr;
    std::optional<size_t> axis; ///< Of time.
    const Tensor *given = nullptr;
    NormalSource normal{0};
    std::mt19937_64 tokens;
    std::vector<double> last; ///< The step before, of a slow input.
    Tensor constant;          ///< An input without steps that is drawn.
  };
  InputSource(const Function &function, const InputRecipe &recipe)
      : function_(&function), recipe_(&recipe) {}

  Result<Stream> open(size_t index) const;
  Tensor draw(Stream &stream, uint64_t steps) const;
  void drawNormal(Stream &stream, Tensor &tensor, uint64_t steps) const;

  const Function *function_;
  const InputRecipe *recipe_;
  std::vector<Stream> streams_;
  uint64_t position_ = 0;
};

} // namespace rung::tools

#endif // RUNG_TOOLS_DRIFT_INPUTSOURCE_H
