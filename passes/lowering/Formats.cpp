//===- Formats.cpp - what a kernel may not hold ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/Formats.h"

#include "passes/lowering/FloatEdges.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rung;

namespace {

constexpr StringRef kForbid = "rung.forbid", kEdges = "rung.edges";

/// A float of more than \p bits bits within \p type; null if it has none.
Type findFloat(Type type, unsigned bits) {
  auto in = [&](Type element) { return findFloat(element, bits); };
  return llvm::TypeSwitch<Type, Type>(type)
      .Case([&](FloatType t) { return t.getWidth() > bits ? t : Type(); })
      .Case([&](VectorType t) { return in(t.getElementType()); })
      .Case([&](MemRefType t) { return in(t.getElementType()); })
      .Case([&](spirv::PointerType t) { return in(t.getPointeeType()); })
      .Case([&](spirv::ArrayType t) { return in(t.getElementType()); })
      .Case([&](spirv::RuntimeArrayType t) { return in(t.getElementType()); })
      .Case([&](spirv::CooperativeMatrixType t) {
        return in(t.getElementType());
      })
      .Case([&](spirv::StructType t) {
        for (Type member : t.getElementTypes())
          if (Type found = in(member))
            return found;
        return Type();
      })
      .Case([&](FunctionType t) {
        for (Type part :
             llvm::concat<const Type>(t.getInputs(), t.getResults()))
          if (Type found = in(part))
            return found;
        return Type();
      })
      .Default([](Type) { return Type(); });
}

/// The first such float among all types that \p op names.
Type findFloat(Operation *op, unsigned bits) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  for (NamedAttribute attribute : op->getAttrs()) {
    if (auto type = dyn_cast<TypeAttr>(attribute.getValue()))
      types.push_back(type.getValue());
    else if (auto value = dyn_cast<TypedAttr>(attribute.getValue()))
      types.push_back(value.getType());
  }
  for (Type type : types)
    if (Type found = findFloat(type, bits))
      return found;
  return Type();
}

/// A float that \p op makes, or that reaches a block, and not at an edge.
/// Memory may hold any: what is read from it and stored to it is looked at.
Type findFloatInside(Operation *op, unsigned bits, const FloatEdges &edges) {
  SmallVector<Value> values(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(values, block.getArguments());
  for (Value value : values)
    if (!isa<spirv::PointerType>(value.getType()))
      if (Type found = findFloat(value.getType(), bits))
        if (!edges.contains(value))
          return found;
  return Type();
}

} // namespace

LogicalResult rung::verifyFormats(Operation *kernel, StringRef name) {
  auto forbidden = kernel->getAttrOfType<StringAttr>(kForbid);
  if (!forbidden)
    return success();
  bool anyFloat = forbidden.getValue() == "float";
  if (!anyFloat && forbidden.getValue() != "f32")
    return kernel->emitError("'") << kForbid << "' is '" << forbidden.getValue()
                                  << "'; there are 'f32' and 'float'";
  unsigned bits = anyFloat ? 0 : 16;
  bool atEdges = kernel->hasAttr(kEdges);
  FloatEdges edges(kernel);
  WalkResult result = kernel->walk([&](Operation *op) {
    Type found =
        atEdges ? findFloatInside(op, bits, edges) : findFloat(op, bits);
    if (!found)
      return WalkResult::advance();
    op->emitError("'") << op->getName() << "' has " << found << " in kernel '"
                       << name << "', which may hold no "
                       << (anyFloat ? "float" : "float of more than 16 bits")
                       << (atEdges ? " but at its edges" : "");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
