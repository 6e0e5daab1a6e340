//===- TileTypes.cpp - text and invariants of types ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileDialect.h"
#include "dialects/tile/TileWidths.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rung::tile;

#define GET_TYPEDEF_CLASSES
#include "dialects/tile/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/tile/TileTypes.cpp.inc"
      >();
}

static LogicalResult verifyBlock(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t rows, int64_t columns, Type element) {
  if (rows <= 0 || columns <= 0) // C1
    return emitError() << "extents " << rows << "x" << columns
                       << " are not positive";
  if (!element.isF32() && !element.isF16() && !element.isBF16() &&
      !element.isSignlessInteger(32) && !element.isSignlessInteger(8)) // C2
    return emitError() << "element type " << element
                       << " is none of f32, f16, bf16, i32, i8";
  return success();
}

LogicalResult MatrixType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t rows, int64_t columns, Type element,
                                 MatrixUse) {
  return verifyBlock(emitError, rows, columns, element);
}

LogicalResult FlightType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t rows, int64_t columns, Type element,
                                 int64_t width) {
  if (failed(verifyBlock(emitError, rows, columns, element))) // C1 C2
    return failure();
  if (width < 1 || !isWidth(width, element)) // C3
    return emitError() << "width " << width << " of " << element
                       << " makes no accesses of 4, 8 or 16 bytes";
  if (columns % width != 0) // C3
    return emitError() << "width " << width << " does not divide " << columns
                       << " columns";
  return success();
}

static ParseResult parseBlock(AsmParser &parser, int64_t &rows,
                              int64_t &columns, Type &element) {
  SMLoc where = parser.getCurrentLocation();
  SmallVector<int64_t, 2> shape;
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return failure();
  if (shape.size() != 2)
    return parser.emitError(where)
           << "rank " << shape.size() << " is not 2: expected rows x columns";
  rows = shape[0];
  columns = shape[1];
  return success();
}

Type MatrixType::parse(AsmParser &parser) {
  int64_t rows, columns;
  Type element;
  StringRef word;
  if (parser.parseLess())
    return {};
  SMLoc where = parser.getCurrentLocation();
  if (parseBlock(parser, rows, columns, element) || parser.parseComma())
    return {};
  SMLoc useLocation = parser.getCurrentLocation();
  if (parser.parseKeyword(&word) || parser.parseGreater())
    return {};
  std::optional<MatrixUse> use = symbolizeMatrixUse(word);
  if (!use) {
    parser.emitError(useLocation) << "'" << word << "' is none of a, b, acc";
    return {};
  }
  return getChecked([&] { return parser.emitError(where); },
                    parser.getContext(), rows, columns, element, *use);
}

void MatrixType::print(AsmPrinter &printer) const {
  printer << "<" << getRows() << "x" << getColumns() << "x" << getElementType()
          << ", " << stringifyMatrixUse(getUse()) << ">";
}

Type FlightType::parse(AsmParser &parser) {
  int64_t rows, columns, width = 1;
  Type element;
  if (parser.parseLess())
    return {};
  SMLoc where = parser.getCurrentLocation();
  if (parseBlock(parser, rows, columns, element))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("width") || parser.parseInteger(width)))
    return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(where); },
                    parser.getContext(), rows, columns, element, width);
}

void FlightType::print(AsmPrinter &printer) const {
  printer << "<" << getRows() << "x" << getColumns() << "x" << getElementType();
  if (getWidth() != 1)
    printer << ", width " << getWidth();
  printer << ">";
}
