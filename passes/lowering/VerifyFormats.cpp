//===- VerifyFormats.cpp - no float where there may be none ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "passes/lowering/TilePasses.h"
#include "llvm/ADT/TypeSwitch.h"

namespace rung {
#define GEN_PASS_DEF_VERIFYFORMATS
#include "passes/lowering/TilePasses.h.inc"
} // namespace rung

using namespace mlir;
using namespace rung;

namespace {

constexpr StringRef kForbid = "rung.forbid";

/// A float of more than \p bits bits within \p type; null if it has none.
Type findFloat(Type type, unsigned bits) {
  auto in = [&](Type element) { return findFloat(element, bits); };
  return llvm::TypeSwitch<Type, Type>(type)
      .Case([&](FloatType t) { return t.getWidth() > bits ? t : Type(); })
      .Case([&](VectorType t) { return in(t.getElementType()); })
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

LogicalResult verifyKernel(spirv::ModuleOp kernel) {
  auto forbidden = kernel->getAttrOfType<StringAttr>(kForbid);
  if (!forbidden)
    return success();
  bool anyFloat = forbidden.getValue() == "float";
  if (!anyFloat && forbidden.getValue() != "f32")
    return kernel.emitError("'") << kForbid << "' is '" << forbidden.getValue()
                                 << "'; there are 'f32' and 'float'";
  WalkResult result = kernel.walk([&](Operation *op) {
    Type found = findFloat(op, anyFloat ? 0 : 16);
    if (!found)
      return WalkResult::advance();
    op->emitError("'") << op->getName() << "' has " << found << " in kernel '"
                       << kernel.getName().value_or("")
                       << "', which may hold no "
                       << (anyFloat ? "float" : "float of more than 16 bits");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct VerifyFormats : rung::impl::VerifyFormatsBase<VerifyFormats> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](spirv::ModuleOp kernel) {
      failed |= mlir::failed(verifyKernel(kernel));
    });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
