//===- GruWeights.h - a GRU's tensors in canonical order --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SPEC_GRUWEIGHTS_H
#define RUNG_FRONTENDS_SPEC_GRUWEIGHTS_H

#include "frontends/spec/WeightTable.h"

namespace rung::spec {

/// The weights of one layer and direction, arranged as rnn.gru wants them:
/// gate blocks z, r, n; matrices [out, in]; recurrent [heads, 3 dh, dh].
struct CellWeights {
  rnn::WeightOp input;
  rnn::WeightOp recurrent;
  /// Null when the file has no such bias.
  rnn::WeightOp inputBias;
  rnn::WeightOp recurrentBias;
};

/// Finds and arranges the tensors of a `gru` layer of a description.
class GruWeightLoader {
public:
  GruWeightLoader(WeightTable &table, const Layer &layer);

  /// The weights of stacked layer `index`, whose input is `inputWidth` wide.
  std::optional<CellWeights> load(int64_t index, bool reverse,
                                  int64_t inputWidth, mlir::Location location);

  /// Where the reset gate acts if the description does not say: as the
  /// convention's own library has it. Known once the first cell is loaded.
  Reset defaultReset() const { return defaultReset_; }

private:
  struct Cell;

  std::optional<Name> tensorName(Role role, const Cell &cell) const;
  bool reverseInName(const Cell &cell) const;
  bool substitute(Name &name, const Cell &cell) const;
  std::optional<std::string> conventionName(Role role, const Cell &cell) const;
  const safetensors::Tensor *findRequired(Role role, const Cell &cell);
  bool findOptional(Role role, const Cell &cell,
                    const safetensors::Tensor *&tensor);

  rnn::WeightOp loadInput(const Cell &cell);
  rnn::WeightOp loadRecurrent(const Cell &cell);
  bool loadBiases(const Cell &cell, CellWeights &weights);
  bool loadJointBias(const Cell &cell, const safetensors::Tensor &tensor,
                     CellWeights &weights);
  rnn::WeightOp loadBias(const Cell &cell, const safetensors::Tensor &tensor,
                         size_t offset, const std::string &suffix);

  bool badShape(const safetensors::Tensor &tensor, const Cell &cell,
                const std::string &needed) const;
  std::string arrangement() const;

  WeightTable &table_;
  const Layer &layer_;
  const GruLayer &gru_;
  int64_t hidden_;
  int64_t heads_;
  bool transposed_;
  /// Position in the file of the blocks of gates z, r and n.
  std::array<int64_t, 3> position_;
  Reset defaultReset_;
};

} // namespace rung::spec

#endif // RUNG_FRONTENDS_SPEC_GRUWEIGHTS_H
