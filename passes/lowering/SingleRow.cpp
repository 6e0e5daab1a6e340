//===- SingleRow.cpp - a second program for runs of one row ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/SingleRow.h"

#include "passes/lowering/Kernels.h"
#include "passes/lowering/RowKernel.h"
#include "passes/lowering/SingleRowKernel.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace rung {

namespace {

/// Bytes of weights that a lane can have in registers.
constexpr int64_t kMostLaneBytes = 512;

LogicalResult lowerApart(ProgramBuilder &p, Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](rnn::ArgmaxOp o) { return lowerArgmax(p, o); })
      .Case([&](rnn::SoftmaxOp o) { return lowerSoftmax(p, o); })
      .Case([&](rnn::RmsNormOp o) { return lowerRmsNorm(p, o); })
      .Case([&](rnn::IntegerRmsNormOp o) { return lowerIntegerRmsNorm(p, o); })
      .Case([&](rnn::ConcatOp o) { return lowerConcat(p, o); })
      .Default([](Operation *o) {
        return o->emitOpError("has no kernel for a single row");
      });
}

/// The level of what is computed last.
int64_t lastLevel(const SingleRowPlan &plan) {
  int64_t last = 0;
  for (const SingleRowPlan::Stage &stage : plan.stages)
    last = std::max(last, plan.levelOf(stage.apart ? stage.apart->getResult(0)
                                                   : stage.rows.front()));
  return last;
}

/// Rows that something reads lie in scratch, and so do results that are there
/// before the last ones: a wait behind a kernel that writes into the host's
/// memory takes longer.
void keepRows(ProgramBuilder &p, const SingleRowPlan &plan) {
  auto ret = cast<func::ReturnOp>(p.function().front().getTerminator());
  int64_t last = lastLevel(plan);
  for (const SingleRowPlan::Stage &stage : plan.stages)
    for (Value row : stage.rows)
      if (plan.isReadLater(row) ||
          (llvm::is_contained(ret.getOperands(), row) &&
           plan.levelOf(row) < last))
        p.keepInScratch(row);
}

/// Fills the output ports that no kernel has filled: all rows of one width by
/// one kernel, which needs not wait for the last ones.
void copyOutputs(ProgramBuilder &p) {
  auto ret = cast<func::ReturnOp>(p.function().front().getTerminator());
  std::map<std::pair<tile::Symbol, int64_t>, SmallVector<unsigned>> ports;
  for (auto [port, value] : llvm::enumerate(ret.getOperands()))
    if (p.bufferOf(value) != p.output(port))
      ports[{ProgramBuilder::rowSymbol(value), ProgramBuilder::rowWidth(value)}]
          .push_back(port);
  for (auto &[shape, group] : ports) {
    RowKernel r(p, ret.getLoc(), "outputs", ret.getOperand(group.front()),
                shape.second);
    SmallVector<std::pair<unsigned, unsigned>> copies;
    for (unsigned port : group) {
      unsigned from = r.read(p.bufferOf(ret.getOperand(port)));
      copies.emplace_back(from, r.write(p.output(port)));
    }
    r.emitPointwise([&, width = shape.second](Value row, Value column) {
      Value at = r.k.add(r.k.mul(row, width), column);
      SmallVector<RowKernel::Values> values;
      for (auto [from, to] : copies)
        values.push_back(r.load(from, at));
      for (auto [copy, loaded] : llvm::zip(copies, values))
        r.store(loaded, copy.second, at);
    });
  }
}

} // namespace

bool hasSingleRow(func::FuncOp function, const SingleRowTarget &target) {
  if (!SingleRowPlan::create(function))
    return false;
  // A few kilobytes of operands, and a subgroup's rows of weights in registers.
  int64_t most = target.sharedBytes / 8;
  most = std::min(most, target.lanes * kMostLaneBytes);
  bool fits = true;
  function.walk([&](Operation *op) {
    if (std::optional<RowDot> dot = dotOf(op))
      fits &= dot->depth <= most;
  });
  return fits;
}

LogicalResult lowerSingleRow(func::FuncOp function, tile::ProgramOp program,
                             const SingleRowTarget &target) {
  std::optional<SingleRowPlan> plan = SingleRowPlan::create(function);
  if (!plan)
    return function.emitError("function '")
           << function.getName() << "' can't run on a single row";
  std::string name = (function.getName() + "_single_row").str();
  while (SymbolTable::lookupSymbolIn(function->getParentOp(), name))
    name += "_";
  FailureOr<ProgramBuilder> p = ProgramBuilder::create(function, name);
  if (failed(p))
    return failure();
  p->program()->removeAttr("rung.single_dispatch");
  keepRows(*p, *plan);
  for (const SingleRowPlan::Stage &stage : plan->stages)
    if (failed(stage.apart
                   ? lowerApart(*p, stage.apart)
                   : SingleRowKernel(*p, *plan, target, stage.rows).emit()))
      return failure();
  program->setAttr(kSingleRowAttr,
                   FlatSymbolRefAttr::get(function.getContext(), name));
  copyOutputs(*p);
  return success();
}

} // namespace rung
