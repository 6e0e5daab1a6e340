//===- ProgramBuilder.cpp - buffers and weights of a schedule -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/ProgramBuilder.h"

#include "passes/lowering/SingleDispatch.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace rung {

namespace {

/// Sequences have two dynamic dimensions, T and B; states and lengths have B.
LogicalResult checkDynamic(func::FuncOp function, Type type, StringRef what,
                           unsigned index) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  unsigned dynamic = tensor ? tensor.getNumDynamicDims() : 0;
  bool leading = tensor && dynamic >= 1 && dynamic <= 2;
  for (unsigned i = 0; leading && i < dynamic; ++i)
    leading = tensor.isDynamicDim(i);
  if (leading && tensor.getRank() - dynamic <= 1)
    return success();
  return function.emitError("function '")
         << function.getName() << "' has " << what << " " << index
         << " of type " << type
         << "; kernels take tensors of [T, B], [T, B, n], [B] or [B, n] with "
            "T and B chosen at run time";
}

} // namespace

int64_t byteWidth(Type type) { return (type.getIntOrFloatBitWidth() + 7) / 8; }

Value seeThroughCast(Value value) {
  auto cast = value.getDefiningOp<rnn::CastOp>();
  return cast ? cast.getInput() : value;
}

bool roundsInKernel(OpOperand &use) {
  auto recurrence = dyn_cast<rnn::RecurrenceOp>(use.getOwner());
  unsigned position = use.getOperandNumber();
  if (!recurrence || position >= recurrence.getSequences().size())
    return false;
  Value row = recurrence.getSequenceArguments()[position];
  return llvm::all_of(row.getUsers(), [](Operation *user) {
    return isa<rnn::InputDotOp>(user);
  });
}

FailureOr<WeightSource> findWeight(Value value) {
  while (auto cast = value.getDefiningOp<rnn::CastOp>())
    value = cast.getInput();
  auto load = value.getDefiningOp<rnn::LoadWeightOp>();
  if (!load)
    return failure();
  return WeightSource{load.getWeightAttr(),
                      cast<RankedTensorType>(load.getType())};
}

ProgramBuilder::ProgramBuilder(func::FuncOp function, tile::ProgramOp program)
    : function_(function), program_(program),
      host_(OpBuilder::atBlockEnd(&program.getBody().front())) {}

FailureOr<ProgramBuilder> ProgramBuilder::create(func::FuncOp function,
                                                 StringRef name) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(checkDynamic(function, type, "input", i)))
      return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(checkDynamic(function, type, "output", i)))
      return failure();
  OpBuilder builder(function);
  auto program = tile::ProgramOp::create(
      builder, function.getLoc(), name.empty() ? function.getName() : name);
  if (Attribute single = function->getAttr(kSingleDispatchAttr))
    program->setAttr(kSingleDispatchAttr, single);
  ProgramBuilder result(function, program);
  for (auto [i, argument] : llvm::enumerate(function.getArguments()))
    result.buffers_[argument] = tile::BufferOp::create(
        result.host_, function.getLoc(), getElementTypeOrSelf(argument),
        tile::BufferRole::Input, int64_t(i),
        result.bytes(getElementTypeOrSelf(argument), rowSymbol(argument),
                     rowWidth(argument)));
  return result;
}

tile::ExtentAttr ProgramBuilder::bytes(Type elementType, tile::Symbol rows,
                                       int64_t width) const {
  return tile::ExtentAttr::get(context(), rows, /*divisor=*/1,
                               width * byteWidth(elementType));
}

Value ProgramBuilder::output(unsigned port) {
  Value &buffer = outputs_[port];
  if (!buffer) {
    auto ret = cast<func::ReturnOp>(function_.front().getTerminator());
    Value value = ret.getOperand(port);
    Type element = getElementTypeOrSelf(value);
    buffer = tile::BufferOp::create(
        host_, loc(), element, tile::BufferRole::Output, int64_t(port),
        bytes(element, rowSymbol(value), rowWidth(value)));
  }
  return buffer;
}

Value ProgramBuilder::bufferOf(Value value) {
  if (auto found = buffers_.find(value); found != buffers_.end())
    return found->second;
  auto ret = cast<func::ReturnOp>(function_.front().getTerminator());
  auto port = llvm::find(ret.getOperands(), value);
  Value buffer;
  if (port != ret.getOperands().end()) {
    buffer = output(std::distance(ret.getOperands().begin(), port));
  } else {
    Type element = getElementTypeOrSelf(value);
    buffer = scratch(element, tile::ExtentAttr::get(context(), rowSymbol(value),
                                                    1, rowWidth(value)));
  }
  return buffers_[value] = buffer;
}

void ProgramBuilder::keepInScratch(Value value) {
  buffers_[value] = scratch(
      getElementTypeOrSelf(value),
      tile::ExtentAttr::get(context(), rowSymbol(value), 1, rowWidth(value)));
}

Value ProgramBuilder::scratch(Type elementType, tile::ExtentAttr elements) {
  SmallVector<tile::FactorAttr> factors(elements.getFactors());
  factors.push_back(tile::FactorAttr::get(context(), tile::Symbol::One, 1,
                                          byteWidth(elementType)));
  return tile::BufferOp::create(host_, loc(), elementType,
                                tile::BufferRole::Scratch, std::nullopt,
                                tile::ExtentAttr::get(context(), factors));
}

Value ProgramBuilder::progress(int64_t words) {
  return tile::BufferOp::create(host_, loc(), IntegerType::get(context(), 32),
                                tile::BufferRole::Progress, std::nullopt,
                                tile::ExtentAttr::get(context(), words * 4));
}

Value ProgramBuilder::packed(Type elementType, int64_t count,
                             ArrayRef<tile::PieceAttr> pieces) {
  return tile::PackedOp::create(host_, loc(), elementType, count, pieces);
}

tile::Symbol ProgramBuilder::rowSymbol(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumDynamicDims() == 2 ? tile::Symbol::TB : tile::Symbol::B;
}

tile::PushKind ProgramBuilder::rowPush(Value value) {
  return rowSymbol(value) == tile::Symbol::TB ? tile::PushKind::TB
                                              : tile::PushKind::B;
}

int64_t ProgramBuilder::rowWidth(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.isDynamicDim(type.getRank() - 1) ? 1 : type.getShape().back();
}

std::string ProgramBuilder::kernelName(StringRef stem) {
  std::string base = (function_.getName() + "_" + stem).str();
  std::string name = base;
  Operation *module = function_->getParentOp();
  for (unsigned i = 1; SymbolTable::lookupSymbolIn(module, name); ++i)
    name = base + "_" + std::to_string(i);
  return name;
}

} // namespace rung
