//===- TestModels.cpp - small models with hand-written kernels --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/runtime/vulkan/TestModels.h"

#include "runtime/bundle/TimeSegments.h"
#include "tests/unit/runtime/vulkan/Shaders.h"

#include <gtest/gtest.h>

#include <string>

namespace rung::test {

namespace {

using fb::PushKind;
using fb::Symbol;

constexpr int32_t T = kDimT, B = kDimB;

/// Ports of a function x, h -> y, h. Its graph, which only the reference runs,
/// passes x and h through.
FunctionBuilder sequenceFunction(std::string name, uint32_t width) {
  const auto columns = static_cast<int32_t>(width);
  const Type sequence = f32({T, B, columns}), state = f32({B, columns});
  FunctionBuilder function(std::move(name));
  const uint32_t x = function.input("x", sequence);
  const uint32_t h = function.state("h", state);
  function.output("y", sequence, x);
  function.stateOutput("h", state, h);
  return function;
}

std::vector<fb::Factor> sequenceBytes(uint32_t width) {
  return {times(Symbol::TB, width), constant(4)};
}
std::vector<fb::Factor> stateBytes(uint32_t width) {
  return {times(Symbol::B, width), constant(4)};
}

/// Workgroups of 64 for every element, rounded up a row.
std::vector<fb::Factor> groupsFor(Symbol rows, uint32_t width) {
  return {times(rows), constant((width + 63) / 64)};
}

} // namespace

/// The test models' kernels are as their graphs in this.
static bool canRunInSegments(const fb::FunctionT &function) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(fb::Function::Pack(builder, &function));
  return findTimeFault(
             *flatbuffers::GetRoot<fb::Function>(builder.GetBufferPointer()))
      .empty();
}

std::vector<std::byte>
serializeModel(FunctionBuilder function,
               std::vector<std::unique_ptr<fb::VariantT>> variants,
               std::span<const std::byte> blob) {
  ModelBuilder model;
  model.add(std::move(function));
  for (auto &made : model.bundle().functions)
    made->segmentable = canRunInSegments(*made);
  model.bundle().variants = std::move(variants);
  Result<std::vector<std::byte>> file = serializeBundle(model.bundle(), blob);
  EXPECT_TRUE(file.isOk()) << file.status().message();
  return file.isOk() ? *std::move(file) : std::vector<std::byte>();
}

std::vector<std::byte> serializeModel(FunctionBuilder function,
                                      TestProgram program,
                                      std::span<const std::byte> blob) {
  std::vector<std::unique_ptr<fb::VariantT>> variants;
  variants.push_back(program.take());
  return serializeModel(std::move(function), std::move(variants), blob);
}

BundleReader readModel(std::span<const std::byte> file) {
  Result<BundleReader> reader = BundleReader::fromBytes(file);
  EXPECT_TRUE(reader.isOk()) << reader.status().message();
  return *std::move(reader);
}

std::vector<std::byte> affineModel(uint32_t width) {
  TestProgram program;
  const uint32_t affine = program.kernel(
      {.name = "affine", .spirv = kAffine, .bindings = 3, .pushWords = 3});
  const uint32_t copy = program.kernel(
      {.name = "copy", .spirv = kCopy, .bindings = 2, .pushWords = 2});
  const uint32_t x = program.input(0, sequenceBytes(width));
  const uint32_t h = program.input(1, stateBytes(width));
  const uint32_t y = program.output(0, sequenceBytes(width));
  const uint32_t next = program.output(1, stateBytes(width));
  program.dispatch(affine, {read(x), read(h), write(y)},
                   {push(PushKind::TB), push(PushKind::B), push(width)},
                   groupsFor(Symbol::TB, width));
  program.dispatch(copy, {read(h), write(next)},
                   {push(PushKind::B), push(width)},
                   groupsFor(Symbol::B, width));
  return serializeModel(sequenceFunction("affine", width), std::move(program));
}

std::vector<float> affineReference(std::span<const float> x,
                                   std::span<const float> h) {
  std::vector<float> y;
  for (size_t i = 0; i < x.size(); ++i)
    y.push_back(2 * x[i] + h[i % h.size()]);
  return y;
}

std::vector<std::byte> decayModel(std::span<const float> w) {
  const auto width = static_cast<uint32_t>(w.size());
  BlobBuilder blob;
  const uint64_t offset = blob.append(w);
  TestProgram program;
  const uint32_t copy = program.kernel(
      {.name = "copy", .spirv = kCopy, .bindings = 2, .pushWords = 2});
  const uint32_t step = program.kernel(
      {.name = "step", .spirv = kStep, .bindings = 4, .pushWords = 3});
  const uint32_t x = program.input(0, sequenceBytes(width));
  const uint32_t h = program.input(1, stateBytes(width));
  const uint32_t weights = program.packed(offset, w.size_bytes());
  const uint32_t y = program.output(0, sequenceBytes(width));
  const uint32_t next = program.output(1, stateBytes(width));
  program.dispatch(copy, {read(h), write(next)},
                   {push(PushKind::B), push(width)},
                   groupsFor(Symbol::B, width));
  program.beginRepeat(Symbol::T);
  program.dispatch(step, {read(x), read(weights), update(next), write(y)},
                   {push(PushKind::Step), push(PushKind::B), push(width)},
                   groupsFor(Symbol::B, width));
  program.endRepeat();
  return serializeModel(sequenceFunction("decay", width), std::move(program),
                        blob.bytes());
}

DecayResult decayReference(std::span<const float> x, std::vector<float> h,
                           std::span<const float> w) {
  DecayResult result;
  for (size_t i = 0; i < x.size(); ++i) {
    float &state = h[i % h.size()];
    state = 0.5f * state + w[i % w.size()] * x[i];
    result.y.push_back(state);
  }
  result.h = std::move(h);
  return result;
}

std::vector<std::byte> chainModel(uint32_t width,
                                  std::span<const uint32_t> constants) {
  TestProgram program;
  const uint32_t add = program.kernel(
      {.name = "add", .spirv = kAddConstant, .bindings = 2, .pushWords = 3});
  const uint32_t x = program.input(0, sequenceBytes(width));
  const uint32_t scratch[] = {program.scratch(sequenceBytes(width)),
                              program.scratch(sequenceBytes(width))};
  const uint32_t y = program.output(0, sequenceBytes(width));
  uint32_t from = x;
  for (size_t i = 0; i < constants.size(); ++i) {
    const uint32_t to = i + 1 == constants.size() ? y : scratch[i % 2];
    program.dispatch(add, {read(from), write(to)},
                     {push(PushKind::TB), push(width), push(constants[i])},
                     groupsFor(Symbol::TB, width));
    from = to;
  }
  const Type sequence = f32({T, B, static_cast<int32_t>(width)});
  FunctionBuilder function("chain");
  function.output("y", sequence, function.input("x", sequence));
  return serializeModel(std::move(function), std::move(program));
}

std::vector<std::byte> independentModel(uint32_t width, uint32_t outputs) {
  TestProgram program;
  const uint32_t add = program.kernel(
      {.name = "add", .spirv = kAddConstant, .bindings = 2, .pushWords = 3});
  const uint32_t x = program.input(0, sequenceBytes(width));
  const Type sequence = f32({T, B, static_cast<int32_t>(width)});
  FunctionBuilder function("independent");
  const uint32_t value = function.input("x", sequence);
  for (uint32_t i = 0; i < outputs; ++i) {
    const uint32_t y = program.output(i, sequenceBytes(width));
    program.dispatch(add, {read(x), write(y)},
                     {push(PushKind::TB), push(width), push(i)},
                     groupsFor(Symbol::TB, width));
    function.output("y" + std::to_string(i), sequence, value);
  }
  return serializeModel(std::move(function), std::move(program));
}

} // namespace rung::test
