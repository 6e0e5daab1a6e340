//===- GruWeights.cpp - a GRU's tensors in canonical order ----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/spec/GruWeights.h"
#include "frontends/spec/GruCell.h"

#include <format>

namespace rung::spec {
namespace {

/// A matrix of a file, perhaps stored transposed.
struct MatrixView {
  const float *data;
  int64_t rows;
  int64_t columns;
  bool transposed;

  float at(int64_t row, int64_t column) const {
    return transposed ? data[column * rows + row]
                      : data[row * columns + column];
  }
};

using Shape = std::vector<int64_t>;

} // namespace

GruWeightLoader::GruWeightLoader(WeightTable &table, const Layer &layer)
    : table_(table), layer_(layer), gru_(std::get<GruLayer>(layer.parameters)),
      hidden_(gru_.hidden.value), heads_(gru_.heads.value) {
  Convention convention = gru_.weights.convention;
  transposed_ =
      gru_.weights.transposed.value_or(convention == Convention::Keras);
  std::array<int, 3> order = convention == Convention::PyTorch
                                 ? std::array<int, 3>{1, 0, 2}
                                 : std::array<int, 3>{0, 1, 2};
  if (gru_.weights.order)
    order = *gru_.weights.order;
  for (size_t block = 0; block < 3; ++block)
    position_[static_cast<size_t>(order[block])] = static_cast<int64_t>(block);
  defaultReset_ = convention == Convention::Onnx ? Reset::Before : Reset::After;
}

/// What tells this arrangement of a tensor from others.
std::string GruWeightLoader::arrangement() const {
  return std::format("|gru {}{}{} {} heads{}", position_[0], position_[1],
                     position_[2], heads_, transposed_ ? " transposed" : "");
}

bool GruWeightLoader::badShape(const safetensors::Tensor &tensor,
                               const Cell &cell,
                               const std::string &needed) const {
  return table_.report().error(
      gru_.weights.location,
      std::format("tensor '{}' of '{}' has shape {}; layer '{}' needs {} "
                  "(hidden {}, input {}, heads {})",
                  tensor.name, tensor.file,
                  safetensors::shapeText(tensor.shape), layer_.name.value,
                  needed, hidden_, cell.inputWidth, heads_));
}

static std::string directionSuffix(const GruLayer &gru, bool reverse) {
  if (gru.weights.convention != Convention::Onnx || gru.directions() == 1)
    return "";
  return reverse ? ".reverse" : ".forward";
}

/// ONNX puts an axis of directions in front; this is where ours begins.
static int64_t directionOffset(const GruLayer &gru, bool reverse,
                               int64_t elements) {
  bool second = gru.weights.convention == Convention::Onnx &&
                gru.directions() > 1 && reverse;
  return second ? elements : 0;
}

static Shape withDirections(const GruLayer &gru, Shape shape) {
  if (gru.weights.convention == Convention::Onnx)
    shape.insert(shape.begin(), gru.directions());
  return shape;
}

rnn::WeightOp GruWeightLoader::loadInput(const Cell &cell) {
  const safetensors::Tensor *tensor = findRequired(Role::Input, cell);
  if (!tensor)
    return {};
  int64_t rows = 3 * hidden_, columns = cell.inputWidth;
  Shape need = withDirections(gru_, transposed_ ? Shape{columns, rows}
                                                : Shape{rows, columns});
  if (tensor->shape != need) {
    badShape(*tensor, cell, safetensors::shapeText(need));
    return {};
  }
  std::string suffix = directionSuffix(gru_, cell.reverse);
  std::string key = tensor->name + suffix + arrangement() + "|input";
  if (rnn::WeightOp weight = table_.lookup(key))
    return weight;
  auto values = table_.values(*tensor, gru_.weights.location);
  if (!values)
    return {};
  MatrixView file{values->data() +
                      directionOffset(gru_, cell.reverse, rows * columns),
                  rows, columns, transposed_};
  std::vector<float> canonical;
  canonical.reserve(static_cast<size_t>(rows * columns));
  for (int64_t gate : position_)
    for (int64_t row = 0; row < hidden_; ++row)
      for (int64_t column = 0; column < columns; ++column)
        canonical.push_back(file.at(gate * hidden_ + row, column));
  return table_.add(key, tensor->name + suffix, {rows, columns},
                    std::move(canonical), cell.location);
}

/// A file has the recurrent matrix either with rows ordered by gate, then head,
/// then output, [3 H, dh], or as one matrix a head, [heads, 3 dh, dh].
rnn::WeightOp GruWeightLoader::loadRecurrent(const Cell &cell) {
  const safetensors::Tensor *tensor = findRequired(Role::Recurrent, cell);
  if (!tensor)
    return {};
  int64_t width = hidden_ / heads_, rows = 3 * hidden_;
  Shape flat = withDirections(gru_, transposed_ ? Shape{width, rows}
                                                : Shape{rows, width});
  Shape perHead{heads_, 3 * width, width};
  bool heads = !transposed_ && gru_.weights.convention != Convention::Onnx &&
               tensor->shape == perHead;
  if (!heads && tensor->shape != flat) {
    std::string needed = safetensors::shapeText(flat);
    if (!transposed_ && gru_.weights.convention != Convention::Onnx)
      needed += " or " + safetensors::shapeText(perHead);
    badShape(*tensor, cell, needed);
    return {};
  }
  std::string suffix = directionSuffix(gru_, cell.reverse);
  std::string key = tensor->name + suffix + arrangement() + "|recurrent";
  if (rnn::WeightOp weight = table_.lookup(key))
    return weight;
  auto values = table_.values(*tensor, gru_.weights.location);
  if (!values)
    return {};
  MatrixView file{values->data() +
                      directionOffset(gru_, cell.reverse, rows * width),
                  rows, width, transposed_};
  std::vector<float> canonical;
  canonical.reserve(static_cast<size_t>(rows * width));
  for (int64_t head = 0; head < heads_; ++head)
    for (int64_t gate : position_)
      for (int64_t out = 0; out < width; ++out) {
        int64_t row = heads ? (head * 3 + gate) * width + out
                            : gate * hidden_ + head * width + out;
        for (int64_t k = 0; k < width; ++k)
          canonical.push_back(file.at(row, k));
      }
  return table_.add(key, tensor->name + suffix, perHead, std::move(canonical),
                    cell.location);
}

/// The 3 H elements of `tensor` from `offset` on, as a bias.
rnn::WeightOp GruWeightLoader::loadBias(const Cell &cell,
                                        const safetensors::Tensor &tensor,
                                        size_t offset,
                                        const std::string &suffix) {
  std::string key =
      std::format("{}{}{}|bias", tensor.name, suffix, arrangement());
  if (rnn::WeightOp weight = table_.lookup(key))
    return weight;
  auto values = table_.values(tensor, gru_.weights.location);
  if (!values)
    return {};
  std::vector<float> canonical;
  for (int64_t gate : position_)
    for (int64_t row = 0; row < hidden_; ++row)
      canonical.push_back(
          (*values)[offset + static_cast<size_t>(gate * hidden_ + row)]);
  return table_.add(key, tensor.name + suffix, {3 * hidden_},
                    std::move(canonical), cell.location);
}

/// Both biases in one tensor: [2, 3 H] or [6 H], input first, or [3 H] for the
/// input alone; ONNX's is [directions, 6 H].
bool GruWeightLoader::loadJointBias(const Cell &cell,
                                    const safetensors::Tensor &tensor,
                                    CellWeights &weights) {
  int64_t rows = 3 * hidden_;
  bool onnx = gru_.weights.convention == Convention::Onnx;
  bool both =
      onnx ? tensor.shape == Shape{gru_.directions(), 2 * rows}
           : tensor.shape == Shape{2, rows} || tensor.shape == Shape{2 * rows};
  bool one = !onnx && tensor.shape == Shape{rows};
  if (!both && !one)
    return badShape(tensor, cell,
                    onnx ? safetensors::shapeText({gru_.directions(), 2 * rows})
                         : std::format("{}, {} or {}",
                                       safetensors::shapeText({2, rows}),
                                       safetensors::shapeText({2 * rows}),
                                       safetensors::shapeText({rows})));
  std::string direction = directionSuffix(gru_, cell.reverse);
  size_t offset =
      static_cast<size_t>(directionOffset(gru_, cell.reverse, 2 * rows));
  if (one) {
    // Keras has a single bias when the reset gate acts before the product.
    if (gru_.weights.convention == Convention::Keras)
      defaultReset_ = Reset::Before;
    weights.inputBias = loadBias(cell, tensor, offset, "");
    return static_cast<bool>(weights.inputBias);
  }
  weights.inputBias = loadBias(cell, tensor, offset, direction + ".input");
  weights.recurrentBias =
      loadBias(cell, tensor, offset + static_cast<size_t>(rows),
               direction + ".recurrent");
  return weights.inputBias && weights.recurrentBias;
}

bool GruWeightLoader::loadBiases(const Cell &cell, CellWeights &weights) {
  const safetensors::Tensor *joint, *input, *recurrent;
  if (!findOptional(Role::Bias, cell, joint) ||
      !findOptional(Role::InputBias, cell, input) ||
      !findOptional(Role::RecurrentBias, cell, recurrent))
    return false;
  if (joint && (input || recurrent))
    return table_.report().error(
        gru_.weights.location,
        std::format("layer '{}' has tensor '{}' for both biases, and '{}' for "
                    "one of them",
                    layer_.name.value, joint->name,
                    (input ? input : recurrent)->name));
  if (joint)
    return loadJointBias(cell, *joint, weights);
  // PyTorch has both or neither: one alone is a damaged file.
  if (gru_.weights.convention == Convention::PyTorch && !input != !recurrent)
    return table_.report().error(
        gru_.weights.location,
        std::format("layer '{}' has tensor '{}' but not the other bias",
                    layer_.name.value, (input ? input : recurrent)->name));
  for (auto [tensor, weight] : {std::pair(input, &weights.inputBias),
                                std::pair(recurrent, &weights.recurrentBias)}) {
    if (!tensor)
      continue;
    if (tensor->shape != Shape{3 * hidden_})
      return badShape(*tensor, cell, safetensors::shapeText({3 * hidden_}));
    *weight = loadBias(cell, *tensor, 0, "");
    if (!*weight)
      return false;
  }
  return true;
}

std::optional<CellWeights> GruWeightLoader::load(int64_t index, bool reverse,
                                                 int64_t inputWidth,
                                                 mlir::Location location) {
  Cell cell{index, reverse, inputWidth, location};
  CellWeights weights;
  weights.input = loadInput(cell);
  if (!weights.input)
    return std::nullopt;
  weights.recurrent = loadRecurrent(cell);
  if (!weights.recurrent || !loadBiases(cell, weights))
    return std::nullopt;
  return weights;
}

} // namespace rung::spec
