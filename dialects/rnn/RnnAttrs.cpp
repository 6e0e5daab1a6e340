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

//===----------------------------------------------------------------------===//
// PrecisionAttr
//===----------------------------------------------------------------------===//

/// True if sums of products of \p operand may be of \p accumulate.
static bool mayAccumulate(Format operand, Format accumulate) {
  if (operand == Format::S8)
    return accumulate == Format::S32;
  return accumulate == Format::F32 ||
         (accumulate == Format::F16 && operand == Format::F16);
}

/// True if a state of \p state may be updated by sums of \p accumulate.
static bool mayKeep(Format accumulate, Format state) {
  switch (accumulate) {
  case Format::F32:
    return state == Format::F32;
  case Format::F16:
    return state == Format::F16 || state == Format::F16x2;
  case Format::S32:
    return state == Format::S16 || state == Format::S32;
  default:
    return false;
  }
}

LogicalResult
PrecisionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      Format operand, Format accumulate, Format state,
                      Round round) {
  if (operand == Format::F16x2 || operand == Format::S16 ||
      operand == Format::S32) // C1
    return emitError() << "operand is " << stringifyFormat(operand)
                       << "; it must be f32, f16, bf16 or s8";
  if (!mayAccumulate(operand, accumulate)) // C2
    return emitError() << "accumulate is " << stringifyFormat(accumulate)
                       << " for an operand of " << stringifyFormat(operand)
                       << "; it must be s32 for s8, f16 or f32 for f16, f32 "
                          "for f32 and bf16";
  if (!mayKeep(accumulate, state)) // C3
    return emitError() << "state is " << stringifyFormat(state)
                       << " for sums in " << stringifyFormat(accumulate)
                       << "; it must be s16 or s32 for s32, f16 or f16x2 for "
                          "f16, f32 for f32";
  if (accumulate == Format::S32 && round != Round::Nearest) // C4
    return emitError() << "round is " << stringifyRound(round)
                       << " for sums in " << stringifyFormat(accumulate)
                       << "; integers round to nearest";
  return success();
}
