//===- GruModel.cpp - a GRU twice: named, and as a cell's body ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/reference/GruModel.h"

namespace rung::test {

namespace {
constexpr int32_t T = kDimT, B = kDimB;

/// The weights of direction `d`; indices of absent biases are -1.
struct GruWeights {
  int64_t w, u, bw, bu;
};

GruWeights addWeights(ModelBuilder &model, const GruVariant &v, uint64_t d) {
  int32_t gates = 3 * v.hidden, head = v.hidden / v.heads;
  auto add = [&](const char *name, std::vector<int32_t> dims, uint64_t seed) {
    size_t count = 1;
    for (int32_t dim : dims)
      count *= static_cast<size_t>(dim);
    return model.weight(name + std::to_string(d), std::move(dims),
                        randomNumbers(count, 10 * d + seed, 0.7));
  };
  return {add("w", {gates, v.inputs}, 1),
          add("u", {v.heads, 3 * head, head}, 2),
          v.inputBias ? add("bw", {gates}, 3) : -1,
          v.recurrentBias ? add("bu", {gates}, 4) : -1};
}

/// The ports that both forms have.
struct Ports {
  uint32_t x;
  std::vector<uint32_t> states;
  std::vector<uint32_t> lengths; // at most one
};

const char *stateName(uint32_t d) { return d == 0 ? "h" : "h.reverse"; }

Ports addPorts(FunctionBuilder &function, const GruVariant &v) {
  Ports ports;
  ports.x = function.input("x", f32({T, B, v.inputs}));
  for (uint32_t d = 0; d < v.directions(); ++d)
    ports.states.push_back(function.state(stateName(d), f32({B, v.hidden})));
  if (v.lengths)
    ports.lengths.push_back(function.input("lengths", i32({B})));
  return ports;
}

void addOutputs(FunctionBuilder &function, const GruVariant &v,
                const std::vector<uint32_t> &results) {
  auto width = static_cast<int32_t>(v.directions()) * v.hidden;
  function.output("y", f32({T, B, width}), results[0]);
  for (uint32_t d = 0; d < v.directions(); ++d)
    function.stateOutput(stateName(d), f32({B, v.hidden}), results[1 + d]);
}

/// Builds the step of one row, on x's input product, u, perhaps bu, and h.
class Body {
public:
  explicit Body(const GruVariant &variant) : v(variant) {
    x_ = graph.input(f32({3 * v.hidden}));
    int32_t head = v.hidden / v.heads;
    u_ = graph.input(f32({v.heads, 3 * head, head}));
    if (v.recurrentBias)
      bu_ = graph.input(f32({3 * v.hidden}));
    h_ = graph.input(row());
  }

  std::unique_ptr<fb::GraphT> build() {
    uint32_t xr = gateOf(x_, 1), xn = gateOf(x_, 2), xz = gateOf(x_, 0);
    uint32_t r = sigmoid(add(xr, recurrent(1, h_)));
    uint32_t n;
    if (v.reset == "after")
      n = add(xn, multiply(r, recurrent(2, h_)));
    else
      n = add(xn, recurrent(2, multiply(r, h_)));
    n = graph.op1("math.tanh", {n}, row());
    uint32_t a = add(xz, recurrent(0, h_));
    if (v.update == "keep")
      a = graph.op1("arith.negf", {a}, row());
    uint32_t away = binary("arith.subf", n, h_);
    uint32_t step = multiply(sigmoid(a), away);
    uint32_t next = add(h_, step);
    graph.output(next);
    graph.output(next);
    return graph.take();
  }

private:
  Type row() const { return f32({v.hidden}); }
  uint32_t binary(const char *op, uint32_t a, uint32_t b) {
    return graph.op1(op, {a, b}, row());
  }
  uint32_t add(uint32_t a, uint32_t b) { return binary("arith.addf", a, b); }
  uint32_t multiply(uint32_t a, uint32_t b) {
    return binary("arith.mulf", a, b);
  }
  uint32_t sigmoid(uint32_t a) { return graph.op1("rnn.sigmoid", {a}, row()); }
  uint32_t slice(uint32_t source, Type type, std::vector<int64_t> offsets,
                 std::vector<int64_t> sizes) {
    std::vector<int64_t> strides(sizes.size(), 1);
    return graph.op1("tensor.extract_slice", {source}, std::move(type),
                     attributes(attribute("offsets", std::move(offsets)),
                                attribute("sizes", std::move(sizes)),
                                attribute("strides", std::move(strides))));
  }
  uint32_t gateOf(uint32_t source, int64_t gate) {
    return slice(source, row(), {gate * v.hidden}, {v.hidden});
  }
  uint32_t recurrent(int64_t gate, uint32_t state) {
    int32_t head = v.hidden / v.heads;
    uint32_t u = slice(u_, f32({v.heads, head, head}), {0, gate * head, 0},
                       {v.heads, head, head});
    uint32_t product = graph.op1("rnn.dot", {state, u}, row());
    return v.recurrentBias ? add(product, gateOf(bu_, gate)) : product;
  }

  const GruVariant &v;
  GraphBuilder graph;
  uint32_t x_ = 0, u_ = 0, bu_ = 0, h_ = 0;
};
} // namespace

ModelBuilder gruModel(const GruVariant &v) {
  ModelBuilder model;
  FunctionBuilder function("main");
  Ports ports = addPorts(function, v);
  std::vector<uint32_t> w, u, bw, bu;
  for (uint32_t d = 0; d < v.directions(); ++d) {
    GruWeights weights = addWeights(model, v, d);
    w.push_back(model.load(function, weights.w));
    u.push_back(model.load(function, weights.u));
    if (v.inputBias)
      bw.push_back(model.load(function, weights.bw));
    if (v.recurrentBias)
      bu.push_back(model.load(function, weights.bu));
  }
  std::vector<uint32_t> operands = {ports.x};
  std::vector<int64_t> segments = {1};
  for (const auto &group : {w, u, bw, bu, ports.states, ports.lengths}) {
    operands.insert(operands.end(), group.begin(), group.end());
    segments.push_back(static_cast<int64_t>(group.size()));
  }
  std::vector<std::string> activations;
  for (uint32_t d = 0; d < v.directions(); ++d)
    activations.insert(activations.end(), v.activations.begin(),
                       v.activations.end());
  Attributes list =
      attributes(attribute("operand_segments", std::move(segments)),
                 attribute("reset", v.reset), attribute("update", v.update),
                 attribute("direction", v.direction),
                 attribute("activations", std::move(activations)));
  if (v.clip != 0)
    list.push_back(attribute("clip", v.clip));
  auto width = static_cast<int32_t>(v.directions()) * v.hidden;
  std::vector<Type> results(1 + v.directions(), f32({B, v.hidden}));
  results[0] = f32({T, B, width});
  addOutputs(function, v,
             function.graph.op("rnn.gru", operands, results, std::move(list)));
  model.add(std::move(function));
  return model;
}

ModelBuilder gruBodyModel(const GruVariant &v) {
  ModelBuilder model;
  FunctionBuilder function("main");
  Ports ports = addPorts(function, v);
  GruWeights weights = addWeights(model, v, 0);
  std::vector<uint32_t> product = {ports.x, model.load(function, weights.w)};
  if (v.inputBias)
    product.push_back(model.load(function, weights.bw));
  uint32_t xp =
      function.graph.op1("rnn.linear", product, f32({T, B, 3 * v.hidden}));
  std::vector<uint32_t> operands = {xp, model.load(function, weights.u)};
  if (v.recurrentBias)
    operands.push_back(model.load(function, weights.bu));
  std::vector<int64_t> segments = {1, v.recurrentBias ? 2 : 1, 1,
                                   v.lengths ? 1 : 0, 0};
  operands.push_back(ports.states[0]);
  operands.insert(operands.end(), ports.lengths.begin(), ports.lengths.end());
  addOutputs(function, v,
             function.graph.op(
                 "rnn.recurrence", operands,
                 {f32({T, B, v.hidden}), f32({B, v.hidden})},
                 attributes(attribute("operand_segments", std::move(segments)),
                            attribute("direction", v.direction),
                            attribute("heads", int64_t(v.heads))),
                 Body(v).build()));
  model.add(std::move(function));
  return model;
}

} // namespace rung::test
