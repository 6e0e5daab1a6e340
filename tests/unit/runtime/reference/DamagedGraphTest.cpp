//===- DamagedGraphTest.cpp - graphs that verify and still are wrong ------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "runtime/bundle/Format.h"
#include "tests/unit/runtime/reference/GruModel.h"
#include "tests/unit/runtime/reference/IntegerModel.h"
#include "tests/unit/runtime/reference/RunGraph.h"
#include "tests/unit/support/Mutate.h"

using namespace rung;
using namespace rung::test;
using reference::Program;
using reference::Tensor;

namespace {

/// One fault in a graph, of the kind that a reader lets through: it checks
/// indices and types, not what ops mean.
void damage(fb::GraphT &graph, Mutator &random) {
  fb::NodeT &node = *graph.nodes[random.below(graph.nodes.size())];
  if (node.body && random.below(2))
    return damage(*node.body, random);
  switch (random.below(5)) {
  case 0:
    if (!node.operands.empty())
      node.operands[random.below(node.operands.size())] =
          static_cast<uint32_t>(random.below(graph.values.size()));
    return;
  case 1: {
    fb::TensorTypeT &type = *graph.values[random.below(graph.values.size())];
    if (!type.dims.empty())
      type.dims[random.below(type.dims.size())] =
          static_cast<int32_t>(random.below(9)) - 2;
    return;
  }
  case 2:
    if (!node.attributes.empty()) {
      fb::AttributeT &attribute =
          *node.attributes[random.below(node.attributes.size())];
      for (int64_t &value : attribute.ints)
        value += static_cast<int64_t>(random.below(3)) - 1;
    }
    return;
  case 3:
    node.op = graph.nodes[random.below(graph.nodes.size())]->op;
    return;
  default:
    if (!node.operands.empty())
      node.operands.pop_back();
  }
}

template <typename Make> void expectNoCrash(Make make) {
  Mutator random(7);
  int verified = 0, ran = 0;
  for (int i = 0; i < 1500; ++i) {
    ModelBuilder model = make();
    fb::GraphT &graph = *model.bundle().functions[0]->graph;
    for (uint64_t faults = 1 + random.below(2); faults > 0; --faults)
      damage(graph, random);
    auto reader = model.read();
    if (!reader.isOk())
      continue;
    ++verified;
    reference::Weights weights(*reader);
    auto program =
        Program::make(*reader->root().functions()->Get(0)->graph(), weights);
    if (!program.isOk()) {
      EXPECT_FALSE(program.status().message().empty());
      continue;
    }
    std::vector<Tensor> inputs;
    for (const fb::Port *port : *reader->root().functions()->Get(0)->inputs()) {
      reference::Dims dims;
      for (int32_t dim : *port->type()->dims())
        dims.push_back(dim < 0 ? 2 : dim);
      inputs.push_back(randomTensor(dims, 3));
      inputs.back().element = toScalarType(port->type()->element());
    }
    ran += program->run(std::move(inputs), 2, 2).isOk();
  }
  EXPECT_GT(verified, 100); // the faults get past the reader,
  EXPECT_GT(ran, 0);        // and some are none
}

TEST(DamagedGraph, OfANamedGruGivesErrors) {
  GruVariant v;
  v.lengths = true;
  v.hidden = 4;
  v.heads = 2;
  expectNoCrash([&] { return gruModel(v); });
}

TEST(DamagedGraph, OfABodyGivesErrors) {
  GruVariant v;
  v.lengths = true;
  v.hidden = 4;
  v.heads = 2;
  expectNoCrash([&] { return gruBodyModel(v); });
}

TEST(DamagedGraph, OfIntegersGivesErrors) { expectNoCrash(integerModel); }

} // namespace
