//===- Report.cpp - what a compiled model errs, costs and takes -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/report/Report.h"

#include "compiler/report/BudgetReport.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rung::rnn;

namespace rung {

/// Layers of a function that calculate with floats outside its recurrences,
/// conversions between the rungs aside.
static void addFloats(Report &report, func::FuncOp rounded) {
  rounded.walk([&](Operation *op) {
    if (!isa<EmbeddingOp, LinearOp, RmsNormOp, SoftmaxOp, ActivationOp, AddOp>(
            op) ||
        !isa<FloatType>(getElementTypeOrSelf(op->getResult(0))))
      return;
    auto name = op->getLoc()->findInstanceOf<NameLoc>();
    report.stayedFloat.push_back(
        (rounded.getSymName() + ": " + op->getName().getStringRef() +
         (name ? " '" + name.getName().getValue() + "'" : Twine()))
            .str());
  });
}

FailureOr<Report> makeReport(ModuleOp source, ModuleOp rounded,
                             const ReportOptions &options) {
  Report report;
  auto name = source->getAttrOfType<StringAttr>("rung.name");
  report.model = name ? name.str() : "model";
  report.precision = options.precisionText;
  report.steps = options.steps;
  report.batch = options.batch;
  report.limit = options.limit;
  for (auto function : rounded.getOps<func::FuncOp>()) {
    auto before = source.lookupSymbol<func::FuncOp>(function.getSymName());
    if (!before)
      return function.emitError("function '")
             << function.getSymName() << "' is not in the imported module";
    addBudget(report, before, function, options);
    addCosts(report, function, options);
    addMemory(report, function, options);
    report.isInteger = options.precision.preset == "int8";
    if (report.isInteger)
      addFloats(report, function);
  }
  return report;
}

} // namespace rung
