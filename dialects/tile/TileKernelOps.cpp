//===- TileKernelOps.cpp - kernels and their frame -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace rung::tile;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     LayoutAttr layout, TypeRange elementTypes,
                     ArrayRef<Access> access, int64_t pushCount) {
  SmallVector<Attribute> accesses;
  for (Access each : access)
    accesses.push_back(AccessAttr::get(builder.getContext(), each));
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getLayoutAttrName(state.name), layout);
  state.addAttribute(getAccessAttrName(state.name),
                     builder.getArrayAttr(accesses));
  Block &body = state.addRegion()->emplaceBlock();
  for (Type type : elementTypes)
    body.addArgument(MemRefType::get({ShapedType::kDynamic}, type),
                     state.location);
  for (int64_t i = 0; i < pushCount; ++i)
    body.addArgument(builder.getIndexType(), state.location);
}

// `tile.kernel` @name `(` (%x: type access),* `)` `push` `(` %T,* `)`
// `layout` `(` layout `)` (`attributes` dict)? region
ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &state) {
  StringAttr name;
  LayoutAttr layout;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Attribute> accesses;
  MLIRContext *context = parser.getContext();
  auto parseBuffer = [&]() -> ParseResult {
    StringRef word;
    OpAsmParser::Argument &buffer = arguments.emplace_back();
    if (parser.parseArgument(buffer) || parser.parseColonType(buffer.type))
      return failure();
    SMLoc where = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    std::optional<Access> access = symbolizeAccess(word);
    if (!access)
      return parser.emitError(where)
             << "'" << word << "' is none of read, write, read_write";
    accesses.push_back(AccessAttr::get(context, *access));
    return success();
  };
  auto parsePushArgument = [&]() -> ParseResult {
    OpAsmParser::Argument &push = arguments.emplace_back();
    push.type = parser.getBuilder().getIndexType();
    return parser.parseArgument(push);
  };
  using Delimiter = OpAsmParser::Delimiter;
  if (parser.parseSymbolName(name, getSymNameAttrName(state.name),
                             state.attributes) ||
      parser.parseCommaSeparatedList(Delimiter::Paren, parseBuffer) ||
      parser.parseKeyword("push") ||
      parser.parseCommaSeparatedList(Delimiter::Paren, parsePushArgument) ||
      parser.parseKeyword("layout") || parser.parseLParen() ||
      parser.parseCustomAttributeWithFallback(layout) || parser.parseRParen() ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  state.addAttribute(getLayoutAttrName(state.name), layout);
  state.addAttribute(getAccessAttrName(state.name),
                     parser.getBuilder().getArrayAttr(accesses));
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), state.location);
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << '(';
  int64_t buffers = getBufferCount();
  llvm::interleaveComma(llvm::seq<int64_t>(buffers), printer, [&](int64_t i) {
    printer.printRegionArgument(getBuffer(i));
    printer << ' ' << stringifyAccess(getBufferAccess(i));
  });
  printer << ") push(";
  llvm::interleaveComma(
      llvm::seq<int64_t>(getPushCount()), printer, [&](int64_t i) {
        printer.printRegionArgument(getPush(i), {}, /*omitType=*/true);
      });
  printer << ") layout(";
  printer.printStrippedAttrOrType(getLayout());
  printer << ')';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getSymNameAttrName(), getLayoutAttrName(), getAccessAttrName()});
  printer << ' ';
  printer.printRegion(getBodyRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  for (int64_t i = 0, e = region.getNumArguments(); i < e; ++i)
    setName(region.getArgument(i), i < getBufferCount() ? "buffer" : "push");
}

static LogicalResult verifyArguments(KernelOp kernel) {
  Block &body = kernel.getBody();
  int64_t count = body.getNumArguments(), buffers = kernel.getBufferCount();
  if (buffers > count) // C1
    return kernel.emitOpError("has ")
           << buffers << " accesses but " << count << " arguments";
  for (BlockArgument argument : body.getArguments()) {
    Type type = argument.getType();
    if (argument.getArgNumber() >= buffers) { // C1
      if (!type.isIndex())
        return kernel.emitOpError("push constant ")
               << argument.getArgNumber() - buffers << " is " << type
               << ", not index; each buffer needs an access";
      continue;
    }
    auto memory = dyn_cast<MemRefType>(type); // C2
    if (!memory || memory.getRank() != 1 || memory.hasStaticShape() ||
        !memory.getLayout().isIdentity())
      return kernel.emitOpError("buffer ") << argument.getArgNumber() << " is "
                                           << type << ", not memref<?xT>";
    Type element = memory.getElementType();
    if (!element.isF32() && !element.isF16() && !element.isBF16() &&
        !element.isSignlessInteger(32) && !element.isSignlessInteger(16) &&
        !element.isSignlessInteger(8)) // C2
      return kernel.emitOpError("buffer ")
             << argument.getArgNumber() << " has element type " << element
             << ", none of f32, f16, bf16, i32, i8";
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  if (failed(verifyArguments(*this)))
    return failure();
  if (getLayout().getCooperative())
    return success();
  WalkResult result = getBodyRegion().walk([&](Operation *op) {
    if (op->getNumRegions() == 0 ||
        isa<FetchOp, DrainOp, MapOp, PublishOp, DeliverOp>(op))
      return WalkResult::advance();
    for (Value value : op->getResults()) // C3
      if (auto matrix = dyn_cast<MatrixType>(value.getType()))
        if (matrix.getUse() != MatrixUse::Acc)
          return WalkResult(op->emitOpError("carries ")
                            << matrix << "; in a plain layout only "
                            << "accumulators may be carried through loops and "
                            << "branches");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// SharedOp
//===----------------------------------------------------------------------===//

/// `tile-distribute` leaves SPIR-V's name of the space.
static bool isWorkgroup(Attribute space) {
  if (auto gpuSpace = dyn_cast_if_present<gpu::AddressSpaceAttr>(space))
    return gpuSpace.getValue() == gpu::AddressSpace::Workgroup;
  auto storage = dyn_cast_if_present<spirv::StorageClassAttr>(space);
  return storage && storage.getValue() == spirv::StorageClass::Workgroup;
}

LogicalResult SharedOp::verify() {
  MemRefType type = getMemory().getType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity()) // C1
    return emitOpError("has type ") << type << ", whose shape is not static";
  if (!isWorkgroup(type.getMemorySpace())) // C1
    return emitOpError("has type ")
           << type << ", which is not in #gpu.address_space<workgroup>";
  if (!isa_and_present<KernelOp>((*this)->getParentOp())) // C2
    return emitOpError("stands in '")
           << (*this)->getParentOp()->getName()
           << "', not at the top level of a tile.kernel";
  return success();
}
