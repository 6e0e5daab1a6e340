//===- Description.h - a model description as plain data --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SPEC_DESCRIPTION_H
#define RUNG_FRONTENDS_SPEC_DESCRIPTION_H

#include "frontends/Diagnostics.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <variant>

namespace rung::spec {

using Name = Located<std::string>;

/// A pointwise function by its name in the rnn dialect.
struct Activation {
  Name function;
  std::optional<Located<double>> alpha;
  std::optional<Located<double>> beta;
};

//===----------------------------------------------------------------------===//
// GRU
//===----------------------------------------------------------------------===//

enum class Reset { Before, After };
enum class Update { Keep, Take };
enum class Direction { Forward, Reverse, Bidirectional };
enum class Convention { Rung, PyTorch, Keras, Onnx };

/// What a tensor of a GRU is for. Keras and ONNX keep both biases in one.
enum class Role { Input, Recurrent, InputBias, RecurrentBias, Bias };
using RoleNames = std::map<Role, Name>;

/// Where the weights of a GRU are and how they lie in the file.
struct GruWeights {
  SourceLocation location;
  Convention convention = Convention::Rung;
  /// False when the description gives neither `convention` nor `prefix`, and
  /// so every tensor by `names`.
  bool usesConvention = false;
  std::string prefix;
  /// Names given one by one; they go before the convention's.
  RoleNames names;
  RoleNames reverseNames;
  /// The file's gate order as positions: block i of the file is gate
  /// `order[i]` of z, r, n. Empty: the convention's.
  std::optional<std::array<int, 3>> order;
  /// Matrices lie as [in, out]. Empty: as the convention has them.
  std::optional<bool> transposed;
};

struct GruLayer {
  Located<int64_t> hidden;
  Located<int64_t> layers{1, {}};
  Located<int64_t> heads{1, {}};
  std::optional<Reset> reset;
  Update update = Update::Keep;
  Direction direction = Direction::Forward;
  /// f and g, of each direction; empty means sigmoid and tanh.
  std::vector<Activation> activations;
  SourceLocation activationsLocation;
  std::optional<double> clip;
  std::optional<Name> lengths;
  GruWeights weights;
  /// Name of the state ports; empty means the layer's name and `.state`.
  Name state;

  int64_t directions() const {
    return direction == Direction::Bidirectional ? 2 : 1;
  }
};

//===----------------------------------------------------------------------===//
// Other layers
//===----------------------------------------------------------------------===//

struct EmbeddingLayer {
  Name weight;
};
struct LinearLayer {
  Name weight;
  std::optional<Name> bias;
  bool transposed = false;
};
struct RmsNormLayer {
  Name weight;
  double epsilon = 1e-5;
};
struct ActivationLayer {
  Activation activation;
};
struct SoftmaxLayer {};
struct ArgmaxLayer {};
struct AddLayer {};
struct ConcatLayer {};

struct Layer {
  Name name;
  Name op;
  /// Values the layer reads: inputs of the function or layers above it.
  /// Resolved: never empty, every name known.
  std::vector<Name> inputs;
  std::variant<EmbeddingLayer, LinearLayer, RmsNormLayer, ActivationLayer,
               SoftmaxLayer, ArgmaxLayer, AddLayer, ConcatLayer, GruLayer>
      parameters;
};

//===----------------------------------------------------------------------===//
// Functions and the whole
//===----------------------------------------------------------------------===//

enum class ElementType { F32, I32 };

/// Largest last size of an input, or of what `concat` gives: concatenation is
/// the one layer whose width no tensor bounds.
constexpr int64_t kMaxWidth = 1 << 20;

/// The sizes T and B of a shape, as written in it.
constexpr int64_t kSizeT = -1;
constexpr int64_t kSizeB = -2;

struct Input {
  Name name;
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
};

struct Output {
  Name name;
  Name value;
};

struct Function {
  Name name;
  std::vector<Input> inputs;
  std::vector<Layer> layers;
  std::vector<Output> outputs;
};

struct Vocabulary {
  Name name;
  Name path;
};

/// The section that makes text generation work.
struct Generate {
  SourceLocation location;
  std::optional<Name> prompt;
  Name step;
  std::optional<Name> tokenInput;
  std::optional<Name> tokenOutput;
  std::optional<Name> logits;
  std::optional<Located<int64_t>> start;
  std::optional<Located<int64_t>> stop;
  std::vector<Located<int64_t>> append;
  Located<int64_t> maxSteps{256, {}};
  std::optional<Name> inputVocabulary;
  std::optional<Name> outputVocabulary;
};

struct Description {
  std::string name;
  std::optional<Name> weights;
  std::vector<Vocabulary> vocabularies;
  std::vector<Function> functions;
  std::optional<Generate> generate;

  const Function *findFunction(std::string_view name) const;
};

/// Parses `text`. The result is consistent in itself: names are unique and
/// resolve, numbers are within their limits, what a layer reads comes before
/// it. Whether types and weights fit is not known here.
std::optional<Description> parseDescription(std::string_view text,
                                            const FileDiagnostics &report);

} // namespace rung::spec

#endif // RUNG_FRONTENDS_SPEC_DESCRIPTION_H
