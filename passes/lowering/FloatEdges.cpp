//===- FloatEdges.cpp - floats that no step's state depends on ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/FloatEdges.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rung;

namespace {

/// A load's or a store's pointer, and the value that is stored.
struct Access {
  Value pointer, stored;
};

Access accessOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Access>(op)
      .Case([](spirv::LoadOp o) { return Access{o.getPtr(), {}}; })
      .Case([](spirv::StoreOp o) { return Access{o.getPtr(), o.getValue()}; })
      .Case([](spirv::KHRCooperativeMatrixLoadOp o) {
        return Access{o.getPointer(), {}};
      })
      .Case([](spirv::KHRCooperativeMatrixStoreOp o) {
        return Access{o.getPointer(), o.getObject()};
      })
      .Default([](Operation *) { return Access(); });
}

/// The workgroup's or the invocation's own variable that \p pointer points
/// into; null for one of global memory.
Operation *variableOf(Value pointer) {
  auto type = cast<spirv::PointerType>(pointer.getType());
  if (type.getStorageClass() != spirv::StorageClass::Workgroup &&
      type.getStorageClass() != spirv::StorageClass::Function)
    return nullptr;
  Operation *op = pointer.getDefiningOp();
  while (op && !isa<spirv::AddressOfOp, spirv::VariableOp>(op))
    op = op->getOperand(0).getDefiningOp();
  if (auto address = dyn_cast_or_null<spirv::AddressOfOp>(op))
    return SymbolTable::lookupNearestSymbolFrom(address,
                                                address.getVariableAttr());
  return op;
}

bool isPosition(Type type) { return type.isIntOrIndex(); }

} // namespace

FloatEdges::FloatEdges(Operation *kernel) {
  kernel->walk([&](Operation *op) {
    Access access = accessOf(op);
    Operation *variable = access.pointer ? variableOf(access.pointer) : nullptr;
    if (!variable)
      return;
    if (access.stored)
      traffic_[variable].stored.push_back(access.stored);
    else
      traffic_[variable].loaded.push_back(op->getResult(0));
  });
}

bool FloatEdges::comesFromOutside(Value value) const {
  llvm::SetVector<Value> pending;
  pending.insert(value);
  for (size_t i = 0; i < pending.size(); ++i) {
    Operation *op = pending[i].getDefiningOp();
    if (!op) { // What a loop carries, but for its counters.
      if (!isPosition(pending[i].getType()))
        return false;
    } else if (Access access = accessOf(op); access.pointer) {
      if (Operation *variable = variableOf(access.pointer))
        pending.insert_range(traffic_.lookup(variable).stored);
    } else if (op->getNumRegions() != 0) {
      return false;
    } else {
      pending.insert_range(op->getOperands());
    }
  }
  return true;
}

bool FloatEdges::onlyLeaves(Value value) const {
  llvm::SetVector<Value> pending;
  pending.insert(value);
  for (size_t i = 0; i < pending.size(); ++i)
    for (Operation *user : pending[i].getUsers()) {
      if (Access access = accessOf(user); access.stored) {
        if (Operation *variable = variableOf(access.pointer))
          pending.insert_range(traffic_.lookup(variable).loaded);
      } else if (user->hasTrait<OpTrait::IsTerminator>() ||
                 user->getNumRegions() != 0) {
        return false;
      } else {
        pending.insert_range(user->getResults());
      }
    }
  return true;
}
