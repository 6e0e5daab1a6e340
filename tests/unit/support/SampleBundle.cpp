//===- SampleBundle.cpp - a small bundle with a bit of everything ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/support/SampleBundle.h"

#include <numeric>

namespace rung::test {

namespace {
constexpr int32_t T = kDimT, B = kDimB;
constexpr int32_t kSymbols = 5, kHidden = 4;

/// Moves the arguments into a vector, which a braced list cannot.
template <typename T, typename... Rest>
std::vector<std::unique_ptr<T>> list(std::unique_ptr<T> first, Rest... rest) {
  std::vector<std::unique_ptr<T>> result;
  result.push_back(std::move(first));
  (result.push_back(std::move(rest)), ...);
  return result;
}

fb::Factor one(uint64_t multiplier) {
  return fb::Factor(1, multiplier, fb::Symbol::One);
}
fb::Factor factor(fb::Symbol symbol, uint64_t multiplier,
                  uint64_t divisor = 1) {
  return fb::Factor(divisor, multiplier, symbol);
}

std::unique_ptr<fb::WeightT> weight(BlobBuilder &blob, std::string name,
                                    std::vector<int32_t> dims) {
  size_t count =
      std::accumulate(dims.begin(), dims.end(), size_t(1), std::multiplies<>());
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.5f);
  auto result = std::make_unique<fb::WeightT>();
  result->name = std::move(name);
  result->type = tensorType(ScalarType::F32, std::move(dims));
  result->offset = blob.append(std::span<const float>(values));
  result->size = count * sizeof(float);
  return result;
}

std::unique_ptr<fb::NodeT> loadWeight(int64_t index, uint32_t result) {
  auto load = node("rnn.load_weight", {}, {result});
  load->attributes = list(attribute("weight", index));
  return load;
}

/// y, h = gru(embedding(ids), h): values 0 ids, 1 h, 2 table, 3 x, 4 w, 5 u,
/// 6 y, 7 h'.
std::unique_ptr<fb::GraphT> encoderGraph() {
  auto graph = std::make_unique<fb::GraphT>();
  graph->values = list(tensorType(ScalarType::I32, {T, B}),
                       tensorType(ScalarType::F32, {B, kHidden}),
                       tensorType(ScalarType::F32, {kSymbols, kHidden}),
                       tensorType(ScalarType::F32, {T, B, kHidden}),
                       tensorType(ScalarType::F32, {3 * kHidden, kHidden}),
                       tensorType(ScalarType::F32, {1, 3 * kHidden, kHidden}),
                       tensorType(ScalarType::F32, {T, B, kHidden}),
                       tensorType(ScalarType::F32, {B, kHidden}));
  graph->inputs = {0, 1};
  graph->outputs = {6, 7};
  auto gru = node("rnn.gru", {3, 4, 5, 1}, {6, 7});
  gru->attributes = list(
      attribute("operand_segments", std::vector<int64_t>{1, 1, 1, 0, 0, 1, 0}),
      attribute("reset", std::string("after")),
      attribute("update", std::string("keep")),
      attribute("direction", std::string("forward")));
  graph->nodes = list(loadWeight(0, 2), node("rnn.embedding", {0, 2}, {3}),
                      loadWeight(1, 4), loadWeight(2, 5), std::move(gru));
  return graph;
}

/// One step of h' = tanh(x + h), to have a body.
std::unique_ptr<fb::GraphT> stepBody() {
  auto body = std::make_unique<fb::GraphT>();
  for (int i = 0; i < 4; ++i)
    body->values.push_back(tensorType(ScalarType::F32, {kHidden}));
  body->inputs = {0, 1};
  body->outputs = {3, 3};
  body->nodes =
      list(node("arith.addf", {0, 1}, {2}), node("math.tanh", {2}, {3}));
  return body;
}

/// token, logits, h': values 0 ids, 1 h, 2 table, 3 x, 4 y, 5 h', 6 logits,
/// 7 token.
std::unique_ptr<fb::GraphT> stepGraph() {
  auto graph = std::make_unique<fb::GraphT>();
  graph->values = list(tensorType(ScalarType::I32, {T, B}),
                       tensorType(ScalarType::F32, {B, kHidden}),
                       tensorType(ScalarType::F32, {kSymbols, kHidden}),
                       tensorType(ScalarType::F32, {T, B, kHidden}),
                       tensorType(ScalarType::F32, {T, B, kHidden}),
                       tensorType(ScalarType::F32, {B, kHidden}),
                       tensorType(ScalarType::F32, {T, B, kSymbols}),
                       tensorType(ScalarType::I32, {T, B}));
  graph->inputs = {0, 1};
  graph->outputs = {7, 6, 5};
  auto recurrence = node("rnn.recurrence", {3, 1}, {4, 5});
  recurrence->attributes =
      list(attribute("operand_segments", std::vector<int64_t>{1, 0, 1, 0, 0}),
           attribute("direction", std::string("forward")),
           attribute("heads", int64_t(1)));
  recurrence->body = stepBody();
  recurrence->location = "sample.yaml:12:9";
  graph->nodes = list(loadWeight(0, 2), node("rnn.embedding", {0, 2}, {3}),
                      std::move(recurrence), node("rnn.linear", {4, 2}, {6}),
                      node("rnn.argmax", {6}, {7}));
  return graph;
}

std::unique_ptr<fb::FunctionT> encodeFunction() {
  auto function = std::make_unique<fb::FunctionT>();
  function->name = "encode";
  function->inputs = list(port("ids", ScalarType::I32, {T, B}),
                          port("h", ScalarType::F32, {B, kHidden}));
  function->outputs = list(port("states", ScalarType::F32, {T, B, kHidden}),
                           port("h", ScalarType::F32, {B, kHidden}));
  function->states = list(stateLink("h", 1, 1));
  function->graph = encoderGraph();
  function->source = encoderGraph();
  return function;
}

std::unique_ptr<fb::FunctionT> stepFunction() {
  auto function = std::make_unique<fb::FunctionT>();
  function->name = "step";
  function->inputs = list(port("ids", ScalarType::I32, {T, B}),
                          port("h", ScalarType::F32, {B, kHidden}));
  function->outputs = list(port("token", ScalarType::I32, {T, B}),
                           port("logits", ScalarType::F32, {T, B, kSymbols}),
                           port("h", ScalarType::F32, {B, kHidden}));
  function->states = list(stateLink("h", 1, 2));
  function->graph = stepGraph();
  auto generation = std::make_unique<fb::GenerationT>();
  generation->prompt_function = "encode";
  generation->prompt_input = "ids";
  generation->token_input = "ids";
  generation->token_output = "token";
  generation->logits_output = "logits";
  generation->start = 2;
  generation->stop = 3;
  generation->max_steps = 20;
  generation->input_vocabulary = "letters";
  generation->output_vocabulary = "letters";
  generation->append = {2};
  function->generation = std::move(generation);
  return function;
}

std::unique_ptr<fb::KernelT> kernel(std::string name, uint32_t localX,
                                    uint32_t bindings, uint32_t pushWords) {
  auto result = std::make_unique<fb::KernelT>();
  result->spirv = emptyShader("main", localX);
  result->name = std::move(name);
  result->entry = "main";
  result->local_x = localX;
  result->bindings = bindings;
  result->push_bytes = pushWords * 4;
  return result;
}

std::unique_ptr<fb::BufferT> buffer(fb::BufferRole role, uint32_t port,
                                    std::vector<fb::Factor> size,
                                    uint64_t packedOffset = 0) {
  auto result = std::make_unique<fb::BufferT>();
  result->role = role;
  result->port = port;
  result->size = extent(std::move(size));
  result->packed_offset = packedOffset;
  return result;
}

std::unique_ptr<fb::CommandT> dispatch(uint32_t kernel,
                                       std::vector<fb::Argument> arguments,
                                       std::vector<fb::Push> push) {
  auto result = std::make_unique<fb::CommandT>();
  result->kernel = kernel;
  result->arguments = std::move(arguments);
  result->push = std::move(push);
  result->groups = list(extent({factor(fb::Symbol::TB, 1, 64)}), extent({}),
                        extent({one(1)}));
  return result;
}

std::unique_ptr<fb::CommandT> repeat(std::unique_ptr<fb::CommandT> body) {
  auto result = std::make_unique<fb::CommandT>();
  result->repeat = std::make_unique<fb::RepeatT>();
  result->repeat->body = list(std::move(body));
  return result;
}

/// Inputs 0 and 1, packed 2, scratch 3, then the outputs.
std::unique_ptr<fb::ScheduleT> schedule(const fb::FunctionT &function,
                                        uint64_t packedOffset) {
  using Symbol = fb::Symbol;
  using Role = fb::BufferRole;
  auto result = std::make_unique<fb::ScheduleT>();
  result->buffers =
      list(buffer(Role::Input, 0, {factor(Symbol::TB, 4)}),
           buffer(Role::Input, 1, {factor(Symbol::B, 4 * kHidden)}),
           buffer(Role::Packed, 0, {one(4 * kSymbols * kHidden)}, packedOffset),
           buffer(Role::Scratch, 0,
                  {factor(Symbol::T, 16), factor(Symbol::B, 64, 16)}));
  for (uint32_t i = 0; i < function.outputs.size(); ++i) {
    std::vector<fb::Factor> size = {one(4)};
    for (int32_t dim : function.outputs[i]->type->dims)
      size.push_back(dim == kDimT   ? factor(Symbol::T, 1)
                     : dim == kDimB ? factor(Symbol::B, 1)
                                    : one(static_cast<uint64_t>(dim)));
    result->buffers.push_back(buffer(Role::Output, i, std::move(size)));
  }
  result->commands =
      list(dispatch(0,
                    {fb::Argument(0, fb::Access::Read),
                     fb::Argument(2, fb::Access::Read),
                     fb::Argument(3, fb::Access::Write)},
                    {fb::Push(0, fb::PushKind::TB)}),
           repeat(dispatch(1,
                           {fb::Argument(3, fb::Access::ReadWrite),
                            fb::Argument(4, fb::Access::Write)},
                           {fb::Push(0, fb::PushKind::Step),
                            fb::Push(7, fb::PushKind::Constant)})));
  return result;
}

std::unique_ptr<fb::VariantT>
variant(std::string profile, const fb::BundleT &bundle, uint64_t packedOffset) {
  auto result = std::make_unique<fb::VariantT>();
  result->profile = std::move(profile);
  result->requirements = std::make_unique<fb::RequirementsT>();
  result->requirements->api_version = makeApiVersion(1, 3);
  result->requirements->workgroup_invocations = 64;
  result->kernels = list(kernel("embed", 64, 3, 1), kernel("cell", 32, 2, 2));
  for (const auto &function : bundle.functions)
    result->schedules.push_back(schedule(*function, packedOffset));
  return result;
}
} // namespace

std::unique_ptr<fb::TensorTypeT> tensorType(ScalarType element,
                                            std::vector<int32_t> dims) {
  auto result = std::make_unique<fb::TensorTypeT>();
  result->element = toBundle(element);
  result->dims = std::move(dims);
  return result;
}

std::unique_ptr<fb::PortT> port(std::string name, ScalarType element,
                                std::vector<int32_t> dims) {
  auto result = std::make_unique<fb::PortT>();
  result->name = std::move(name);
  result->type = tensorType(element, std::move(dims));
  return result;
}

std::unique_ptr<fb::StateLinkT> stateLink(std::string name, uint32_t input,
                                          uint32_t output) {
  auto result = std::make_unique<fb::StateLinkT>();
  result->name = std::move(name);
  result->input = input;
  result->output = output;
  return result;
}

std::unique_ptr<fb::AttributeT> attribute(std::string name, int64_t value) {
  auto result = std::make_unique<fb::AttributeT>();
  result->name = std::move(name);
  result->kind = fb::AttributeKind::Int;
  result->i = value;
  return result;
}

std::unique_ptr<fb::AttributeT> attribute(std::string name, std::string value) {
  auto result = std::make_unique<fb::AttributeT>();
  result->name = std::move(name);
  result->kind = fb::AttributeKind::String;
  result->s = std::move(value);
  return result;
}

std::unique_ptr<fb::AttributeT> attribute(std::string name,
                                          std::vector<int64_t> value) {
  auto result = std::make_unique<fb::AttributeT>();
  result->name = std::move(name);
  result->kind = fb::AttributeKind::Ints;
  result->ints = std::move(value);
  return result;
}

std::unique_ptr<fb::NodeT> node(std::string op, std::vector<uint32_t> operands,
                                std::vector<uint32_t> results) {
  auto result = std::make_unique<fb::NodeT>();
  result->op = std::move(op);
  result->operands = std::move(operands);
  result->results = std::move(results);
  return result;
}

std::unique_ptr<fb::ExtentT> extent(std::vector<fb::Factor> factors) {
  auto result = std::make_unique<fb::ExtentT>();
  result->factors = std::move(factors);
  return result;
}

std::vector<uint32_t> emptyShader(std::string_view entry, uint32_t localX) {
  std::vector<uint32_t> name(entry.size() / 4 + 1);
  for (size_t i = 0; i < entry.size(); ++i)
    name[i / 4] |= uint32_t(uint8_t(entry[i])) << (i % 4 * 8);
  // Ids: 1 void, 2 void(), 3 the function, 4 its block.
  std::vector<uint32_t> words = {0x07230203,
                                 0x00010300,
                                 0,
                                 5,
                                 0, // Magic, 1.3, generator, bound, schema.
                                 2u << 16 | 17,
                                 1, // OpCapability Shader
                                 3u << 16 | 14,
                                 0,
                                 1, // OpMemoryModel Logical GLSL450
                                 uint32_t(3 + name.size()) << 16 | 15,
                                 5,
                                 3}; // OpEntryPoint GLCompute %3
  words.insert(words.end(), name.begin(), name.end());
  std::vector<uint32_t> rest = {
      6u << 16 | 16,  3, 17, localX, 1, 1, // OpExecutionMode %3 LocalSize
      2u << 16 | 19,  1,                   // %1 = OpTypeVoid
      3u << 16 | 33,  2, 1,                // %2 = OpTypeFunction %1
      5u << 16 | 54,  1, 3,  0,      2,    // %3 = OpFunction %1 None %2
      2u << 16 | 248, 4,                   // %4 = OpLabel
      1u << 16 | 253,                      // OpReturn
      1u << 16 | 56};                      // OpFunctionEnd
  words.insert(words.end(), rest.begin(), rest.end());
  return words;
}

SampleBundle::SampleBundle() {
  bundle.name = "sample";
  auto addWeight = [&](std::string name, std::vector<int32_t> dims) {
    bundle.weights.push_back(weight(blob, std::move(name), std::move(dims)));
  };
  addWeight("table", {kSymbols, kHidden});
  addWeight("w", {3 * kHidden, kHidden});
  addWeight("u", {1, 3 * kHidden, kHidden});
  bundle.functions = list(encodeFunction(), stepFunction());
  bundle.variants = list(variant("generic", bundle, bundle.weights[0]->offset),
                         variant("matrix", bundle, bundle.weights[0]->offset));
  auto &requirements = *bundle.variants[1]->requirements;
  requirements.features = {fb::Feature::Float16, fb::Feature::CooperativeMatrix,
                           fb::Feature::SubgroupSizeControl};
  requirements.subgroup_size = 32;
  requirements.shared_memory_bytes = 4096;
  requirements.cooperative = {
      fb::CoopShape(8, 8, 8, fb::ScalarType::F16, fb::ScalarType::F16,
                    fb::ScalarType::F32, fb::ScalarType::F32)};
  bundle.variants[1]->kernels[0]->required_subgroup_size = 32;
  auto letters = std::make_unique<fb::AssetT>();
  letters->name = "letters";
  for (char c : std::string_view("a\nb\n<s>\n</s>\nä\n"))
    letters->bytes.push_back(static_cast<uint8_t>(c));
  bundle.assets = list(std::move(letters));
  bundle.provenance = std::make_unique<fb::ProvenanceT>();
  bundle.provenance->tool_version = "0.1.0";
  bundle.provenance->pipeline = "rnn-expand-cells";
  auto stage = std::make_unique<fb::StageT>();
  stage->name = "rnn";
  stage->text = "module {}\n";
  bundle.stages = list(std::move(stage));
}

std::vector<std::byte> packMetadata(const fb::BundleT &bundle) {
  flatbuffers::FlatBufferBuilder builder;
  fb::FinishBundleBuffer(builder, fb::Bundle::Pack(builder, &bundle));
  auto bytes =
      std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> SampleBundle::file() const {
  auto bytes = serializeBundle(bundle, blob.bytes());
  return bytes.isOk() ? std::move(bytes).value() : std::vector<std::byte>();
}

std::vector<std::byte> SampleBundle::unverifiedFile() const {
  return joinBundle({packMetadata(bundle), blob.bytes()});
}

} // namespace rung::test
