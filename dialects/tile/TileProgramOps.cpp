//===- TileProgramOps.cpp - the schedule of a function ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rung::tile;

void ProgramOp::build(OpBuilder &builder, OperationState &state,
                      StringRef name) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addRegion()->emplaceBlock();
}

LogicalResult ProgramOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (!isa<BufferOp, PackedOp, DispatchOp, RepeatOp>(op))
      return op.emitOpError("is no command of a tile.program");
  return success();
}

void RepeatOp::build(OpBuilder &builder, OperationState &state, Symbol count) {
  state.addAttribute(getCountAttrName(state.name),
                     SymbolAttr::get(builder.getContext(), count));
  state.addRegion()->emplaceBlock();
}

LogicalResult RepeatOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (!isa<DispatchOp>(op))
      return op.emitOpError("is no command of a tile.repeat");
  return success();
}

//===----------------------------------------------------------------------===//
// BufferOp
//===----------------------------------------------------------------------===//

void BufferOp::build(OpBuilder &builder, OperationState &state,
                     Type elementType, BufferRole role,
                     std::optional<int64_t> port, ExtentAttr size) {
  IntegerAttr number;
  if (port)
    number = builder.getI64IntegerAttr(*port);
  build(builder, state, BufferType::get(builder.getContext(), elementType),
        BufferRoleAttr::get(builder.getContext(), role), number, size);
}

LogicalResult BufferOp::verify() {
  bool isPort =
      getRole() == BufferRole::Input || getRole() == BufferRole::Output;
  if (!isPort && getPort()) // C1
    return emitOpError() << stringifyBufferRole(getRole())
                         << " buffer has a port (" << *getPort() << ")";
  if (isPort && !getPort()) // C1
    return emitOpError() << stringifyBufferRole(getRole())
                         << " buffer has no port";
  Type element = getBuffer().getType().getElementType();
  if (getRole() == BufferRole::Progress && !element.isInteger(32)) // C2
    return emitOpError("progress buffer holds ") << element << ", not i32";
  return success();
}

//===----------------------------------------------------------------------===//
// PackedOp
//===----------------------------------------------------------------------===//

void PackedOp::build(OpBuilder &builder, OperationState &state,
                     Type elementType, int64_t count,
                     ArrayRef<PieceAttr> pieces) {
  SmallVector<Attribute> list(pieces.begin(), pieces.end());
  build(builder, state, BufferType::get(builder.getContext(), elementType),
        builder.getI64IntegerAttr(count), builder.getArrayAttr(list));
}

LogicalResult PackedOp::verify() {
  int64_t count = getCount();
  if (count <= 0) // C1
    return emitOpError("count ") << count << " is not positive";
  for (PieceAttr piece : getPieces().getAsRange<PieceAttr>()) { // C2
    int64_t low = piece.getTargetOffset(), high = low;
    for (auto [size, stride] :
         llvm::zip_equal(piece.getSizes(), piece.getTargetStrides())) {
      int64_t reach;
      bool overflow = llvm::MulOverflow(size - 1, stride, reach);
      int64_t &end = reach < 0 ? low : high;
      if (overflow || llvm::AddOverflow(end, reach, end))
        return emitOpError("piece of ")
               << piece.getWeight() << " exceeds 64-bit addresses";
    }
    if (low < 0 || high >= count)
      return emitOpError("piece of ")
             << piece.getWeight() << " covers elements " << low << " to "
             << high << " of an array of " << count;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// DispatchOp
//===----------------------------------------------------------------------===//

void DispatchOp::build(OpBuilder &builder, OperationState &state,
                       StringRef kernel, ArrayRef<ExtentAttr> groups,
                       ValueRange buffers, ArrayRef<PushAttr> push) {
  assert(groups.size() == 3 && "groups in x, y and z");
  SmallVector<Attribute> list(push.begin(), push.end());
  build(builder, state, kernel, groups[0], groups[1], groups[2], buffers,
        builder.getArrayAttr(list));
}

LogicalResult DispatchOp::verify() {
  if (isa<RepeatOp>((*this)->getParentOp()))
    return success();
  for (PushAttr push : getPush().getAsRange<PushAttr>()) // C4
    if (push.getKind() == PushKind::Step)
      return emitOpError("pushes 'step' outside of a tile.repeat");
  return success();
}

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *symbol = symbols.lookupNearestSymbolFrom(
      (*this)->getParentOfType<ProgramOp>(), getKernelAttr());
  if (!symbol) // C1
    return emitOpError("runs '") << getKernel() << "', which does not exist";
  auto kernel = dyn_cast<KernelOp>(symbol);
  if (!kernel) { // C1
    if (symbol->getName().getStringRef() == "spirv.module")
      return success();
    return emitOpError("runs '") << getKernel() << "', which is a '"
                                 << symbol->getName() << "' and no kernel";
  }
  int64_t needed = kernel.getBufferCount(), given = getBuffers().size();
  if (given != needed) // C2
    return emitOpError("gives ") << given << " buffers; kernel '" << getKernel()
                                 << "' has " << needed;
  for (int64_t i = 0; i < given; ++i) { // C2
    Type have = cast<BufferType>(getBuffers()[i].getType()).getElementType();
    Type want =
        cast<MemRefType>(kernel.getBuffer(i).getType()).getElementType();
    bool asBits = have.isBF16() && want.isInteger(16);
    if (have != want && !asBits)
      return emitOpError("gives buffer ") << i << " of " << have << "; kernel '"
                                          << getKernel() << "' takes " << want;
  }
  int64_t pushes = getPush().size();
  if (pushes != kernel.getPushCount()) // C3
    return emitOpError("pushes ")
           << pushes << " values; kernel '" << getKernel() << "' takes "
           << kernel.getPushCount();
  return success();
}
