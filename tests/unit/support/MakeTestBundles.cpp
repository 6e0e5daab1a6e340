//===- MakeTestBundles.cpp - bundles for the tests of tools ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// rung-test-bundles FOLDER writes there:
//
//   sum.rung    y[t] = h = h + x[t], and n = max x so far; states h, n
//   pair.rung   two functions: double (y = x + x), lengths (rows' ends)
//   words.rung  encoder and decoder: after a letter come the words behind it
//   chars.rung  one function that continues text through the alphabet a b c d
//   random.rung y = x + x, and the state "random" of stochastic rounding, kept
//   broken.rung a function with an op that the reference does not know
//
// None has kernels: they run on the reference.

#include "runtime/base/File.h"
#include "tests/unit/support/ModelBuilder.h"

#include <cstdio>

using namespace rung;
using namespace rung::test;

namespace {

constexpr int32_t T = kDimT, B = kDimB;

Attributes recurrence(std::vector<int64_t> segments) {
  return attributes(attribute("operand_segments", std::move(segments)),
                    attribute("direction", std::string("forward")),
                    attribute("heads", int64_t(1)));
}

ModelBuilder sum() {
  GraphBuilder body;
  Type row = f32({2});
  uint32_t x = body.input(row), h = body.input(row), n = body.input(row);
  uint32_t total = body.op1("arith.addf", {h, x}, row);
  uint32_t largest = body.op1("arith.maximumf", {n, x}, row);
  for (uint32_t value : {total, total, largest})
    body.output(value);

  ModelBuilder model("sum");
  FunctionBuilder function("main");
  Type state = f32({B, 2});
  uint32_t xs = function.input("x", f32({T, B, 2}));
  uint32_t h0 = function.state("h", state), n0 = function.state("n", state);
  auto results = function.graph.op("rnn.recurrence", {xs, h0, n0},
                                   {f32({T, B, 2}), state, state},
                                   recurrence({1, 0, 2, 0, 0}), body.take());
  function.output("y", f32({T, B, 2}), results[0]);
  function.stateOutput("h", state, results[1]);
  function.stateOutput("n", state, results[2]);
  model.add(std::move(function));
  auto stage = std::make_unique<fb::StageT>();
  stage->name = "rnn";
  stage->text = "module {}\n";
  model.bundle().stages.push_back(std::move(stage));
  return model;
}

ModelBuilder pair() {
  ModelBuilder model("pair");
  FunctionBuilder twice("double");
  Type vector = f32({B, 1});
  uint32_t x = twice.input("x", vector);
  twice.output("y", vector, twice.graph.op1("rnn.add", {x, x}, vector));
  model.add(std::move(twice));

  GraphBuilder body;
  Type row = f32({1});
  uint32_t step = body.input(row), h = body.input(row);
  uint32_t next = body.op1("arith.addf", {h, step}, row);
  body.output(next);
  body.output(next);
  FunctionBuilder lengths("lengths");
  uint32_t xs = lengths.input("x", f32({T, B, 1}));
  uint32_t h0 = lengths.state("h", vector);
  uint32_t n = lengths.input("n", i32({B}));
  auto results =
      lengths.graph.op("rnn.recurrence", {xs, h0, n}, {f32({T, B, 1}), vector},
                       recurrence({1, 0, 1, 1, 0}), body.take());
  lengths.output("y", f32({T, B, 1}), results[0]);
  lengths.stateOutput("h", vector, results[1]);
  model.add(std::move(lengths));
  return model;
}

// Symbols of both text models: a b c d <end> <start>.
constexpr int32_t kSymbols = 6, kEnd = 4, kStart = 5;

std::vector<float> identity() {
  std::vector<float> values(kSymbols * kSymbols, 0.0f);
  for (int32_t i = 0; i < kSymbols; ++i)
    values[i * kSymbols + i] = 1;
  return values;
}

/// Takes a one-hot symbol to the next one: a b c d <end>; <start> to a.
std::vector<float> successor() {
  std::vector<float> values(kSymbols * kSymbols, 0.0f);
  for (int32_t i = 0; i < kEnd; ++i)
    values[(i + 1) * kSymbols + i] = 1;
  values[kStart] = 1;
  return values;
}

void outputTokens(FunctionBuilder &function, uint32_t logits) {
  function.output("logits", f32({T, B, kSymbols}), logits);
  function.output("token", i32({T, B}),
                  function.graph.op1("rnn.argmax", {logits}, i32({T, B})));
}

/// The state is the last letter of the prompt, then the letter that was given.
ModelBuilder words() {
  Type row = f32({kSymbols}), state = f32({B, kSymbols});
  Type sequence = f32({T, B, kSymbols});
  ModelBuilder model("words");
  int64_t table = model.weight("table", {kSymbols, kSymbols}, identity());
  int64_t next = model.weight("next", {1, kSymbols, kSymbols}, successor());

  GraphBuilder keepLast; // h' = x
  uint32_t x = keepLast.input(row);
  keepLast.input(row);
  keepLast.output(x);
  keepLast.output(x);
  FunctionBuilder encode("encode");
  uint32_t ids = encode.input("letters", i32({T, B}));
  uint32_t h = encode.state("h", state);
  uint32_t embedded = encode.graph.op1(
      "rnn.embedding", {ids, model.load(encode, table)}, sequence);
  auto encoded =
      encode.graph.op("rnn.recurrence", {embedded, h}, {sequence, state},
                      recurrence({1, 0, 1, 0, 0}), keepLast.take());
  encode.output("states", sequence, encoded[0]);
  encode.stateOutput("h", state, encoded[1]);
  model.add(std::move(encode));

  GraphBuilder advance; // h' = next h
  advance.input(row);
  uint32_t matrix = advance.input(f32({1, kSymbols, kSymbols}));
  uint32_t before = advance.input(row);
  uint32_t after = advance.op1("rnn.dot", {before, matrix}, row);
  advance.output(after);
  advance.output(after);
  FunctionBuilder decode("decode");
  ids = decode.input("ids", i32({T, B}));
  h = decode.state("h", state);
  embedded = decode.graph.op1("rnn.embedding", {ids, model.load(decode, table)},
                              sequence);
  auto decoded = decode.graph.op(
      "rnn.recurrence", {embedded, model.load(decode, next), h},
      {sequence, state}, recurrence({1, 1, 1, 0, 0}), advance.take());
  outputTokens(decode, decoded[0]);
  decode.stateOutput("h", state, decoded[1]);
  fb::GenerationT &generation = decode.generation();
  generation.prompt_function = "encode";
  generation.prompt_input = "letters";
  generation.token_input = "ids";
  generation.token_output = "token";
  generation.start = kStart;
  generation.stop = kEnd;
  generation.max_steps = 20;
  generation.input_vocabulary = "letters";
  generation.output_vocabulary = "words";
  model.add(std::move(decode));
  model.asset("letters", "a\nb\nc\nd\n<end>\n<start>\n");
  model.asset("words", "alpha\nbeta\ngamma\ndelta\n<end>\n<start>\n");
  return model;
}

ModelBuilder chars() {
  Type sequence = f32({T, B, kSymbols});
  ModelBuilder model("chars");
  int64_t table = model.weight("table", {kSymbols, kSymbols}, identity());
  int64_t next = model.weight("next", {kSymbols, kSymbols}, successor());
  FunctionBuilder step("step");
  uint32_t ids = step.input("ids", i32({T, B}));
  uint32_t embedded =
      step.graph.op1("rnn.embedding", {ids, model.load(step, table)}, sequence);
  outputTokens(step,
               step.graph.op1("rnn.linear", {embedded, model.load(step, next)},
                              sequence));
  fb::GenerationT &generation = step.generation();
  generation.token_input = "ids";
  generation.token_output = "token";
  generation.logits_output = "logits";
  generation.start = kStart;
  generation.stop = kEnd;
  generation.max_steps = 20;
  generation.input_vocabulary = "symbols";
  generation.output_vocabulary = "symbols";
  model.add(std::move(step));
  model.asset("symbols", "a\n\\s\n\\n\nd\n<end>\n<start>\n");
  return model;
}

ModelBuilder random() {
  ModelBuilder model("random");
  FunctionBuilder function("main");
  Type sequence = f32({T, B, 1}), state = i32({B, 3});
  uint32_t x = function.input("x", sequence);
  uint32_t drawn = function.state("random", state);
  function.output("y", sequence,
                  function.graph.op1("rnn.add", {x, x}, sequence));
  function.stateOutput("random", state, drawn);
  model.add(std::move(function));
  return model;
}

ModelBuilder broken() {
  ModelBuilder model("broken");
  FunctionBuilder function("main");
  Type vector = f32({B, 1});
  uint32_t x = function.input("x", vector);
  function.output("y", vector, function.graph.op1("rnn.frob", {x}, vector));
  model.add(std::move(function));
  return model;
}

Status write(const std::string &path, ModelBuilder model) {
  RUNG_ASSIGN_OR_RETURN(std::vector<std::byte> bytes, model.file());
  return writeFile(path, std::span<const std::byte>(bytes));
}

Status writeAll(const std::string &folder) {
  RUNG_RETURN_IF_ERROR(write(folder + "/sum.rung", sum()));
  RUNG_RETURN_IF_ERROR(write(folder + "/pair.rung", pair()));
  RUNG_RETURN_IF_ERROR(write(folder + "/words.rung", words()));
  RUNG_RETURN_IF_ERROR(write(folder + "/chars.rung", chars()));
  RUNG_RETURN_IF_ERROR(write(folder + "/random.rung", random()));
  return write(folder + "/broken.rung", broken());
}

} // namespace

int main(int argc, char **argv) {
  Status status = argc == 2 ? writeAll(argv[1])
                            : Status(StatusCode::InvalidArgument,
                                     "usage: rung-test-bundles FOLDER");
  if (status.isOk())
    return 0;
  std::fprintf(stderr, "error: %s\n", status.message().c_str());
  return 1;
}
