//===- BundleEmitter.cpp - the bundle of a model --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/bundle/BundleEmitter.h"

#include "compiler/Pipelines.h"
#include "compiler/Version.h"
#include "compiler/bundle/WeightEntries.h"
#include "compiler/graph/GraphExport.h"
#include "runtime/base/File.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;

namespace rung {

namespace {

/// SHA-256 over all files that the model was read from, in their order.
std::string digestOf(const std::vector<std::string> &sources) {
  llvm::SHA256 hash;
  for (const std::string &path : sources) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file.isOk())
      continue;
    auto bytes = file.value().bytes();
    hash.update(ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()),
                         bytes.size()));
  }
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

fb::GenerationT toTable(const Generation &from) {
  fb::GenerationT to;
  to.prompt_function = from.promptFunction;
  to.prompt_input = from.promptInput;
  to.token_input = from.tokenInput;
  to.token_output = from.tokenOutput;
  to.logits_output = from.logitsOutput;
  to.start = from.start;
  to.stop = from.stop;
  to.max_steps = from.maxSteps;
  to.input_vocabulary = from.inputVocabulary;
  to.output_vocabulary = from.outputVocabulary;
  to.append = from.append;
  return to;
}

} // namespace

FailureOr<BundleEmitter> BundleEmitter::create(ModuleOp source, ModuleOp graph,
                                               const ModelExtras &extras,
                                               const CompileOptions &options) {
  BundleEmitter emitter;
  auto name = source->getAttrOfType<StringAttr>("rung.name");
  emitter.bundle_->name = name ? name.str() : "model";
  FailureOr<WeightData> weights = WeightData::read(graph);
  if (failed(weights))
    return failure();
  emitter.weights_ = std::move(*weights);
  if (failed(emitter.addFunctions(source, graph)) ||
      failed(emitter.addExtras(graph, extras)))
    return failure();
  auto provenance = std::make_unique<fb::ProvenanceT>();
  provenance->tool_version = kVersion;
  provenance->pipeline = describePipelines(options.precision);
  if (!options.transform.empty())
    provenance->options = "transform=" + options.transform + " ";
  provenance->options += "precision=" + options.precision + " targets=";
  for (const Target &target : options.targets)
    provenance->options +=
        (&target == &options.targets.front() ? "" : ",") + target.profile.name;
  std::vector<std::string> sources = extras.sources;
  if (sources.empty())
    sources.push_back(options.model);
  provenance->source_digest = digestOf(sources);
  emitter.bundle_->provenance = std::move(provenance);
  return emitter;
}

LogicalResult BundleEmitter::addFunctions(ModuleOp source, ModuleOp graph) {
  WeightEntries weights(*bundle_, *pool_);
  FailureOr<WeightIndices> ofSource = weights.add(source);
  FailureOr<WeightIndices> ofGraph = weights.add(graph);
  if (failed(ofSource) || failed(ofGraph) ||
      failed(weights.addOwn(graph, *ofGraph, *ofSource)))
    return failure();
  for (auto function : graph.getOps<func::FuncOp>()) {
    FailureOr<fb::FunctionT> exported = exportFunction(function, *ofGraph);
    if (failed(exported))
      return failure();
    if (auto model = source.lookupSymbol<func::FuncOp>(function.getSymName())) {
      FailureOr<fb::GraphT> said = exportGraph(model, *ofSource);
      if (failed(said))
        return failure();
      exported->source = std::make_unique<fb::GraphT>(std::move(*said));
    }
    functions_.push_back(exported->name);
    bundle_->functions.push_back(
        std::make_unique<fb::FunctionT>(std::move(*exported)));
  }
  if (functions_.empty())
    return graph.emitError("module has no functions");
  return success();
}

LogicalResult BundleEmitter::addExtras(ModuleOp graph,
                                       const ModelExtras &extras) {
  for (const Asset &asset : extras.assets) {
    auto entry = std::make_unique<fb::AssetT>();
    entry->name = asset.name;
    entry->bytes.assign(asset.bytes.begin(), asset.bytes.end());
    bundle_->assets.push_back(std::move(entry));
  }
  if (!extras.generation)
    return success();
  for (auto &function : bundle_->functions)
    if (function->name == extras.generation->function) {
      function->generation =
          std::make_unique<fb::GenerationT>(toTable(*extras.generation));
      return success();
    }
  return graph.emitError("function '")
         << extras.generation->function
         << "', which generates, is not in the module";
}

LogicalResult BundleEmitter::addVariant(ModuleOp module,
                                        const Profile &target) {
  FailureOr<fb::VariantT> variant =
      emitVariant(module, target, functions_, weights_, *pool_);
  if (failed(variant))
    return failure();
  bundle_->variants.push_back(
      std::make_unique<fb::VariantT>(std::move(*variant)));
  return success();
}

Result<std::vector<std::byte>> BundleEmitter::finish(
    const std::vector<std::pair<std::string, std::string>> &stages) {
  for (const auto &[name, text] : stages) {
    auto stage = std::make_unique<fb::StageT>();
    stage->name = name;
    stage->text = text;
    bundle_->stages.push_back(std::move(stage));
  }
  return serializeBundle(*bundle_, blob_->bytes());
}

} // namespace rung
