//===- RnnDialect.h - the rnn dialect and its attributes ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNDIALECT_H
#define RUNG_DIALECTS_RNN_RNNDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include <optional>

#include "dialects/rnn/RnnDialect.h.inc"
#include "dialects/rnn/RnnEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/rnn/RnnAttrs.h.inc"

namespace rung::rnn {

/// Name of a port, on arguments and results of functions.
inline constexpr llvm::StringLiteral kNameAttr = "rnn.name";
/// Name of a state, on the argument and the result that carry it.
inline constexpr llvm::StringLiteral kStateAttr = "rnn.state";

/// The element type of \p format, f16 for a pair; null for integers.
mlir::FloatType getFloatType(mlir::MLIRContext *context, Format format);

} // namespace rung::rnn

#endif // RUNG_DIALECTS_RNN_RNNDIALECT_H
