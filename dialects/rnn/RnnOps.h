//===- RnnOps.h - operations of the rnn dialect --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNOPS_H
#define RUNG_DIALECTS_RNN_RNNOPS_H

#include "dialects/rnn/RnnDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialects/rnn/Rnn.h.inc"

#endif // RUNG_DIALECTS_RNN_RNNOPS_H
