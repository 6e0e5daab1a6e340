//===- SplitBlockDiagonal.cpp - full matrices to heads -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/numerics/BlockStructure.h"
#include "passes/Passes.h"
#include "passes/precision/RecurrentLayers.h"
#include "passes/precision/WeightValues.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

#include <format>
#include <map>

using namespace mlir;
using namespace rung;
using namespace rung::rnn;
using rung::numerics::BlockEnergy;

namespace rung {
#define GEN_PASS_DEF_SPLITBLOCKDIAGONAL
#include "passes/Passes.h.inc"
} // namespace rung

namespace {

/// A recurrent weight with its numbers.
struct Matrices {
  RecurrentWeight layout;
  std::vector<float> values;

  std::span<const float> matrix(int64_t head, const RecurrentGate &gate) const {
    return std::span(values).subspan(layout.offset(head, gate),
                                     layout.width * layout.width);
  }
};

/// Blocks to keep of a layer, and what is left out with the rest.
struct Split {
  int64_t parts = 1; ///< Blocks that each head's matrices are cut into.
  llvm::MapVector<StringRef, BlockEnergy> gates;
  BlockEnergy total;
};

struct SplitBlockDiagonal
    : rung::impl::SplitBlockDiagonalBase<SplitBlockDiagonal> {
  using SplitBlockDiagonalBase::SplitBlockDiagonalBase;
  void runOnOperation() override;

private:
  LogicalResult runOnLayer(Operation *layer);
  FailureOr<int64_t> chooseParts(Operation *layer, ArrayRef<Matrices> all);
  LogicalResult report(Operation *layer, const Matrices &first,
                       const Split &split);
  WeightOp splitWeight(const Matrices &from, int64_t parts);

  /// Layers that share a weight share its blocks.
  std::map<std::pair<Operation *, int64_t>, WeightOp> made_;
};

} // namespace

/// The numbers of all recurrent weights of \p layer, whose matrices are whole
/// gates.
static FailureOr<SmallVector<Matrices>> readMatrices(Operation *layer) {
  SmallVector<Matrices> all;
  for (RecurrentWeight &weight : recurrentWeights(layer)) {
    for (const RecurrentGate &gate : weight.gates)
      if (gate.row % weight.width != 0 || weight.rows % weight.width != 0)
        return layer->emitError("layer '")
               << layerName(layer) << "' takes rows from " << gate.row << " of "
               << weight.rows << " in its recurrent weight; matrices of width "
               << weight.width << " begin at multiples of it";
    FailureOr<std::vector<float>> values =
        readRecurrentWeight(layer, weight, "rnn-split-block-diagonal");
    if (failed(values))
      return failure();
    all.push_back({std::move(weight), std::move(*values)});
  }
  return all;
}

static bool isExact(ArrayRef<Matrices> all, int64_t parts) {
  for (const Matrices &m : all)
    for (const RecurrentGate &gate : m.layout.gates)
      for (int64_t head = 0; head < m.layout.heads; ++head)
        if (!numerics::isBlockDiagonal(m.matrix(head, gate), m.layout.width,
                                       parts))
          return false;
  return true;
}

static Split measure(ArrayRef<Matrices> all, int64_t parts) {
  Split split;
  split.parts = parts;
  for (const Matrices &m : all)
    for (const RecurrentGate &gate : m.layout.gates)
      for (int64_t head = 0; head < m.layout.heads; ++head) {
        BlockEnergy energy =
            numerics::blockEnergy(m.matrix(head, gate), m.layout.width, parts);
        split.gates[gate.name] += energy;
        split.total += energy;
      }
  return split;
}

static std::string countHeads(int64_t heads, int64_t width) {
  return std::to_string(heads) + (heads == 1 ? " head of " : " heads of ") +
         std::to_string(width);
}

/// The largest number of parts that loses nothing, or what `heads` asks for.
FailureOr<int64_t> SplitBlockDiagonal::chooseParts(Operation *layer,
                                                   ArrayRef<Matrices> all) {
  int64_t now = all.front().layout.heads, width = all.front().layout.width;
  if (heads == 0) {
    int64_t parts = width;
    while (width % parts != 0 || !isExact(all, parts))
      --parts;
    return parts;
  }
  if (heads < 0 || heads % now != 0 || width % (heads / now) != 0)
    return layer->emitError("layer '")
           << layerName(layer) << "' has " << countHeads(now, width)
           << ", which cannot be cut into " << int64_t(heads)
           << " of equal width";
  return heads / now;
}

static void append(std::string &text, double share) {
  text += std::format("{:.3g} %", 100 * share);
}

/// Says what is done and lost; fails where that is not allowed.
LogicalResult SplitBlockDiagonal::report(Operation *layer,
                                         const Matrices &first,
                                         const Split &split) {
  int64_t now = first.layout.heads, width = first.layout.width;
  std::string lost;
  append(lost, split.total.share());
  lost += " of the energy of its recurrent weights (";
  for (auto &[name, energy] : split.gates) {
    lost += (name == split.gates.front().first ? "" : ", ") + name.str() + " ";
    append(lost, energy.share());
  }
  lost += ")";
  bool lossy = split.total.outside != 0;
  std::string before = countHeads(now, width);
  std::string after = countHeads(now * split.parts, width / split.parts);
  if (lossy && !allowLossy)
    return layer->emitError("layer '")
           << layerName(layer) << "' cut from " << before << " into " << after
           << " drops " << lost << "; allow-lossy permits it";
  InFlightDiagnostic remark = layer->emitRemark("layer '")
                              << layerName(layer) << "': " << before;
  if (split.parts == 1)
    remark << " as before; no finer blocks hold all recurrent weights";
  else
    remark << " into " << after << ", dropping "
           << (lossy ? lost : "nothing but zeros");
  return success();
}

WeightOp SplitBlockDiagonal::splitWeight(const Matrices &from, int64_t parts) {
  const RecurrentWeight &old = from.layout;
  WeightOp &made = made_[{old.weight, parts}];
  if (made)
    return made;
  int64_t heads = old.heads * parts, rows = old.rows / parts,
          width = old.width / parts;
  std::vector<float> values;
  values.reserve(heads * rows * width);
  // Row o of block p of a gate comes from its row p * width + o.
  for (int64_t head = 0; head < old.heads; ++head)
    for (int64_t part = 0; part < parts; ++part)
      for (int64_t row = 0; row < rows; ++row) {
        int64_t gate = row / width, o = part * width + row % width;
        const float *source =
            from.values.data() +
            (head * old.rows + gate * old.width + o) * old.width + part * width;
        values.insert(values.end(), source, source + width);
      }
  WeightOp weight = old.weight;
  made = createWeight(getOperation(), weight.getLoc(),
                      (weight.getSymName() + ".heads" + Twine(heads)).str(),
                      {heads, rows, width}, std::move(values));
  return made;
}

/// Gives the body of a recurrence matrices of \p parts times as many heads.
static void retypeBody(RecurrenceOp recurrence, int64_t parts) {
  for (auto [operand, argument] :
       llvm::zip(recurrence.getWeights(), recurrence.getWeightArguments())) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (argument.getType() == type)
      continue;
    argument.setType(type);
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      if (!slice)
        continue;
      OpBuilder builder(slice);
      auto index = [&](int64_t value) -> OpFoldResult {
        return builder.getIndexAttr(value);
      };
      int64_t row = slice.getStaticOffsets()[1] / parts,
              rows = slice.getStaticSizes()[1] / parts;
      Value narrowed = tensor::ExtractSliceOp::create(
          builder, slice.getLoc(), argument,
          ArrayRef{index(0), index(row), index(0)},
          ArrayRef{index(type.getDimSize(0)), index(rows),
                   index(type.getDimSize(2))},
          ArrayRef{index(1), index(1), index(1)});
      slice.replaceAllUsesWith(narrowed);
      slice.erase();
    }
  }
  recurrence.setHeads(recurrence.getHeads() * parts);
}

LogicalResult SplitBlockDiagonal::runOnLayer(Operation *layer) {
  FailureOr<SmallVector<Matrices>> all = readMatrices(layer);
  if (failed(all))
    return failure();
  if (all->empty()) // No product with the state, so nothing to cut.
    return success();
  FailureOr<int64_t> parts = chooseParts(layer, *all);
  if (failed(parts) ||
      failed(report(layer, all->front(), measure(*all, *parts))))
    return failure();
  if (*parts == 1)
    return success();
  for (const Matrices &matrices : *all) {
    OpBuilder builder(layer);
    matrices.layout.operand->set(
        loadWeight(builder, splitWeight(matrices, *parts)));
  }
  if (auto recurrence = dyn_cast<RecurrenceOp>(layer))
    retypeBody(recurrence, *parts);
  return success();
}

void SplitBlockDiagonal::runOnOperation() {
  made_.clear();
  for (Operation *layer : recurrentLayers(getOperation()))
    if (failed(runOnLayer(layer)))
      return signalPassFailure();
  if (!made_.empty()) // Full matrices would go into the bundle.
    eraseUnusedWeights(getOperation());
}
