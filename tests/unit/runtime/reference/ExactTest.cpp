//===- ExactTest.cpp - the devices that interpret the source --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/ReferenceBackend.h"
#include "tests/unit/support/ModelBuilder.h"

#include <gtest/gtest.h>

#include <vector>

using namespace rung;
using namespace rung::test;

namespace {

constexpr int32_t B = kDimB;

/// y = x + w in f16 as the kernels do it, and w = 0.1 in the source; with a
/// random state that the source has not.
ModelBuilder twoGraphs() {
  ModelBuilder model;
  int64_t w = model.weight("w", {1}, {0.1f});
  model.weight("w.own", {1}, {0.0999755859375f});
  model.bundle().weights[0]->own = "w.own";

  FunctionBuilder source("main");
  Type row = f32({1}), words = i32({B, 3});
  uint32_t x = source.input("x", row);
  uint32_t loaded = model.load(source, w);
  source.output("y", row, source.graph.op1("rnn.add", {x, loaded}, row));

  FunctionBuilder function("main");
  Type half{ScalarType::F16, {1}};
  x = function.input("x", row);
  loaded = model.load(function, w);
  uint32_t r = function.state("random", words);
  auto cast = [&](uint32_t value, Type type) {
    return function.graph.op1("rnn.cast", {value}, std::move(type));
  };
  uint32_t sum =
      function.graph.op1("rnn.add", {cast(x, half), cast(loaded, half)}, half);
  function.output("y", row, cast(sum, row));
  function.stateOutput("random", words, r);
  model.add(std::move(function));
  model.bundle().functions[0]->source = source.graph.take();
  return model;
}

struct Answer {
  std::string device, explanation;
  float y = 0;
  std::vector<int32_t> random = {9, 9, 9};
  Status status;
};

Answer ask(ModelBuilder model, const char *device) {
  Answer answer;
  auto reader = model.read();
  EXPECT_TRUE(reader.isOk()) << reader.status().message();
  auto backend = makeReferenceBackend(
      std::make_shared<const BundleReader>(std::move(*reader)),
      *parseReferenceDevice(device));
  EXPECT_TRUE(backend.isOk());
  answer.device = (*backend)->deviceName();
  answer.explanation = (*backend)->explanation();
  float x = 1;
  std::vector<int32_t> random = {4, 5, 6};
  RunRequest request;
  request.inputs = {{true, std::as_bytes(std::span(&x, 1))},
                    {true, std::as_bytes(std::span(random))}};
  request.outputs = {std::as_writable_bytes(std::span(&answer.y, 1)),
                     std::as_writable_bytes(std::span(answer.random))};
  answer.status = (*backend)->run(request).status();
  return answer;
}

TEST(Exact, RunsTheSourceAndTheReferenceTheGraph) {
  Answer graph = ask(twoGraphs(), "reference");
  EXPECT_TRUE(graph.status.isOk()) << graph.status.message();
  EXPECT_EQ(graph.y, 1.099609375f);
  Answer exact = ask(twoGraphs(), "exact");
  EXPECT_TRUE(exact.status.isOk()) << exact.status.message();
  EXPECT_EQ(exact.y, float(1 + double(0.1f)));
  Answer own = ask(twoGraphs(), "exact-own");
  EXPECT_TRUE(own.status.isOk()) << own.status.message();
  EXPECT_EQ(own.y, 1.0999755859375f);
}

TEST(Exact, PassesAStateOnThatTheSourceHasNot) {
  for (const char *device : {"reference", "exact", "exact-own"})
    EXPECT_EQ(ask(twoGraphs(), device).random, (std::vector<int32_t>{4, 5, 6}))
        << device;
}

TEST(Exact, SaysWhatItIs) {
  EXPECT_EQ(ask(twoGraphs(), "exact").device, "exact");
  EXPECT_EQ(ask(twoGraphs(), "exact-own").device, "exact-own");
  EXPECT_EQ(ask(twoGraphs(), "exact").explanation,
            "exact: interprets the model in double precision");
  EXPECT_FALSE(parseReferenceDevice("exactly").has_value());
}

TEST(Exact, NeedsASource) {
  ModelBuilder model = twoGraphs();
  model.bundle().functions[0]->source.reset();
  EXPECT_EQ(ask(std::move(model), "exact").status.message(),
            "the bundle does not tell what the model is in real numbers\n"
            "  while interpreting function 'main'");
}

} // namespace
