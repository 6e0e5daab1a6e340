//===- MutationTest.cpp - damaged bundles give clean errors ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/Reader.h"
#include "tests/unit/support/Mutate.h"
#include "tests/unit/support/SampleBundle.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace rung;
using test::Mutator;
using test::SampleBundle;

namespace {
/// What became of a series of damaged files.
struct Outcome {
  unsigned errors = 0, accepted = 0;
  std::set<std::string> messages; ///< First lines, numbers left out.

  void count(std::span<const std::byte> file) {
    auto reader = BundleReader::fromBytes(file);
    if (reader.isOk())
      return exercise(*reader);
    ++errors;
    std::string message = reader.status().message();
    EXPECT_FALSE(message.empty());
    message.resize(std::min(message.find('\n'), message.size()));
    std::erase_if(message, [](unsigned char c) { return std::isdigit(c); });
    messages.insert(message);
  }

private:
  /// A file that passed, such as one with another letter in a name, must be
  /// sound through and through: everything in it is read and written again.
  void exercise(const BundleReader &reader) {
    ++accepted;
    fb::BundleT copy;
    reader.root().UnPackTo(&copy);
    auto again = serializeBundle(copy, reader.weights());
    EXPECT_TRUE(again.isOk()) << again.status().message();
    size_t bytes = 0;
    for (uint32_t i = 0; i < copy.weights.size(); ++i)
      for (std::byte b : reader.weightBytes(i))
        bytes += std::to_integer<size_t>(b);
    for (const fb::Variant *variant : *reader.root().variants())
      for (const fb::Schedule *schedule : *variant->schedules())
        for (const fb::Buffer *buffer : *schedule->buffers())
          bytes += evaluate(*buffer->size(), 7, 3).isOk();
    EXPECT_GT(bytes, 0u);
  }
};

/// The file with \p damage done to its metadata and the checksums right again.
template <typename Damage>
std::vector<std::byte> resealed(std::span<const std::byte> file,
                                Damage damage) {
  BundleParts parts = *splitBundle(file);
  return joinBundle({damage(parts.metadata), parts.blob});
}
} // namespace

TEST(Mutation, AnyDamageToTheFileIsSeen) {
  std::vector<std::byte> file = SampleBundle().file();
  Mutator mutator(/*seed=*/10);
  Outcome outcome;
  for (int i = 0; i < 500; ++i)
    outcome.count(mutator.bitFlip(file));
  for (int i = 0; i < 500; ++i)
    outcome.count(mutator.truncation(file));
  EXPECT_EQ(outcome.errors, 1000u);
  unsigned changed = 0;
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::byte> copy = mutator.bytes(file);
    if (copy == file)
      continue;
    ++changed;
    outcome.count(copy);
  }
  EXPECT_EQ(outcome.errors, 1000u + changed);
}

TEST(Mutation, DamagedMetadataWithRightChecksums) {
  std::vector<std::byte> file = SampleBundle().file();
  Mutator mutator(/*seed=*/11);
  Outcome outcome;
  for (int i = 0; i < 6000; ++i)
    outcome.count(resealed(file, [&](auto metadata) {
      return i % 4 == 0 ? mutator.bytes(metadata)
                        : mutator.sameLength(metadata);
    }));
  EXPECT_EQ(outcome.errors + outcome.accepted, 6000u);
  EXPECT_GT(outcome.errors, 3000u);
  // The damage goes deep: not one check of the frame alone finds it.
  EXPECT_GT(outcome.messages.size(), 40u);
}

TEST(Mutation, DamagedWeightsTableWithRightChecksums) {
  SampleBundle sample;
  Mutator mutator(/*seed=*/12);
  Outcome outcome;
  for (int i = 0; i < 200; ++i) {
    auto blob = mutator.truncation(sample.blob.bytes());
    outcome.count(joinBundle({test::packMetadata(sample.bundle), blob}));
  }
  EXPECT_EQ(outcome.errors, 200u);
}

namespace {
/// Sets one field of the bundle, drawn at random, to a value drawn at random.
class FieldDamage {
public:
  explicit FieldDamage(uint64_t seed) : mutator_(seed) {}

  void apply(fb::BundleT &bundle) {
    switch (mutator_.below(10)) {
    case 0:
      return type(*pick(pick(bundle.functions)->inputs)->type);
    case 1:
      return type(*pick(pick(bundle.functions)->graph->values));
    case 2:
      return state(*pick(pick(bundle.functions)->states));
    case 3:
    case 4:
      return node(*pick(pick(bundle.functions)->graph->nodes));
    case 5:
      return weight(*pick(bundle.weights));
    case 6:
      return kernel(*pick(pick(bundle.variants)->kernels));
    case 7:
      return buffer(*pick(pick(pick(bundle.variants)->schedules)->buffers));
    case 8:
      return command(*pick(pick(pick(bundle.variants)->schedules)->commands));
    default:
      return number(pick(bundle.variants[1]->requirements->features));
    }
  }

private:
  template <typename T> T &pick(std::vector<T> &values) {
    return values[mutator_.below(values.size())];
  }
  uint32_t value() {
    constexpr uint32_t kValues[] = {
        0, 1, 2, 3, 4, 5, 64, 255, 0x7fff, 0x7fffffff, 0x80000000, ~0u};
    return kValues[mutator_.below(std::size(kValues))];
  }
  template <typename T> void number(T &field) {
    field = static_cast<T>(value());
  }
  void type(fb::TensorTypeT &type) {
    if (mutator_.below(3) == 0)
      number(type.element);
    else
      number(pick(type.dims));
  }
  void state(fb::StateLinkT &state) {
    number(mutator_.below(2) ? state.input : state.output);
  }
  void node(fb::NodeT &node) {
    switch (mutator_.below(4)) {
    case 0:
      if (!node.operands.empty())
        number(pick(node.operands));
      return;
    case 1:
      return number(pick(node.results));
    case 2:
      if (node.body)
        return this->node(*pick(node.body->nodes));
      node.op = "rnn.load_weight";
      return;
    default:
      if (node.attributes.empty())
        return;
      auto &attribute = *pick(node.attributes);
      if (!attribute.ints.empty())
        return number(pick(attribute.ints));
      number(attribute.i);
    }
  }
  void weight(fb::WeightT &weight) {
    if (mutator_.below(3) == 0)
      return type(*weight.type);
    number(mutator_.below(2) ? weight.offset : weight.size);
  }
  void kernel(fb::KernelT &kernel) {
    uint32_t *fields[] = {&kernel.local_x, &kernel.local_z, &kernel.bindings,
                          &kernel.push_bytes, &kernel.required_subgroup_size};
    size_t index = mutator_.below(std::size(fields) + 3);
    number(index < std::size(fields) ? *fields[index] : pick(kernel.spirv));
  }
  void buffer(fb::BufferT &buffer) {
    switch (mutator_.below(4)) {
    case 0:
      return number(buffer.role);
    case 1:
      return number(buffer.port);
    case 2:
      return number(buffer.packed_offset);
    default:
      pick(buffer.size->factors) = fb::Factor(value(), uint64_t(value()) << 32,
                                              static_cast<fb::Symbol>(value()));
    }
  }
  void command(fb::CommandT &command) {
    if (command.repeat && mutator_.below(4))
      return this->command(*pick(command.repeat->body));
    switch (mutator_.below(4)) {
    case 0:
      return number(command.kernel);
    case 1:
      if (!command.arguments.empty())
        pick(command.arguments) =
            fb::Argument(value(), static_cast<fb::Access>(value()));
      return;
    case 2:
      if (!command.push.empty())
        pick(command.push) =
            fb::Push(value(), static_cast<fb::PushKind>(value()));
      return;
    default:
      if (!command.groups.empty())
        command.groups.resize(value() % 5);
      for (auto &extent : command.groups)
        if (!extent)
          extent = std::make_unique<fb::ExtentT>();
    }
  }

  Mutator mutator_;
};
} // namespace

TEST(Mutation, DamagedFieldsWithRightChecksums) {
  Outcome outcome;
  FieldDamage damage(/*seed=*/13);
  for (int i = 0; i < 4000; ++i) {
    SampleBundle sample;
    for (int faults = 0; faults < 1 + i % 3; ++faults)
      damage.apply(sample.bundle);
    outcome.count(sample.unverifiedFile());
  }
  EXPECT_EQ(outcome.errors + outcome.accepted, 4000u);
  EXPECT_GT(outcome.errors, 3000u);
  EXPECT_GT(outcome.messages.size(), 40u);
}

namespace {
template <typename Table>
auto noTables(flatbuffers::FlatBufferBuilder &builder) {
  return builder.CreateVector(std::vector<flatbuffers::Offset<Table>>());
}

/// A bundle of 5,000 kernels that share a long SPIR-V module.
std::vector<std::byte> busyBundle() {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<uint32_t> words = test::emptyShader("main", 1);
  words.resize(words.size() + 50000, 1u << 16); // OpNop.
  auto spirv = builder.CreateVector(words);
  auto entry = builder.CreateString("main");
  std::vector<flatbuffers::Offset<fb::Kernel>> kernels;
  for (int i = 0; i < 5000; ++i) {
    auto name = builder.CreateString("k" + std::to_string(i));
    kernels.push_back(
        fb::CreateKernel(builder, name, entry, spirv, 1, 1, 1, 1, 0, 0));
  }
  auto requirements = fb::CreateRequirements(
      builder, makeApiVersion(1, 3),
      builder.CreateVector(std::vector<fb::Feature>()), 0, 0, 64,
      builder.CreateVectorOfStructs(std::vector<fb::CoopShape>()));
  auto profile = builder.CreateString("generic");
  auto kernelList = builder.CreateVector(kernels);
  auto schedules = noTables<fb::Schedule>(builder);
  std::vector<flatbuffers::Offset<fb::Variant>> variants = {
      fb::CreateVariant(builder, profile, requirements, kernelList, schedules)};
  auto text = builder.CreateString("busy");
  auto provenance = fb::CreateProvenance(builder, text, text, text, text);
  auto variantList = builder.CreateVector(variants);
  auto functions = noTables<fb::Function>(builder);
  auto weights = noTables<fb::Weight>(builder);
  auto assets = noTables<fb::Asset>(builder);
  auto stages = noTables<fb::Stage>(builder);
  fb::FinishBundleBuffer(builder, fb::CreateBundle(builder, text, functions,
                                                   weights, variantList, assets,
                                                   provenance, stages));
  auto metadata =
      std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
  return joinBundle({metadata, {}});
}
} // namespace

// Many tables may share one vector: the file is small, reading it is not.
TEST(Mutation, SharedVectorsDoNotKeepTheReaderBusy) {
  auto reader = BundleReader::fromBytes(busyBundle());
  std::string message = reader.status().message();
  EXPECT_EQ(message.substr(0, message.find('\n')),
            "the metadata use the same bytes more than once");
}
