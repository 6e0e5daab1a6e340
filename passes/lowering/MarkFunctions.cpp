//===- MarkFunctions.cpp - attributes that ask for something --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/MarkFunctions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace rung {

LogicalResult markFunctions(ModuleOp module, StringRef name,
                            StringRef attribute) {
  bool found = name.empty();
  for (auto each : module.getOps<func::FuncOp>())
    if (name.empty() || each.getSymName() == name) {
      each->setAttr(attribute, UnitAttr::get(module.getContext()));
      found = true;
    }
  if (found)
    return success();
  return module.emitError("there is no function '") << name << "'";
}

} // namespace rung
