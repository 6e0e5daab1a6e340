//===- Tiles.h - how a product or a recurrence is cut -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Tile arithmetic as pure functions of a device profile and a problem, so that
// each choice can be tested without IR and without a device.

#ifndef RUNG_COMPILER_TILING_TILES_H
#define RUNG_COMPILER_TILING_TILES_H

#include "runtime/base/Profile.h"

#include <cstdint>
#include <string>

namespace rung::tiling {

/// Bytes of weights that one thread keeps in registers where it keeps little
/// else: `resident-grid` and streams compute gates on single elements.
inline constexpr int64_t kGridBytesPerThread = 768;

/// The least multiple of \p multiple that is not below \p value.
constexpr int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// How a matrix of one workgroup is spread over its threads: blocks of
/// `m` x `n` (products `k` deep), dealt in turn to `subgroups` groups of
/// `subgroupSize` threads, which form a grid of `subgroupRows`. The blocks of a
/// `transposed` distribution are held as `n` x `m`.
struct Distribution {
  bool cooperative = false;
  int64_t m = 1, n = 1, k = 1;
  int64_t subgroups = 1, subgroupSize = 1;
  int64_t subgroupRows = 1;
  bool transposed = false;

  int64_t threads() const { return subgroups * subgroupSize; }
  int64_t subgroupColumns() const { return subgroups / subgroupRows; }
  bool operator==(const Distribution &) const = default;
};

/// One workgroup's tile of a product [rows x columns], `depth` of the inner
/// dimension staged in shared memory at a time.
struct ProductTiles {
  Distribution distribution;
  int64_t rows = 0, columns = 0, depth = 0;
  /// Weights come through shared memory, too: for tiles in which several
  /// subgroups need the same.
  bool stageWeights = false;
  /// Column tiles that neighbouring workgroups take before the next rows.
  int64_t panel = 1;
  /// An input of a wider format is narrowed once, by a kernel before; else by
  /// each workgroup, on its way into shared memory.
  bool narrowFirst = false;
  bool operator==(const ProductTiles &) const = default;
};

/// A product of activations [rows, inner] with weights [columns, inner].
struct ProductProblem {
  ScalarType operand = ScalarType::F32;
  ScalarType accumulate = ScalarType::F32;
  int64_t inner = 0, columns = 0;
  /// What the activations are stored as, before they are narrowed to operands.
  ScalarType stored = ScalarType::F32;
};

/// What a recurrence's body asks of a kernel, for one head.
struct RecurrenceProblem {
  ScalarType operand = ScalarType::F32;
  /// Of sums, and of all rows and states while a kernel works on them.
  ScalarType accumulate = ScalarType::F32;
  int64_t heads = 1;
  int64_t headWidth = 0;     ///< Hidden units of one head.
  int64_t dots = 0;          ///< Products with recurrent weights a step.
  int64_t matrices = 0;      ///< Distinct weights of those products.
  int64_t operands = 0;      ///< Distinct operands of those products.
  int64_t phaseOperands = 0; ///< Of them, the most that one phase needs.
  int64_t phases = 0;        ///< Longest chain of products within a step.
  int64_t slices = 0;        ///< Row slices of sequences that a step reads.
  int64_t outputs = 0;       ///< Rows that a step writes.
  int64_t states = 0;        ///< Rows carried from step to step.
  int64_t phaseDots = 0;     ///< Of the products, the most of one phase.
  int64_t stack = 1;         ///< Operands that meet each matrix.
  bool draws = false;        ///< Whether a step draws random bits.
  bool hasLengths = false;   ///< Whether rows end at different steps.
  int64_t inputs = 0;        ///< Sequences whose whole rows are multiplied.
  int64_t inputWidth = 0;    ///< The widest of those rows.
  int64_t inputMatrices = 0; ///< Weights of a head that those rows meet.
  /// Whether those products, and outputs, are of f32 where `accumulate` is not.
  bool wideInputs = false, wideOutputs = false;
};

/// One dispatch a step and phase, or one workgroup a head and the whole time
/// loop inside, or the weights spread over all workgroups, which exchange
/// operands every step.
enum class Strategy { Step, ResidentHead, ResidentGrid };

/// One workgroup's part of a recurrence.
struct RecurrenceTiles {
  Strategy strategy = Strategy::Step;
  Distribution distribution;
  /// Batch rows and hidden units of one workgroup, and, for `Step`, the inner
  /// dimension staged at a time.
  int64_t rows = 0, columns = 0, depth = 0;
  /// 2: shared buffers alternate between steps, one barrier a step and phase.
  /// 1: half the memory, one more barrier.
  int64_t stages = 2;
  /// Steps whose rows of sequences are fetched together.
  int64_t group = 1;
  /// The steps of a group are written twice: for tiles whose rows all exist,
  /// and for others, whose outputs go through shared memory. No step branches
  /// then.
  bool twoLoops = false;
  bool operator==(const RecurrenceTiles &) const = default;

  /// The width of sequences' rows of `width`, padded to whole products.
  int64_t inputDepth(int64_t width) const {
    return roundUp(width, distribution.k);
  }
};

/// The shape that `profile` lists for operand x operand + accumulate, largest
/// product first; null when there is none or it cannot be used because its
/// elements don't divide evenly over a subgroup.
const CooperativeShape *findShape(const Profile &profile, ScalarType operand,
                                  ScalarType accumulate);

/// Elements between rows of a shared tile of `columns` elements: padded by 16
/// bytes, so that rows fall on different banks and stay 16-byte aligned.
int64_t sharedPitch(int64_t columns, ScalarType element);

/// Elements between rows of the sums that subgroups of `ResidentGrid` store,
/// `columns` each: padded where rows would fall on the same banks.
int64_t gridSumPitch(int64_t columns, ScalarType accumulate);

/// Operands that share the columns of `ResidentGrid`'s products, `rows` each:
/// all that meet a matrix, or one.
int64_t gridStack(int64_t n, int64_t rows, int64_t stack);

/// True where a whole matrix of sums can be rounded to operands; other operands
/// are stored as sums first, and narrowed on their way through shared memory.
constexpr bool roundsAsMatrix(ScalarType operand, ScalarType accumulate) {
  return operand == accumulate ||
         (operand == ScalarType::F16 && accumulate == ScalarType::F32);
}

/// Whether a resident kernel's states pass through the buffer of an output on
/// their way to and from registers, nothing else needing one for itself: no
/// operand is narrowed there, no element asks for its place.
bool borrowsStage(const RecurrenceTiles &tiles,
                  const RecurrenceProblem &problem);

/// Bytes of shared memory that kernels with these tiles allocate.
int64_t sharedBytes(const ProductTiles &tiles, ScalarType operand);
int64_t sharedBytes(const RecurrenceTiles &tiles,
                    const RecurrenceProblem &problem);

/// The largest tiles that fit \p profile, cooperative where it lists a shape
/// for the formats; the smallest where none fit, and checkTiles says why not.
ProductTiles chooseProductTiles(const Profile &profile,
                                const ProductProblem &problem);
/// `ResidentHead` where its best tiles fit \p profile or there is no product,
/// else `ResidentGrid` where that fits, else `Step`.
Strategy chooseStrategy(const Profile &profile,
                        const RecurrenceProblem &problem);
/// Whether \p problem, with the products of its inputs inside, should have them
/// there: its inputs are narrow, and a workgroup holds all weights of a head in
/// cooperative matrices.
bool fusesInput(const Profile &profile, const RecurrenceProblem &problem);
/// For a resident strategy its best tiles even where they don't fit the
/// profile; checkTiles says why not.
RecurrenceTiles chooseRecurrenceTiles(const Profile &profile,
                                      const RecurrenceProblem &problem,
                                      Strategy strategy);

/// Empty when kernels with these tiles can run on `profile`; else what is
/// asked and what the profile has.
std::string checkTiles(const Profile &profile, const Distribution &distribution,
                       int64_t sharedBytes, ScalarType operand,
                       ScalarType accumulate);

} // namespace rung::tiling

#endif // RUNG_COMPILER_TILING_TILES_H
