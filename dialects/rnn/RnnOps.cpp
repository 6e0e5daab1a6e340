//===- RnnOps.cpp - verifiers of graph operations ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnOps.h"
#include "dialects/rnn/RnnBody.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace rung::rnn;

/// `: type = value` with the type printed once.
static ParseResult parseTypedElements(OpAsmParser &parser,
                                      ElementsAttr &value) {
  Type type;
  Attribute attribute;
  if (parser.parseType(type) || parser.parseEqual())
    return failure();
  auto location = parser.getCurrentLocation();
  if (parser.parseAttribute(attribute, type))
    return failure();
  value = dyn_cast<ElementsAttr>(attribute);
  if (!value)
    return parser.emitError(location, "value of a weight is no tensor");
  return success();
}

static void printTypedElements(OpAsmPrinter &printer, Operation *,
                               ElementsAttr value) {
  printer << value.getType() << " = ";
  printer.printAttributeWithoutType(value);
}

/// One choice of an enum as a bare keyword.
template <typename EnumAttr>
static ParseResult parseChoice(OpAsmParser &parser, EnumAttr &attribute) {
  auto value =
      FieldParser<decltype(std::declval<EnumAttr>().getValue())>::parse(parser);
  if (failed(value))
    return failure();
  attribute = EnumAttr::get(parser.getContext(), *value);
  return success();
}

template <typename EnumAttr>
static void printChoice(OpAsmPrinter &printer, Operation *,
                        EnumAttr attribute) {
  printer << attribute.getValue();
}

#define GET_OP_CLASSES
#include "dialects/rnn/Rnn.cpp.inc"

/// The shape of \p type with \p width for its last axis.
static SmallVector<int64_t> withWidth(RankedTensorType type, int64_t width) {
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = width;
  return shape;
}

static int64_t widthOf(RankedTensorType type) { return type.getShape().back(); }

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

LogicalResult WeightOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getValue().getType());
  if (!type) // C1
    return emitOpError("value has type ")
           << getValue().getType() << ", which is no ranked tensor";
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF16() && !element.isBF16() &&
      !element.isInteger(8) && !element.isInteger(32)) // C1
    return emitOpError("value has elements of ")
           << element << "; a weight is of f32, f16, bf16, i8 or i32";
  if (type.getNumElements() == 0) // C1
    return emitOpError("value of type ") << type << " has no elements";
  return success();
}

LogicalResult LoadWeightOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *symbol = symbols.lookupNearestSymbolFrom(*this, getWeightAttr());
  auto weight = dyn_cast_or_null<WeightOp>(symbol);
  if (!weight) // C1
    return emitOpError() << getWeightAttr() << " names no rnn.weight";
  if (weight.getType() != getType()) { // C2
    auto diagnostic = emitOpError()
                      << "result has type " << getType() << "; "
                      << getWeightAttr() << " has " << weight.getType();
    diagnostic.attachNote(weight.getLoc()) << "weight is defined here";
    return diagnostic;
  }
  return success();
}

void LoadWeightOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  // The last part of the name tells the weights of one layer apart.
  StringRef name = getWeight();
  setName(getResult(), name.substr(name.rfind('.') + 1));
}

//===----------------------------------------------------------------------===//
// Layers around the cell
//===----------------------------------------------------------------------===//

LogicalResult EmbeddingOp::verify() {
  RankedTensorType ids = getIds().getType(), table = getTable().getType();
  if (table.getRank() != 2 || table.getDimSize(0) < 1) // C1
    return emitOpError("table has type ")
           << table << "; it needs rank 2 and at least one row";
  SmallVector<int64_t> expected(ids.getShape());
  expected.push_back(table.getDimSize(1));
  if (getType().getShape() != ArrayRef(expected)) // C2
    return emitOpError("result has type ")
           << getType() << "; ids of " << ids << " in a table of " << table
           << " give " << getType().clone(expected);
  if (getType().getElementType() != table.getElementType()) // C3
    return emitOpError("result has elements of ")
           << getType().getElementType() << ", table of "
           << table.getElementType();
  return success();
}

LogicalResult LinearOp::verify() {
  RankedTensorType input = getInput().getType(), weight = getWeight().getType();
  if (weight.getRank() != 2 || weight.getDimSize(1) != widthOf(input)) // C1
    return emitOpError("weight has type ")
           << weight << "; an input of width " << widthOf(input)
           << " needs a matrix of as many columns";
  int64_t outputs = weight.getDimSize(0);
  if (Value bias = getBias()) {
    auto type = cast<RankedTensorType>(bias.getType());
    if (type.getRank() != 1 || type.getDimSize(0) != outputs) // C2
      return emitOpError("bias has type ")
             << type << "; a weight of " << outputs
             << " rows needs as many elements";
    if (type.getElementType() != getType().getElementType()) // C5
      return emitOpError("bias has elements of ")
             << type.getElementType() << ", result of "
             << getType().getElementType();
  }
  SmallVector<int64_t> expected = withWidth(input, outputs);
  if (getType().getShape() != ArrayRef(expected)) // C3
    return emitOpError("result has type ")
           << getType() << "; an input of " << input << " and a weight of "
           << outputs << " rows give " << getType().clone(expected);
  if (input.getElementType() != weight.getElementType()) // C4
    return emitOpError("input has elements of ")
           << input.getElementType() << ", weight of "
           << weight.getElementType();
  return verifySum(*this, input.getElementType(),
                   getType().getElementType()); // C6
}

LogicalResult RmsNormOp::verify() {
  RankedTensorType input = getInput().getType(), scale = getScale().getType();
  if (scale.getRank() != 1 || scale.getDimSize(0) != widthOf(input)) // C1
    return emitOpError("scale has type ")
           << scale << "; an input of width " << widthOf(input)
           << " needs as many elements";
  if (scale.getElementType() != input.getElementType()) // C2
    return emitOpError("scale has elements of ")
           << scale.getElementType() << ", input of " << input.getElementType();
  if (!getEpsilon().isFinite() || getEpsilon().isNegative()) // C3
    return emitOpError("epsilon is ") << getEpsilon().convertToDouble()
                                      << "; it must be finite and not negative";
  return success();
}

LogicalResult IntegerRmsNormOp::verify() {
  RankedTensorType input = getInput().getType();
  RankedTensorType factor = getFactor().getType();
  if (factor.getRank() != 1 || factor.getDimSize(0) != widthOf(input)) // C1
    return emitOpError("factor has type ")
           << factor << "; an input of width " << widthOf(input)
           << " needs as many elements";
  if (getEpsilon() < 0) // C2
    return emitOpError("epsilon is ")
           << getEpsilon() << "; it must not be negative";
  if (failed(verifyShift(*this, getShift()))) // C3
    return failure();
  if (widthOf(input) < 1 || widthOf(input) > 65536) // C4
    return emitOpError("input is ")
           << widthOf(input) << " wide; it must be 1 to 65536";
  return success();
}

LogicalResult ArgmaxOp::verify() {
  RankedTensorType input = getInput().getType();
  if (getType().getShape() != input.getShape().drop_back()) // C1
    return emitOpError("result has type ")
           << getType() << "; an input of " << input << " gives "
           << getType().clone(input.getShape().drop_back());
  if (widthOf(input) == 0) // C2
    return emitOpError("input of type ") << input << " has nothing to compare";
  return success();
}

//===----------------------------------------------------------------------===//
// Random states
//===----------------------------------------------------------------------===//

LogicalResult AdvanceRandomOp::verify() {
  RankedTensorType random = getRandom().getType();
  if (random.getDimSize(1) != 3) // C1
    return emitOpError("random has type ") << random << "; it must be [B, 3]";
  int64_t batch = random.getDimSize(0);
  if (getSequence().getType().getDimSize(1) != batch) // C2
    return emitOpError("random has type ")
           << random << ", sequence " << getSequence().getType()
           << "; their batches differ";
  if (getLengths() &&
      cast<RankedTensorType>(getLengths().getType()).getDimSize(0) != batch)
    return emitOpError("random has type ") // C2
           << random << ", lengths " << getLengths().getType()
           << "; their batches differ";
  return success();
}

//===----------------------------------------------------------------------===//
// Pointwise
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::verify() {
  if (getInputs().empty()) // C1
    return emitOpError("has no inputs");
  int64_t width = 0;
  for (auto [index, input] : llvm::enumerate(getInputs())) {
    auto type = cast<RankedTensorType>(input.getType());
    if (type.getShape().drop_back() != getType().getShape().drop_back() ||
        type.getElementType() != getType().getElementType()) // C2
      return emitOpError("input ")
             << index << " has type " << type << ", result has " << getType()
             << "; they may differ in the last axis alone";
    width += widthOf(type);
  }
  if (width != widthOf(getType())) // C3
    return emitOpError("result is ")
           << widthOf(getType()) << " wide; the inputs sum to " << width;
  return success();
}

LogicalResult CastOp::verify() {
  if (getInput().getType().getShape() != getType().getShape()) // C1
    return emitOpError("input has type ")
           << getInput().getType() << ", result has " << getType()
           << "; a cast keeps the shape";
  return success();
}
