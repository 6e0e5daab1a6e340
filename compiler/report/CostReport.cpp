//===- CostReport.cpp - operations, bytes and memory ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/report/BudgetReport.h"
#include "passes/precision/RecurrentLayers.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rung::rnn;

namespace rung {

static uint64_t elementBytes(Value value) {
  return (getElementTypeOrSelf(value).getIntOrFloatBitWidth() + 7) / 8;
}

/// The product of the static sizes of \p value.
static uint64_t staticSize(Value value) {
  uint64_t size = 1;
  for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape())
    size *= ShapedType::isDynamic(extent) ? 1 : uint64_t(extent);
  return size;
}

uint64_t rowBytes(Value value) {
  return staticSize(value) * elementBytes(value);
}

/// Whether \p value has steps, so that its size grows with T.
static bool hasSteps(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() >= 2 && type.isDynamicDim(0) &&
         type.isDynamicDim(1);
}

static std::string formatOf(Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << getElementTypeOrSelf(value);
  return text;
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// What a kernel reads for \p value: a cast is made on the way.
static Value sourceOf(Value value) {
  auto rounding = value.getDefiningOp<CastOp>();
  return rounding ? rounding.getInput() : value;
}

static LayerCost costOf(LinearOp linear) {
  LayerCost cost;
  cost.format = formatOf(linear.getInput());
  cost.operations = 2.0 * staticSize(linear.getWeight());
  cost.bytes =
      rowBytes(sourceOf(linear.getInput())) + rowBytes(linear.getResult());
  cost.weightBytes = rowBytes(linear.getWeight());
  return cost;
}

static LayerCost costOf(RecurrenceOp recurrence) {
  LayerCost cost;
  cost.recurrent = true;
  for (DotOp dot : recurrence.getStep().getOps<DotOp>()) {
    cost.format = formatOf(dot.getInput());
    cost.operations += 2.0 * staticSize(dot.getWeight());
  }
  for (Value sequence : recurrence.getSequences())
    cost.bytes += rowBytes(sequence);
  for (Value output : recurrence.getOutputs())
    cost.bytes += rowBytes(output);
  for (Value weight : recurrence.getWeights())
    cost.weightBytes += rowBytes(weight);
  if (cost.format.empty())
    cost.format = formatOf(recurrence.getInitial().front());
  return cost;
}

/// Operations a second that \p profile can make on \p format; 0: not stated.
static double peakOf(const Profile &profile, StringRef format) {
  bool cooperative = profile.has(Feature::CooperativeMatrix);
  if (format == "i8")
    return cooperative ? profile.peaks.opsCooperativeS8 : 0;
  if (format == "f16" || format == "bf16")
    return cooperative ? profile.peaks.flopsCooperativeF16
                       : profile.peaks.flopsF16;
  return profile.peaks.flopsF32;
}

static void addTimes(Report &report, StringRef function, size_t firstCost,
                     const ReportOptions &options) {
  double rows = double(options.steps) * options.batch;
  for (const Profile &profile : options.profiles) {
    PeakTime time{profile.name, function.str()};
    bool stated = true;
    double bytes = 0;
    for (size_t i = firstCost; i < report.costs.size(); ++i) {
      const LayerCost &cost = report.costs[i];
      double peak = peakOf(profile, cost.format);
      stated = stated && (peak > 0 || cost.operations == 0);
      if (peak > 0)
        time.operationSeconds += rows * cost.operations / peak;
      bytes += rows * cost.bytes + cost.weightBytes;
    }
    if (!stated)
      time.operationSeconds = 0;
    if (profile.peaks.bytesPerSecond > 0)
      time.byteSeconds = bytes / profile.peaks.bytesPerSecond;
    report.times.push_back(std::move(time));
  }
}

void addCosts(Report &report, func::FuncOp rounded,
              const ReportOptions &options) {
  size_t first = report.costs.size();
  rounded.walk([&](Operation *op) {
    LayerCost cost;
    if (auto linear = dyn_cast<LinearOp>(op))
      cost = costOf(linear);
    else if (auto recurrence = dyn_cast<RecurrenceOp>(op))
      cost = costOf(recurrence);
    else
      return;
    cost.function = rounded.getSymName();
    auto name = op->getLoc()->findInstanceOf<NameLoc>();
    cost.name = name             ? name.getName().str()
                : cost.recurrent ? layerName(op)
                                 : op->getName().getStringRef().str();
    report.costs.push_back(std::move(cost));
  });
  addTimes(report, rounded.getSymName(), first, options);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Bytes of the weights that \p rounded takes, each once and as it is packed:
/// in the format that a cast right behind it gives.
static uint64_t weightBytes(func::FuncOp rounded) {
  llvm::DenseMap<std::pair<StringRef, Type>, uint64_t> packed;
  rounded.walk([&](LoadWeightOp load) {
    for (Operation *user : load.getResult().getUsers()) {
      Value used = load.getResult();
      if (auto rounding = dyn_cast<CastOp>(user))
        used = rounding.getResult();
      packed[{load.getWeight(), getElementTypeOrSelf(used)}] = rowBytes(used);
    }
  });
  uint64_t total = 0;
  for (auto &[key, bytes] : packed)
    total += bytes;
  return total;
}

/// Halves segments until a run is under the limit, as the runtime does. A value
/// between two layers is kept for two segments: the one that makes it works on
/// the next while the one that takes it works on this.
static void chooseSegments(MemoryUse &use, uint64_t stepScratch,
                           const ReportOptions &options) {
  const uint64_t kept = use.weights + use.state + use.ports;
  const uint64_t all = std::max<uint64_t>(options.steps, 1);
  for (uint64_t steps = all; steps > 0; steps /= 2) {
    use.total = kept + stepScratch * steps * (steps < all ? 2 : 1);
    use.segments = (all + steps - 1) / steps;
    if (use.total <= options.limit)
      return;
  }
  use.segments = 0;
}

/// The values with steps that \p rounded takes or gives.
static llvm::SetVector<Value> portsOf(func::FuncOp rounded) {
  llvm::SetVector<Value> ports(rounded.getArguments().begin(),
                               rounded.getArguments().end());
  ports.insert_range(rounded.front().getTerminator()->getOperands());
  ports.remove_if([](Value value) { return !hasSteps(value); });
  return ports;
}

void addMemory(Report &report, func::FuncOp rounded,
               const ReportOptions &options) {
  MemoryUse use;
  use.function = rounded.getSymName();
  use.weights = weightBytes(rounded);
  for (auto [index, argument] : llvm::enumerate(rounded.getArguments()))
    if (rounded.getArgAttr(index, "rnn.state"))
      use.state += rowBytes(argument) * options.batch;
  const llvm::SetVector<Value> ports = portsOf(rounded);
  uint64_t portRow = 0, scratchRow = 0;
  for (Value port : ports)
    portRow += rowBytes(port);
  for (Operation &op : rounded.getOps())
    // A cast is part of the kernel that takes it.
    if (!isa<CastOp>(op))
      for (Value result : op.getResults())
        if (hasSteps(result) && !ports.contains(result))
          scratchRow += rowBytes(result);
  use.stepActivations = (portRow + scratchRow) * options.batch;
  use.activations = use.stepActivations * options.steps;
  use.ports = portRow * options.batch * options.steps;
  chooseSegments(use, scratchRow * options.batch, options);
  report.memory.push_back(use);
}

} // namespace rung
