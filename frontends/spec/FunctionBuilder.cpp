//===- FunctionBuilder.cpp - one function as func.func --------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/spec/FunctionBuilder.h"

#include <format>
#include <set>

using namespace mlir;

namespace rung::spec {

std::string typeText(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  bool ids = tensor.getElementType().isInteger(32);
  std::string text = ids ? "i32 [" : "f32 [";
  // T leads where there are both.
  bool steps = tensor.getRank() == (ids ? 2 : 3);
  for (int64_t i = 0; i < tensor.getRank(); ++i) {
    text += i ? ", " : "";
    text += !tensor.isDynamicDim(i) ? std::to_string(tensor.getDimSize(i))
            : steps && i == 0       ? "T"
                                    : "B";
  }
  return text + "]";
}

int64_t widthOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

static RankedTensorType inputType(const Input &input, Builder &builder) {
  SmallVector<int64_t> shape;
  for (int64_t size : input.shape)
    shape.push_back(size < 0 ? ShapedType::kDynamic : size);
  Type element = input.type == ElementType::I32 ? Type(builder.getI32Type())
                                                : builder.getF32Type();
  return RankedTensorType::get(shape, element);
}

FunctionBuilder::FunctionBuilder(const Function &function, ModuleOp module,
                                 WeightTable &table,
                                 const FileDiagnostics &report)
    : function_(function), module_(module), table_(table), report_(report),
      builder_(module.getContext()) {}

Location FunctionBuilder::locate(const Name &name) const {
  MLIRContext *context = builder_.getContext();
  return NameLoc::get(StringAttr::get(context, name.value),
                      FileLineColLoc::get(context, report_.file(),
                                          name.location.line,
                                          name.location.column));
}

Value FunctionBuilder::input(const Layer &layer, size_t index) const {
  return values_.at(layer.inputs[index].value);
}

Value FunctionBuilder::load(rnn::WeightOp weight, Location location) {
  return builder_.create<rnn::LoadWeightOp>(location, weight.getType(),
                                            weight.getSymName());
}

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

Value FunctionBuilder::addArgument(RankedTensorType type,
                                   const std::string &name,
                                   const std::string &state,
                                   Location location) {
  unsigned index = func_.getNumArguments();
  SmallVector<NamedAttribute> attributes{
      builder_.getNamedAttr(rnn::kNameAttr, builder_.getStringAttr(name))};
  if (!state.empty())
    attributes.push_back(
        builder_.getNamedAttr(rnn::kStateAttr, builder_.getStringAttr(state)));
  (void)func_.insertArgument(index, type,
                             builder_.getDictionaryAttr(attributes), location);
  return func_.getArgument(index);
}

bool FunctionBuilder::declare(FunctionPorts &ports) {
  OpBuilder outer = OpBuilder::atBlockEnd(module_.getBody());
  func_ =
      outer.create<func::FuncOp>(locate(function_.name), function_.name.value,
                                 builder_.getFunctionType({}, {}));
  builder_.setInsertionPointToEnd(func_.addEntryBlock());
  for (const Input &input : function_.inputs) {
    RankedTensorType type = inputType(input, builder_);
    values_[input.name.value] =
        addArgument(type, input.name.value, "", locate(input.name));
    ports.inputs[input.name.value] = {type, 0};
  }
  return declareStates(ports);
}

std::vector<std::string> stateNames(const GruLayer &gru) {
  if (gru.layers.value * gru.directions() == 1)
    return {gru.state.value};
  std::vector<std::string> names;
  for (int64_t i = 0; i < gru.layers.value; ++i) {
    names.push_back(std::format("{}.{}", gru.state.value, i));
    if (gru.directions() == 2)
      names.push_back(names.back() + ".reverse");
  }
  return names;
}

bool FunctionBuilder::declareStates(FunctionPorts &ports) {
  std::set<std::string> outputs;
  for (const Output &output : function_.outputs)
    outputs.insert(output.name.value);
  bool good = true;
  for (const Layer &layer : function_.layers) {
    const auto *gru = std::get_if<GruLayer>(&layer.parameters);
    if (!gru)
      continue;
    int64_t width = gru->hidden.value;
    auto type = RankedTensorType::get({ShapedType::kDynamic, width},
                                      builder_.getF32Type());
    for (const std::string &name : stateNames(*gru)) {
      const char *other = ports.inputs.contains(name)   ? "an input"
                          : outputs.contains(name)      ? "an output"
                          : ports.states.contains(name) ? "another state"
                                                        : nullptr;
      if (other) {
        good = fail(gru->state.location,
                    std::format("state '{}' of layer '{}' has the name of {}",
                                name, layer.name.value, other));
        continue;
      }
      ports.states[name] = width;
      Value initial = addArgument(type, name, name, locate(layer.name));
      states_.push_back({name, width, initial, {}});
    }
  }
  return good;
}

bool FunctionBuilder::finish(FunctionPorts &ports) {
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> attributes;
  auto add = [&](Value value, const std::string &name, bool state) {
    SmallVector<NamedAttribute> entries{
        builder_.getNamedAttr(rnn::kNameAttr, builder_.getStringAttr(name))};
    if (state)
      entries.push_back(
          builder_.getNamedAttr(rnn::kStateAttr, builder_.getStringAttr(name)));
    results.push_back(value);
    attributes.push_back(builder_.getDictionaryAttr(entries));
  };
  for (const Output &output : function_.outputs) {
    Value value = values_.at(output.value.value);
    add(value, output.name.value, false);
    auto classes = classes_.find(output.value.value);
    ports.outputs[output.name.value] = {
        cast<RankedTensorType>(value.getType()),
        classes == classes_.end() ? 0 : classes->second};
  }
  for (const State &state : states_)
    add(state.final, state.name, true);
  for (const auto &[name, rows] : tableRows_)
    if (auto port = ports.inputs.find(name); port != ports.inputs.end())
      port->second.classes = rows;

  builder_.create<func::ReturnOp>(locate(function_.name), results);
  func_.setFunctionType(builder_.getFunctionType(
      func_.getArgumentTypes(), ValueRange(results).getTypes()));
  func_.setAllResultAttrs(attributes);
  return true;
}

bool FunctionBuilder::build(FunctionPorts &ports) {
  if (!declare(ports))
    return false;
  for (const Layer &layer : function_.layers) {
    Value value = std::visit(
        [&](const auto &parameters) { return build(layer, parameters); },
        layer.parameters);
    if (!value)
      return false;
    values_[layer.name.value] = value;
  }
  return finish(ports);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

bool buildModule(const Description &description,
                 const safetensors::Archive *archive, ModuleOp module,
                 std::map<std::string, FunctionPorts> &ports,
                 const FileDiagnostics &report) {
  module->setAttr("rung.name",
                  StringAttr::get(module.getContext(), description.name));
  WeightTable table(module, archive, report);
  for (const Function &function : description.functions)
    table.reserveSymbol(function.name.value);
  bool good = true;
  for (const Function &function : description.functions)
    good &= FunctionBuilder(function, module, table, report)
                .build(ports[function.name.value]);
  if (!good)
    return false;
  // Weights in front, where a reader looks for them.
  Block *body = module.getBody();
  SmallVector<func::FuncOp> funcs(body->getOps<func::FuncOp>());
  for (func::FuncOp func : funcs)
    func->moveBefore(body, body->end());
  return true;
}

} // namespace rung::spec
