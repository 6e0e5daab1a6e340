//===- RnnDialect.cpp - registration and port attributes -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnDialect.h"
#include "dialects/rnn/RnnOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rung::rnn;

#include "dialects/rnn/RnnDialect.cpp.inc"

void RnnDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/rnn/Rnn.cpp.inc"
      >();
}

FloatType rung::rnn::getFloatType(MLIRContext *context, Format format) {
  switch (format) {
  case Format::F32:
    return Float32Type::get(context);
  case Format::F16:
  case Format::F16x2:
    return Float16Type::get(context);
  case Format::BF16:
    return BFloat16Type::get(context);
  case Format::S8:
  case Format::S16:
  case Format::S32:
    return {};
  }
  llvm_unreachable("every format has a case");
}

//===----------------------------------------------------------------------===//
// Port attributes
//===----------------------------------------------------------------------===//

/// Both port attributes hold a name; nothing else of the dialect may stand on
/// an argument or a result.
static LogicalResult verifyPortAttribute(Operation *op, NamedAttribute entry,
                                         StringRef place) {
  if (entry.getName() != kNameAttr && entry.getName() != kStateAttr)
    return op->emitError("attribute '")
           << entry.getName().getValue() << "' of " << place << " is neither '"
           << kNameAttr << "' nor '" << kStateAttr << "'";
  auto name = dyn_cast<StringAttr>(entry.getValue());
  if (!name || name.empty())
    return op->emitError("attribute '")
           << entry.getName().getValue() << "' of " << place << " is "
           << entry.getValue() << "; a name is a string that is not empty";
  return success();
}

/// The positions whose `rnn.state` is \p state.
template <typename GetAttr>
static SmallVector<unsigned> findState(unsigned count, Attribute state,
                                       GetAttr getAttr) {
  SmallVector<unsigned> found;
  for (unsigned i = 0; i < count; ++i)
    if (getAttr(i) == state)
      found.push_back(i);
  return found;
}

/// A state has one argument and one result, of the same type.
static LogicalResult verifyState(Operation *op, Attribute state) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError("'") << kStateAttr << "' stands on no function";
  auto arguments =
      findState(function.getNumArguments(), state,
                [&](unsigned i) { return function.getArgAttr(i, kStateAttr); });
  auto results = findState(function.getNumResults(), state, [&](unsigned i) {
    return function.getResultAttr(i, kStateAttr);
  });
  if (arguments.size() != 1 || results.size() != 1)
    return op->emitError("state ")
           << state << " is on " << arguments.size() << " arguments and "
           << results.size() << " results; a state has one of each";
  Type argument = function.getArgumentTypes()[arguments.front()];
  Type result = function.getResultTypes()[results.front()];
  if (argument != result)
    return op->emitError("state ") << state << " is given as " << argument
                                   << " and returned as " << result;
  return success();
}

LogicalResult RnnDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                   unsigned argument,
                                                   NamedAttribute entry) {
  if (failed(verifyPortAttribute(op, entry,
                                 "argument " + std::to_string(argument))))
    return failure();
  return entry.getName() == kStateAttr ? verifyState(op, entry.getValue())
                                       : success();
}

LogicalResult RnnDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                      unsigned result,
                                                      NamedAttribute entry) {
  if (failed(
          verifyPortAttribute(op, entry, "result " + std::to_string(result))))
    return failure();
  return entry.getName() == kStateAttr ? verifyState(op, entry.getValue())
                                       : success();
}
