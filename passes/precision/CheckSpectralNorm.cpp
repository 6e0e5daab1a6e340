//===- CheckSpectralNorm.cpp - how much a step can amplify ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/SpectralNorm.h"
#include "passes/Passes.h"
#include "passes/precision/RecurrentLayers.h"
#include "passes/precision/WeightValues.h"

#include "llvm/ADT/MapVector.h"

#include <cmath>
#include <format>
#include <set>

using namespace mlir;
using namespace rung;
using namespace rung::rnn;
using rung::numerics::SpectralNorm;
using rung::numerics::SpectralNormOptions;

namespace rung {
#define GEN_PASS_DEF_CHECKSPECTRALNORM
#include "passes/Passes.h.inc"
} // namespace rung

namespace {

/// A weight whose matrices may be scaled.
struct Scaled {
  std::vector<float> values;
  std::set<int64_t> done; ///< Offsets of matrices that were looked at.
  bool changed = false;
  SmallVector<OpOperand *> operands;
};

struct HeadNorm {
  int64_t head;
  SpectralNorm found;
};

struct CheckSpectralNorm
    : rung::impl::CheckSpectralNormBase<CheckSpectralNorm> {
  using CheckSpectralNormBase::CheckSpectralNormBase;
  void runOnOperation() override;

private:
  LogicalResult checkLayer(Operation *layer);
  void checkGate(Operation *layer, const RecurrentWeight &weight,
                 const RecurrentGate &gate, Scaled &scaled);
  void replaceChanged();

  /// Layers may share a weight, or parts of it.
  llvm::MapVector<WeightOp, Scaled> weights_;
};

} // namespace

/// Heads that a warning lists; it counts the others.
static constexpr size_t kListedHeads = 8;

static std::string describe(const HeadNorm &head) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "head " << head.head << " has ";
  if (!std::isfinite(head.found.norm))
    return text + "elements that are not finite";
  out << std::format("{:.4g}", head.found.norm);
  if (!head.found.converged)
    out << " or more (not settled in " << head.found.iterations
        << " iterations)";
  return text;
}

static void warn(Operation *layer, const RecurrentWeight &weight,
                 const RecurrentGate &gate, ArrayRef<HeadNorm> over,
                 double limit, bool rescaled) {
  InFlightDiagnostic warning = layer->emitWarning("layer '");
  warning
      << layerName(layer) << "', gate '" << gate.name
      << "': the spectral norm of the recurrent matrix is over the limit of "
      << std::format("{:g}", limit) << " in " << over.size() << " of "
      << weight.heads << (weight.heads == 1 ? " head" : " heads");
  for (auto [index, head] : llvm::enumerate(over.take_front(kListedHeads)))
    warning << (index == 0 ? ": " : ", ") << describe(head);
  if (over.size() > kListedHeads)
    warning << " and " << over.size() - kListedHeads << " more";
  if (rescaled)
    warning << "; rescaled to the limit, which changes the model";
}

/// Multiplies a matrix so that a second check finds it within \p limit: the
/// norm found may be too small by the tolerance.
static void rescaleMatrix(MutableArrayRef<float> matrix, double norm,
                          double limit) {
  double factor = limit / (norm * (1 + SpectralNormOptions().tolerance));
  for (float &element : matrix)
    element = float(element * factor);
}

void CheckSpectralNorm::checkGate(Operation *layer,
                                  const RecurrentWeight &weight,
                                  const RecurrentGate &gate, Scaled &scaled) {
  int64_t width = weight.width;
  SmallVector<HeadNorm> over;
  bool rescaled = false;
  for (int64_t head = 0; head < weight.heads; ++head) {
    if (!scaled.done.insert(weight.offset(head, gate)).second)
      continue; // Another layer's, and said there.
    MutableArrayRef<float> matrix =
        MutableArrayRef(scaled.values)
            .slice(weight.offset(head, gate), width * width);
    SpectralNorm found = numerics::spectralNorm(matrix, width, width);
    if (found.norm <= limit && found.converged)
      continue;
    over.push_back({head, found});
    if (rescale && std::isfinite(found.norm) && found.norm > limit) {
      rescaleMatrix(matrix, found.norm, limit);
      scaled.changed = rescaled = true;
    }
  }
  if (over.empty())
    return;
  llvm::stable_sort(over, [](const HeadNorm &a, const HeadNorm &b) {
    return a.found.norm > b.found.norm;
  });
  warn(layer, weight, gate, over, limit, rescaled);
}

LogicalResult CheckSpectralNorm::checkLayer(Operation *layer) {
  for (const RecurrentWeight &weight : recurrentWeights(layer)) {
    if (!weights_.contains(weight.weight)) {
      auto values =
          readRecurrentWeight(layer, weight, "rnn-check-spectral-norm");
      if (failed(values))
        return failure();
      weights_[weight.weight].values = std::move(*values);
    }
    Scaled &scaled = weights_[weight.weight];
    scaled.operands.push_back(weight.operand);
    for (const RecurrentGate &gate : weight.gates)
      checkGate(layer, weight, gate, scaled);
  }
  return success();
}

/// New weights for what was scaled; other users of the old keep it.
void CheckSpectralNorm::replaceChanged() {
  for (auto &[weight, scaled] : weights_) {
    if (!scaled.changed)
      continue;
    WeightOp old = weight;
    WeightOp made = createWeight(
        getOperation(), old.getLoc(), (old.getSymName() + ".rescaled").str(),
        old.getType().getShape(), std::move(scaled.values));
    for (OpOperand *operand : scaled.operands) {
      OpBuilder builder(operand->getOwner());
      operand->set(loadWeight(builder, made));
    }
  }
  eraseUnusedWeights(getOperation());
}

void CheckSpectralNorm::runOnOperation() {
  weights_.clear();
  if (!(limit > 0)) {
    getOperation().emitError("limit is ")
        << std::format("{:g}", double(limit))
        << "; a spectral norm's limit is more than 0";
    return signalPassFailure();
  }
  for (Operation *layer : recurrentLayers(getOperation()))
    if (failed(checkLayer(layer)))
      return signalPassFailure();
  if (rescale)
    replaceChanged();
}
