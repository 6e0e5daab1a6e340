//===- BackendTest.cpp - the interpreter as a device ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/ReferenceBackend.h"
#include "tests/unit/runtime/reference/GruModel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

using namespace rung;
using namespace rung::test;

namespace {

constexpr int32_t T = kDimT, B = kDimB;

std::unique_ptr<Backend> makeBackend(ModelBuilder model) {
  auto reader = model.read();
  EXPECT_TRUE(reader.isOk()) << reader.status().message();
  if (!reader.isOk())
    return nullptr;
  auto backend = makeReferenceBackend(
      std::make_shared<const BundleReader>(std::move(*reader)));
  EXPECT_TRUE(backend.isOk()) << backend.status().message();
  return backend.isOk() ? std::move(*backend) : nullptr;
}

/// y = x + h, h' = h: a state that may be left out.
ModelBuilder addModel() {
  ModelBuilder model;
  FunctionBuilder function("main");
  uint32_t x = function.input("x", f32({B, 1}));
  uint32_t h = function.state("h", f32({B, 1}));
  function.output("y", f32({B, 1}),
                  function.graph.op1("rnn.add", {x, h}, f32({B, 1})));
  function.stateOutput("h", f32({B, 1}), h);
  model.add(std::move(function));
  return model;
}

TEST(ReferenceBackend, SaysWhatItIs) {
  auto backend = makeBackend(addModel());
  ASSERT_TRUE(backend);
  EXPECT_EQ(backend->deviceName(), "reference");
  EXPECT_EQ(backend->variantName(), "reference");
  EXPECT_EQ(backend->explanation(),
            "reference: interprets the graph, every rounding modelled");
}

TEST(ReferenceBackend, RunsOnHostBytesAndTakesAbsentStatesAsZeros) {
  auto backend = makeBackend(addModel());
  ASSERT_TRUE(backend);
  std::vector<float> x = {1, 2}, h = {10, 20}, y(2), next(2);
  RunRequest request;
  request.batch = 2;
  request.inputs = {{true, std::as_bytes(std::span(x))}, {}};
  request.outputs = {std::as_writable_bytes(std::span(y)),
                     std::as_writable_bytes(std::span(next))};
  ASSERT_TRUE(backend->run(request).isOk());
  EXPECT_EQ(y, (std::vector<float>{1, 2}));
  EXPECT_EQ(next, (std::vector<float>{0, 0}));
  request.inputs[1] = {true, std::as_bytes(std::span(h))};
  auto times = backend->run(request);
  ASSERT_TRUE(times.isOk());
  EXPECT_LT(times->deviceMs, 0); // it has no clock of its own
  EXPECT_EQ(y, (std::vector<float>{11, 22}));
  EXPECT_EQ(next, h);
}

TEST(ReferenceBackend, FailsOnAnOpOnlyWhenItsFunctionRuns) {
  ModelBuilder model = addModel();
  FunctionBuilder odd("odd");
  uint32_t x = odd.input("x", f32({B, 1}));
  odd.output("y", f32({B, 1}), odd.graph.op1("rnn.frob", {x}, f32({B, 1})));
  model.add(std::move(odd));
  auto backend = makeBackend(std::move(model));
  ASSERT_TRUE(backend);
  float x0 = 1, y0 = 0;
  RunRequest request;
  request.function = 1;
  request.inputs = {{true, std::as_bytes(std::span(&x0, 1))}};
  request.outputs = {std::as_writable_bytes(std::span(&y0, 1))};
  EXPECT_EQ(backend->run(request).status().message(),
            "node 0 'rnn.frob': the operation is not known to the reference\n"
            "  while interpreting function 'odd'");
}

TEST(ReferenceBackend, TakesNarrowPortsAndRoundsThemOnce) {
  ModelBuilder model;
  FunctionBuilder function("main");
  uint32_t x = function.input("x", f32({T, B, 1}));
  Type half = {ScalarType::F16, {T, B, 1}};
  function.output("y", half, function.graph.op1("rnn.cast", {x}, half));
  model.add(std::move(function));
  auto backend = makeBackend(std::move(model));
  ASSERT_TRUE(backend);
  std::vector<float> values = {1.0f, 65536.0f, 0x1p-24f};
  std::vector<uint16_t> bits(3);
  RunRequest request;
  request.steps = 3;
  request.inputs = {{true, std::as_bytes(std::span(values))}};
  request.outputs = {std::as_writable_bytes(std::span(bits))};
  ASSERT_TRUE(backend->run(request).isOk());
  EXPECT_EQ(bits, (std::vector<uint16_t>{0x3c00, 0x7c00, 0x0001}));
}

} // namespace
