//===- TileAttrs.cpp - text and invariants of attributes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rung::tile;

static ParseResult parseTransposed(AsmParser &parser, bool &transposed) {
  transposed = succeeded(parser.parseOptionalKeyword("transposed"));
  return success();
}

static void printTransposed(AsmPrinter &printer, bool transposed) {
  if (transposed)
    printer << "transposed ";
}

#define GET_ATTRDEF_CLASSES
#include "dialects/tile/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/tile/TileAttrs.cpp.inc"
      >();
}

using Emit = function_ref<InFlightDiagnostic()>;

LogicalResult LayoutAttr::verify(Emit emitError, ArrayRef<int64_t> instruction,
                                 int64_t subgroups, int64_t subgroupSize,
                                 bool cooperative, int64_t subgroupRows,
                                 bool transposed) {
  if (instruction.size() != 3) // C1
    return emitError() << "layout has " << instruction.size()
                       << " instruction extents; m, n and k are needed";
  for (int64_t extent : instruction) // C1
    if (extent <= 0)
      return emitError() << "instruction extent " << extent
                         << " is not positive";
  if (subgroups <= 0 || subgroupSize <= 0) // C1
    return emitError() << "layout has " << subgroups << " subgroups of "
                       << subgroupSize << " threads; both must be positive";
  int64_t m = instruction[0], n = instruction[1];
  if (m * n % subgroupSize != 0) // C2
    return emitError() << "block of " << m << "x" << n
                       << " elements does not spread evenly over "
                       << subgroupSize << " threads of a subgroup";
  if (n % subgroupSize != 0 && subgroupSize % n != 0) // C3
    return emitError() << "neither of subgroup size " << subgroupSize
                       << " and block width " << n << " divides the other";
  if (subgroupRows <= 0 || subgroups % subgroupRows != 0) // C4
    return emitError() << "layout has " << subgroupRows << " rows of "
                       << subgroups << " subgroups; their number must be "
                       << "positive and divide that of the subgroups";
  if (transposed && !cooperative) // C5
    return emitError() << "layout is transposed and not cooperative";
  return success();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

LogicalResult FactorAttr::verify(Emit emitError, Symbol, int64_t divisor,
                                 int64_t multiplier) {
  if (divisor <= 0) // extent C1
    return emitError() << "divisor " << divisor << " is not positive";
  if (multiplier < 0) // extent C1
    return emitError() << "multiplier " << multiplier << " is negative";
  return success();
}

static FailureOr<Symbol> parseSymbol(AsmParser &parser) {
  SMLoc where = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  if (std::optional<Symbol> symbol = symbolizeSymbol(word))
    return *symbol;
  parser.emitError(where) << "'" << word << "' is none of one, T, B, TB";
  return failure();
}

// factor ::= integer | (symbol | `ceil` `(` symbol `/` integer `)`)
//            (`*` integer)?
static Attribute parseFactor(AsmParser &parser) {
  int64_t divisor = 1, multiplier = 1;
  SMLoc where = parser.getCurrentLocation();
  auto make = [&](Symbol symbol) -> Attribute {
    return FactorAttr::getChecked([&] { return parser.emitError(where); },
                                  parser.getContext(), symbol, divisor,
                                  multiplier);
  };
  OptionalParseResult integer = parser.parseOptionalInteger(multiplier);
  if (integer.has_value())
    return failed(*integer) ? Attribute() : make(Symbol::One);
  bool ceil = succeeded(parser.parseOptionalKeyword("ceil"));
  if (ceil && parser.parseLParen())
    return {};
  FailureOr<Symbol> symbol = parseSymbol(parser);
  if (failed(symbol))
    return {};
  if (ceil && (parser.parseSlash() || parser.parseInteger(divisor) ||
               parser.parseRParen()))
    return {};
  if (succeeded(parser.parseOptionalStar()) && parser.parseInteger(multiplier))
    return {};
  return make(*symbol);
}

static void printFactor(AsmPrinter &printer, FactorAttr factor) {
  if (factor.getSymbol() == Symbol::One && factor.getDivisor() == 1) {
    printer << factor.getMultiplier();
    return;
  }
  if (factor.getDivisor() != 1)
    printer << "ceil(" << stringifySymbol(factor.getSymbol()) << " / "
            << factor.getDivisor() << ")";
  else
    printer << stringifySymbol(factor.getSymbol());
  if (factor.getMultiplier() != 1)
    printer << " * " << factor.getMultiplier();
}

Attribute FactorAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  Attribute factor = parseFactor(parser);
  return factor && succeeded(parser.parseGreater()) ? factor : Attribute();
}

void FactorAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printFactor(printer, *this);
  printer << ">";
}

ExtentAttr ExtentAttr::get(MLIRContext *context, int64_t count) {
  return get(context, Symbol::One, 1, count);
}

ExtentAttr ExtentAttr::get(MLIRContext *context, Symbol symbol, int64_t divisor,
                           int64_t multiplier) {
  return get(context, FactorAttr::get(context, symbol, divisor, multiplier));
}

Attribute ExtentAttr::parse(AsmParser &parser, Type) {
  SmallVector<FactorAttr> factors;
  auto parseOne = [&]() -> ParseResult {
    Attribute factor = parseFactor(parser);
    if (!factor)
      return failure();
    factors.push_back(cast<FactorAttr>(factor));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseOne))
    return {};
  return get(parser.getContext(), factors);
}

void ExtentAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getFactors(), printer.getStream(),
                        [&](FactorAttr f) { printFactor(printer, f); });
  printer << ">";
}

std::optional<int64_t> ExtentAttr::evaluate(int64_t steps,
                                            int64_t batch) const {
  int64_t product = 1, both;
  bool bothFit = !llvm::MulOverflow(steps, batch, both);
  for (FactorAttr factor : getFactors()) {
    int64_t symbol = 1;
    switch (factor.getSymbol()) {
    case Symbol::One:
      break;
    case Symbol::T:
      symbol = steps;
      break;
    case Symbol::B:
      symbol = batch;
      break;
    case Symbol::TB:
      if (!bothFit)
        return std::nullopt;
      symbol = both;
      break;
    }
    int64_t quotient = llvm::divideCeilSigned(symbol, factor.getDivisor());
    if (llvm::MulOverflow(product, quotient, product) ||
        llvm::MulOverflow(product, factor.getMultiplier(), product))
      return std::nullopt;
  }
  return product;
}

//===----------------------------------------------------------------------===//
// Pushes and pieces
//===----------------------------------------------------------------------===//

LogicalResult PushAttr::verify(Emit emitError, PushKind kind, int64_t value) {
  if (kind == PushKind::Constant && !llvm::isUInt<32>(value))
    return emitError() << "push constant " << value
                       << " does not fit 32 bits, unsigned";
  if (kind != PushKind::Constant && value != 0)
    return emitError() << "push of " << stringifyPushKind(kind)
                       << " has a value (" << value << ")";
  return success();
}

PushAttr rung::tile::parsePush(AsmParser &parser) {
  SMLoc where = parser.getCurrentLocation();
  auto check = [&] { return parser.emitError(where); };
  int64_t value = 0;
  OptionalParseResult integer = parser.parseOptionalInteger(value);
  if (integer.has_value())
    return failed(*integer) ? PushAttr()
                            : PushAttr::getChecked(check, parser.getContext(),
                                                   PushKind::Constant, value);
  StringRef word;
  if (parser.parseKeyword(&word))
    return {};
  std::optional<PushKind> kind = symbolizePushKind(word);
  if (kind && *kind != PushKind::Constant)
    return PushAttr::get(parser.getContext(), *kind, 0);
  check() << "'" << word << "' is none of T, B, TB, step, or a number";
  return {};
}

void rung::tile::printPush(AsmPrinter &printer, PushAttr push) {
  if (push.getKind() == PushKind::Constant)
    printer << push.getValue();
  else
    printer << stringifyPushKind(push.getKind());
}

Attribute PushAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  PushAttr push = parsePush(parser);
  return push && succeeded(parser.parseGreater()) ? push : PushAttr();
}

void PushAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printPush(printer, *this);
  printer << ">";
}

LogicalResult PieceAttr::verify(Emit emitError, FlatSymbolRefAttr weight,
                                int64_t offset, ArrayRef<int64_t> sizes,
                                ArrayRef<int64_t> sourceStrides,
                                int64_t targetOffset,
                                ArrayRef<int64_t> targetStrides) {
  if (sizes.empty() || sizes.size() > 4) // C1
    return emitError() << "piece of '" << weight.getValue() << "' has "
                       << sizes.size() << " sizes; 1 to 4 are allowed";
  if (sourceStrides.size() != sizes.size() ||
      targetStrides.size() != sizes.size()) // C1
    return emitError() << "piece of '" << weight.getValue() << "' has "
                       << sizes.size() << " sizes, " << sourceStrides.size()
                       << " source strides and " << targetStrides.size()
                       << " target strides";
  for (int64_t size : sizes) // C1
    if (size <= 0)
      return emitError() << "piece of '" << weight.getValue() << "' has size "
                         << size << ", which is not positive";
  if (offset < 0 || targetOffset < 0) // C2
    return emitError() << "piece of '" << weight.getValue() << "' has offset "
                       << offset << " and target offset " << targetOffset
                       << "; neither may be negative";
  return success();
}
