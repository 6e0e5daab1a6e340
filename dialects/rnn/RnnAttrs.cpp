//===- RnnAttrs.cpp - activation and precision attributes ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/rnn/RnnDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rung::rnn;

#include "dialects/rnn/RnnEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/rnn/RnnAttrs.cpp.inc"

void RnnDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/rnn/RnnAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ActivationAttr
//===----------------------------------------------------------------------===//

unsigned ActivationAttr::parameterCount(Function function) {
  switch (function) {
  case Function::Affine:
  case Function::ScaledTanh:
  case Function::HardSigmoid:
    return 2;
  case Function::LeakyRelu:
  case Function::ThresholdedRelu:
  case Function::Elu:
    return 1;
  default:
    return 0;
  }
}

double ActivationAttr::defaultAlpha(Function function) {
  switch (function) {
  case Function::LeakyRelu:
    return 0.01;
  case Function::HardSigmoid:
    return 0.2;
  default:
    return parameterCount(function) >= 1 ? 1.0 : 0.0;
  }
}

double ActivationAttr::defaultBeta(Function function) {
  switch (function) {
  case Function::ScaledTanh:
    return 1.0;
  case Function::HardSigmoid:
    return 0.5;
  default:
    return 0.0;
  }
}

ActivationAttr ActivationAttr::get(MLIRContext *context, Function function,
                                   std::optional<double> alpha,
                                   std::optional<double> beta) {
  Builder builder(context);
  return Base::get(
      context, function,
      builder.getF64FloatAttr(alpha.value_or(defaultAlpha(function))),
      builder.getF64FloatAttr(beta.value_or(defaultBeta(function))));
}

LogicalResult
ActivationAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       Function function, FloatAttr alpha, FloatAttr beta) {
  if (!alpha || !beta || !alpha.getType().isF64() || !beta.getType().isF64())
    return emitError() << "activation parameters are not f64";
  if (!alpha.getValue().isFinite() || !beta.getValue().isFinite())
    return emitError() << "activation '" << stringifyFunction(function)
                       << "' has a parameter that is not finite";
  unsigned count = parameterCount(function);
  if (count < 1 && alpha.getValueAsDouble() != defaultAlpha(function))
    return emitError() << "activation '" << stringifyFunction(function)
                       << "' takes no alpha";
  if (count < 2 && beta.getValueAsDouble() != defaultBeta(function))
    return emitError() << "activation '" << stringifyFunction(function)
                       << "' takes no beta";
  return success();
}

Attribute ActivationAttr::parse(AsmParser &parser, Type) {
  auto location = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseLess() || parser.parseKeyword(&name))
    return {};
  std::optional<Function> function = symbolizeFunction(name);
  if (!function) {
    parser.emitError(location) << "activation '" << name << "' is unknown";
    return {};
  }
  std::optional<double> alpha, beta;
  while (succeeded(parser.parseOptionalComma())) {
    auto parameterLocation = parser.getCurrentLocation();
    StringRef key;
    double value;
    if (parser.parseKeyword(&key) || parser.parseEqual() ||
        parser.parseFloat(value))
      return {};
    std::optional<double> *target = key == "alpha"  ? &alpha
                                    : key == "beta" ? &beta
                                                    : nullptr;
    if (!target || target->has_value()) {
      parser.emitError(parameterLocation)
          << "parameter '" << key << "' is "
          << (target ? "given twice" : "neither 'alpha' nor 'beta'");
      return {};
    }
    *target = value;
  }
  unsigned count = parameterCount(*function);
  if ((alpha && count < 1) || (beta && count < 2)) {
    parser.emitError(location) << "activation '" << name << "' takes no "
                               << (alpha && count < 1 ? "alpha" : "beta");
    return {};
  }
  if (parser.parseGreater())
    return {};
  Builder builder(parser.getContext());
  return getChecked(
      [&] { return parser.emitError(location); }, parser.getContext(),
      *function,
      builder.getF64FloatAttr(alpha.value_or(defaultAlpha(*function))),
      builder.getF64FloatAttr(beta.value_or(defaultBeta(*function))));
}

void ActivationAttr::print(AsmPrinter &printer) const {
  Function function = getFunction();
  printer << '<' << stringifyFunction(function);
  if (getAlpha() != defaultAlpha(function)) {
    printer << ", alpha = ";
    printer.printFloat(getAlphaValue().getValue());
  }
  if (getBeta() != defaultBeta(function)) {
    printer << ", beta = ";
    printer.printFloat(getBetaValue().getValue());
  }
  printer << '>';
}
