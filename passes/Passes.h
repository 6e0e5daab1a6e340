//===- Passes.h - passes on the rnn dialect ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_PASSES_H
#define RUNG_PASSES_PASSES_H

#include "dialects/rnn/RnnDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>
#include <string>

namespace rung {

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

} // namespace rung

#endif // RUNG_PASSES_PASSES_H
