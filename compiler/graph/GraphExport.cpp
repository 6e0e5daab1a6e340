//===- GraphExport.cpp - functions as graphs of the bundle ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/graph/GraphExport.h"
#include "compiler/graph/NodeAttributes.h"
#include "dialects/rnn/RnnOps.h"
#include "runtime/bundle/TimeSegments.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace rung;
using namespace rung::rnn;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static constexpr int32_t kSteps = -1, kBatch = -2;

std::optional<fb::ScalarType> rung::exportElement(Type type) {
  if (type.isF32())
    return fb::ScalarType::F32;
  if (type.isF16())
    return fb::ScalarType::F16;
  if (type.isBF16())
    return fb::ScalarType::BF16;
  if (type.isInteger(32))
    return fb::ScalarType::I32;
  if (type.isInteger(16))
    return fb::ScalarType::I16;
  if (type.isInteger(8))
    return fb::ScalarType::S8;
  if (type.isInteger(1)) // What comparisons give: 0 or 1.
    return fb::ScalarType::U8;
  return std::nullopt;
}

/// What a dynamic size of \p axis stands for.
static std::optional<int32_t> symbolOf(RankedTensorType type, int64_t axis,
                                       bool isIds) {
  bool hasSteps = type.getRank() == 3 || (type.getRank() == 2 && isIds);
  if (hasSteps && axis < 2)
    return axis == 0 ? kSteps : kBatch;
  bool hasBatch = !hasSteps && type.getRank() <= 2;
  return hasBatch && axis == 0 ? std::optional(kBatch) : std::nullopt;
}

/// Whether \p value of rank 2 is [T, B], as ids are, and no state, [B, N]. The
/// type tells but where B is a number.
static bool isIds(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() != 2 || !type.getElementType().isInteger(32))
    return false;
  return type.isDynamicDim(1) || value.getDefiningOp<ArgmaxOp>() ||
         llvm::any_of(value.getUsers(), llvm::IsaPred<EmbeddingOp>);
}

/// The type of \p value, a ranked tensor. Fails, with an error at \p location,
/// on an element type or a dynamic size that a bundle has not.
static FailureOr<fb::TensorTypeT> exportType(Value value, Location location) {
  auto type = cast<RankedTensorType>(value.getType());
  fb::TensorTypeT result;
  std::optional<fb::ScalarType> element = exportElement(type.getElementType());
  if (!element)
    return emitError(location, "a bundle has no elements of ")
           << type.getElementType() << ", as in " << type;
  result.element = *element;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    std::optional<int32_t> size =
        type.isDynamicDim(axis)
            ? symbolOf(type, axis, isIds(value))
            : std::optional<int32_t>(int32_t(type.getDimSize(axis)));
    if (!size || type.getDimSize(axis) > INT32_MAX)
      return emitError(location, "size of axis ")
             << axis << " of " << type
             << (size ? " is too large for a bundle"
                      : " is unknown, and neither T nor B");
    result.dims.push_back(*size);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
/// Writes one block as a graph; values are numbered as they are defined.
class GraphWriter {
public:
  explicit GraphWriter(const WeightIndices &weights) : weights_(weights) {}

  FailureOr<fb::GraphT> write(Block &block);

private:
  LogicalResult define(Value value, std::vector<uint32_t> &indices);
  LogicalResult writeNode(Operation &op);

  const WeightIndices &weights_;
  llvm::DenseMap<Value, uint32_t> indices_;
  fb::GraphT graph_;
};
} // namespace

LogicalResult GraphWriter::define(Value value, std::vector<uint32_t> &indices) {
  if (!isa<RankedTensorType>(value.getType()))
    return emitError(value.getLoc(), "a graph of the bundle has no value of ")
           << value.getType();
  FailureOr<fb::TensorTypeT> exported = exportType(value, value.getLoc());
  if (failed(exported))
    return failure();
  indices_[value] = uint32_t(graph_.values.size());
  indices.push_back(uint32_t(graph_.values.size()));
  graph_.values.push_back(
      std::make_unique<fb::TensorTypeT>(std::move(*exported)));
  return success();
}

/// "file:line" of the source, a layer's name, or nothing.
static std::string describe(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return file.getFilename().str() + ":" + std::to_string(file.getLine());
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName().str();
  return {};
}

LogicalResult GraphWriter::writeNode(Operation &op) {
  auto node = std::make_unique<fb::NodeT>();
  node->op = op.getName().getStringRef().str();
  node->location = describe(op.getLoc());
  for (Value operand : op.getOperands())
    node->operands.push_back(indices_.at(operand));
  for (Value result : op.getResults())
    if (failed(define(result, node->results)))
      return failure();
  if (failed(exportAttributes(op, weights_, *node)))
    return failure();
  if (op.getNumRegions() != 0) {
    FailureOr<fb::GraphT> body =
        GraphWriter(weights_).write(op.getRegion(0).front());
    if (failed(body))
      return failure();
    node->body = std::make_unique<fb::GraphT>(std::move(*body));
  }
  graph_.nodes.push_back(std::move(node));
  return success();
}

FailureOr<fb::GraphT> GraphWriter::write(Block &block) {
  for (BlockArgument argument : block.getArguments())
    if (failed(define(argument, graph_.inputs)))
      return failure();
  for (Operation &op : block.without_terminator())
    if (failed(writeNode(op)))
      return failure();
  for (Value output : block.getTerminator()->getOperands())
    graph_.outputs.push_back(indices_.at(output));
  return std::move(graph_);
}

/// Fails, with an error, unless \p function is one block.
static LogicalResult verifyOneBlock(func::FuncOp function) {
  if (function.getBody().hasOneBlock())
    return success();
  return function.emitOpError("has ") << function.getBody().getBlocks().size()
                                      << " blocks; a graph of the bundle is "
                                         "one";
}

FailureOr<fb::GraphT> rung::exportGraph(func::FuncOp function,
                                        const WeightIndices &weights) {
  if (failed(verifyOneBlock(function)))
    return failure();
  return GraphWriter(weights).write(function.getBody().front());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
using Ports = std::vector<std::unique_ptr<fb::PortT>>;

/// One side of a function: its ports, and the states among them.
struct Side {
  Ports ports;
  llvm::StringMap<uint32_t> states;
};
} // namespace

template <typename GetAttribute>
static FailureOr<Side> exportSide(func::FuncOp function, StringRef noun,
                                  ValueRange values, GetAttribute attributeOf) {
  Side side;
  llvm::StringSet<> names;
  for (auto [index, value] : llvm::enumerate(values)) {
    auto name = attributeOf(index, kNameAttr);
    if (!name || !names.insert(name.getValue()).second)
      return function.emitOpError()
             << noun << ' ' << index
             << (name ? " has the name of another, '" + name.str() + "'"
                      : std::string(" has no '" + kNameAttr.str() + "'"));
    if (!isa<RankedTensorType>(value.getType()))
      return function.emitOpError()
             << noun << " '" << name.getValue() << "' has type "
             << value.getType() << ", which is no ranked tensor";
    FailureOr<fb::TensorTypeT> exported = exportType(value, function.getLoc());
    if (failed(exported))
      return failure();
    side.ports.push_back(std::make_unique<fb::PortT>());
    side.ports.back()->name = name.str();
    side.ports.back()->type =
        std::make_unique<fb::TensorTypeT>(std::move(*exported));
    if (auto state = attributeOf(index, kStateAttr))
      side.states[state.getValue()] = uint32_t(index);
  }
  return side;
}

static bool canRunInSegments(const fb::FunctionT &function) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(fb::Function::Pack(builder, &function));
  return findTimeFault(
             *flatbuffers::GetRoot<fb::Function>(builder.GetBufferPointer()))
      .empty();
}

FailureOr<fb::FunctionT> rung::exportFunction(func::FuncOp function,
                                              const WeightIndices &weights) {
  if (failed(verifyOneBlock(function)))
    return failure();
  Block &block = function.getBody().front();
  auto inputs =
      exportSide(function, "argument", block.getArguments(),
                 [&](unsigned i, StringRef name) {
                   return function.getArgAttrOfType<StringAttr>(i, name);
                 });
  auto outputs =
      exportSide(function, "result", block.getTerminator()->getOperands(),
                 [&](unsigned i, StringRef name) {
                   return function.getResultAttrOfType<StringAttr>(i, name);
                 });
  if (failed(inputs) || failed(outputs))
    return failure();
  FailureOr<fb::GraphT> graph = exportGraph(function, weights);
  if (failed(graph))
    return failure();

  fb::FunctionT result;
  result.name = function.getSymName().str();
  result.inputs = std::move(inputs->ports);
  result.outputs = std::move(outputs->ports);
  // In the order of the arguments; the dialect's verifier has paired them.
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto state = function.getArgAttrOfType<StringAttr>(i, kStateAttr)) {
      result.states.push_back(std::make_unique<fb::StateLinkT>());
      result.states.back()->name = state.str();
      result.states.back()->input = i;
      result.states.back()->output = outputs->states.lookup(state.getValue());
    }
  result.graph = std::make_unique<fb::GraphT>(std::move(*graph));
  result.segmentable = canRunInSegments(result);
  return result;
}
