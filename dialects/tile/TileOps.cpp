//===- TileOps.cpp - generated code of the ops -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace rung::tile;

//===----------------------------------------------------------------------===//
// The list of a dispatch's push constants: [T, B, 5]
//===----------------------------------------------------------------------===//

static ParseResult parsePushes(OpAsmParser &parser, ArrayAttr &pushes) {
  SmallVector<Attribute> list;
  auto parseOne = [&]() -> ParseResult {
    PushAttr push = parsePush(parser);
    if (!push)
      return failure();
    list.push_back(push);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  pushes = parser.getBuilder().getArrayAttr(list);
  return success();
}

static void printPushes(OpAsmPrinter &printer, Operation *, ArrayAttr pushes) {
  printer << "[";
  llvm::interleaveComma(pushes.getAsRange<PushAttr>(), printer.getStream(),
                        [&](PushAttr push) { printPush(printer, push); });
  printer << "]";
}

#define GET_OP_CLASSES
#include "dialects/tile/TileOps.cpp.inc"
