//===- BudgetReport.h - the parts of a report -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_REPORT_BUDGETREPORT_H
#define RUNG_COMPILER_REPORT_BUDGETREPORT_H

#include "compiler/report/Report.h"
#include "dialects/rnn/RnnOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace rung {

/// Steps at which errors are predicted.
inline constexpr int64_t kMarks[] = {1, 16, 256, 1024, 4096, 16384};

/// Adds the layers of a function, of which \p source holds the cells by name
/// and \p rounded the recurrences that they became.
void addBudget(Report &report, mlir::func::FuncOp source,
               mlir::func::FuncOp rounded, const ReportOptions &options);

/// Adds the products of a function, and its times at the profiles' peaks.
void addCosts(Report &report, mlir::func::FuncOp rounded,
              const ReportOptions &options);

/// Adds the bytes of a function.
void addMemory(Report &report, mlir::func::FuncOp rounded,
               const ReportOptions &options);

/// Bytes of a row or a step of a row: all of a tensor's static sizes.
uint64_t rowBytes(mlir::Value value);

} // namespace rung

#endif // RUNG_COMPILER_REPORT_BUDGETREPORT_H
