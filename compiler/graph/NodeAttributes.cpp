//===- NodeAttributes.cpp - attributes of graph nodes --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/graph/NodeAttributes.h"
#include "dialects/rnn/RnnOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rung;
using namespace rung::rnn;

namespace {
/// Adds attributes to one node.
class AttributeWriter {
public:
  explicit AttributeWriter(fb::NodeT &node) : node_(node) {}

  void integer(StringRef name, int64_t value) {
    add(name, fb::AttributeKind::Int).i = value;
  }
  void real(StringRef name, double value) {
    add(name, fb::AttributeKind::Float).f = value;
  }
  void string(StringRef name, StringRef value) {
    add(name, fb::AttributeKind::String).s = value.str();
  }
  void integers(StringRef name, ArrayRef<int64_t> values) {
    add(name, fb::AttributeKind::Ints)
        .ints.assign(values.begin(), values.end());
  }
  void reals(StringRef name, std::vector<double> values) {
    add(name, fb::AttributeKind::Floats).floats = std::move(values);
  }
  void strings(StringRef name, std::vector<std::string> values) {
    add(name, fb::AttributeKind::Strings).strings = std::move(values);
  }

private:
  fb::AttributeT &add(StringRef name, fb::AttributeKind kind) {
    node_.attributes.push_back(std::make_unique<fb::AttributeT>());
    fb::AttributeT &attribute = *node_.attributes.back();
    attribute.name = name.str();
    attribute.kind = kind;
    return attribute;
  }
  fb::NodeT &node_;
};
} // namespace

static void exportGru(GruOp op, AttributeWriter &writer) {
  writer.integers(
      "operand_segments",
      {1, int64_t(op.getWeights().size()), int64_t(op.getRecurrent().size()),
       int64_t(op.getInputBias().size()), int64_t(op.getRecurrentBias().size()),
       int64_t(op.getInitial().size()), op.getLengths() ? 1 : 0});
  writer.string("reset", stringifyReset(op.getReset()));
  writer.string("update", stringifyUpdate(op.getUpdate()));
  writer.string("direction", stringifyDirection(op.getDirection()));
  std::vector<std::string> names;
  std::vector<double> alphas, betas;
  for (auto activation : op.getActivations().getAsRange<ActivationAttr>()) {
    names.push_back(stringifyFunction(activation.getFunction()).str());
    alphas.push_back(activation.getAlpha());
    betas.push_back(activation.getBeta());
  }
  writer.strings("activations", std::move(names));
  writer.reals("activation_alpha", std::move(alphas));
  writer.reals("activation_beta", std::move(betas));
  if (op.getClip())
    writer.real("clip", op.getClip()->convertToDouble());
}

static void exportRecurrence(RecurrenceOp op, AttributeWriter &writer) {
  writer.integers("operand_segments",
                  {int64_t(op.getSequences().size()),
                   int64_t(op.getWeights().size()),
                   int64_t(op.getInitial().size()), op.getLengths() ? 1 : 0,
                   op.getRandom() ? 1 : 0});
  writer.string("direction", stringifyDirection(op.getDirection()));
  writer.integer("heads", int64_t(op.getHeads()));
}

static void exportPiecewise(PiecewiseOp op, AttributeWriter &writer) {
  auto wide = [](ArrayRef<int32_t> values) {
    return SmallVector<int64_t>(values);
  };
  writer.integers("knots", wide(op.getKnots()));
  writer.integers("slopes", wide(op.getSlopes()));
  writer.integers("offsets", wide(op.getOffsets()));
  writer.integer("shift", op.getShift());
}

static void exportLookup(LookupOp op, AttributeWriter &writer) {
  writer.integer("low", op.getLow());
  writer.integer("shift", op.getShift());
  writer.integer("interpolate", op.getInterpolate());
}

static void exportActivation(ActivationOp op, AttributeWriter &writer) {
  ActivationAttr activation = op.getFunction();
  writer.string("function", stringifyFunction(activation.getFunction()));
  writer.real("alpha", activation.getAlpha());
  writer.real("beta", activation.getBeta());
}

static LogicalResult exportConstant(arith::ConstantOp op,
                                    AttributeWriter &writer) {
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  if (splat && isa<FloatType>(splat.getElementType())) {
    APFloat value = splat.getSplatValue<APFloat>();
    bool lost;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
    writer.real("value", value.convertToDouble());
    return success();
  }
  if (splat && splat.getElementType().isIntOrIndex()) {
    APInt value = splat.getSplatValue<APInt>();
    bool isTruth = splat.getElementType().isInteger(1);
    writer.real("value", isTruth ? double(value.getZExtValue())
                                 : double(value.getSExtValue()));
    return success();
  }
  return op.emitOpError("is no splat of numbers, as a graph of the bundle "
                        "needs");
}

/// Graphs compute as written and round to nearest even.
static LogicalResult verifyExact(Operation &op) {
  if (auto conversion = dyn_cast<arith::TruncFOp>(op))
    if (conversion.getRoundingmode().value_or(
            arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return op.emitOpError("rounds by '")
             << arith::stringifyRoundingMode(*conversion.getRoundingmode())
             << "'; a graph of the bundle rounds to nearest even";
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlagsAttr flags = fast ? fast.getFastMathFlagsAttr() : nullptr;
  if (flags && flags.getValue() != arith::FastMathFlags::none)
    return op.emitOpError("has fast-math flags; a graph of the bundle computes "
                          "as written");
  return success();
}

LogicalResult rung::exportAttributes(Operation &op,
                                     const WeightIndices &weights,
                                     fb::NodeT &node) {
  AttributeWriter writer(node);
  if (failed(verifyExact(op)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](LoadWeightOp load) -> LogicalResult {
        auto found = weights.find(load.getWeight());
        if (found == weights.end())
          return load.emitOpError()
                 << load.getWeightAttr() << " is not among the "
                 << weights.size() << " weights of the bundle";
        writer.integer("weight", found->second);
        return success();
      })
      .Case([&](GruOp gru) { return exportGru(gru, writer), success(); })
      .Case([&](RecurrenceOp recurrence) {
        return exportRecurrence(recurrence, writer), success();
      })
      .Case([&](ActivationOp activation) {
        return exportActivation(activation, writer), success();
      })
      .Case([&](MapOp map) {
        writer.integers("operand_segments", {int64_t(map.getInputs().size()),
                                             int64_t(map.getWeights().size())});
        return success();
      })
      .Case([&](RandomOp random) {
        writer.integer("layer", random.getLayer());
        writer.integer("word", random.getWord());
        return success();
      })
      .Case([&](RequantizeOp requantize) {
        writer.integer("shift", requantize.getShift());
        return success();
      })
      .Case([&](PiecewiseOp piecewise) {
        return exportPiecewise(piecewise, writer), success();
      })
      .Case([&](LookupOp lookup) {
        return exportLookup(lookup, writer), success();
      })
      .Case([&](IntegerRmsNormOp norm) {
        writer.integer("epsilon", norm.getEpsilon());
        writer.integer("shift", norm.getShift());
        return success();
      })
      .Case([&](RmsNormOp norm) {
        writer.real("epsilon", norm.getEpsilon().convertToDouble());
        return success();
      })
      .Case([&](arith::ConstantOp constant) {
        return exportConstant(constant, writer);
      })
      .Case([&](arith::CmpFOp compare) {
        writer.string("predicate",
                      arith::stringifyCmpFPredicate(compare.getPredicate()));
        return success();
      })
      .Case([&](arith::CmpIOp compare) {
        writer.string("predicate",
                      arith::stringifyCmpIPredicate(compare.getPredicate()));
        return success();
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        writer.integers("offsets", slice.getStaticOffsets());
        writer.integers("sizes", slice.getStaticSizes());
        writer.integers("strides", slice.getStaticStrides());
        return success();
      })
      .Default([&](Operation *) -> LogicalResult {
        if (isa<RnnDialect, arith::ArithDialect, math::MathDialect>(
                op.getDialect()))
          return success();
        return op.emitOpError("has no place in a graph of the bundle");
      });
}
