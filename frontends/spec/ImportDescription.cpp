//===- ImportDescription.cpp - YAML descriptions to modules ---------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/spec/ImportDescription.h"
#include "frontends/ReadFile.h"
#include "frontends/spec/BuildModule.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <format>

using namespace mlir;

namespace rung::spec {

constexpr uint64_t kMaxDescriptionBytes = 1 << 20;

static std::string folderOf(const std::string &path) {
  return llvm::sys::path::parent_path(path).str();
}

/// `name` as seen from the file `from`.
static std::string relativeTo(const std::string &from,
                              const std::string &name) {
  if (llvm::sys::path::is_absolute(name))
    return name;
  llvm::SmallString<256> path(folderOf(from));
  llvm::sys::path::append(path, name);
  return path.str().str();
}

/// Opens the weights of a description; false after a report. A model may have
/// none at all.
static bool openWeights(const Description &description,
                        const std::string &given, const FileDiagnostics &report,
                        std::optional<safetensors::Archive> &archive) {
  std::string path = given;
  if (path.empty() && description.weights)
    path = relativeTo(report.file(), description.weights->value);
  if (path.empty())
    return true;
  archive = safetensors::Archive::open(path, report.sink());
  if (archive)
    return true;
  if (given.empty())
    report.note(description.weights->location, "the weights are named here");
  return false;
}

static bool readVocabularies(const Description &description,
                             const std::vector<std::string> &folders,
                             ModelExtras &extras,
                             std::map<std::string, int64_t> &sizes,
                             const FileDiagnostics &report) {
  bool good = true;
  for (const Vocabulary &vocabulary : description.vocabularies) {
    std::string path;
    auto asset = readVocabulary(vocabulary, folders,
                                sizes[vocabulary.name.value], path, report);
    if (!asset) {
      good = false;
      continue;
    }
    extras.assets.push_back(std::move(*asset));
    extras.sources.push_back(path);
  }
  return good;
}

FailureOr<ImportedModel> importDescription(MLIRContext &context,
                                           const std::string &path,
                                           const std::string &weights,
                                           DiagnosticsSink &sink) {
  FileDiagnostics report(sink, path);
  std::string error;
  auto file = readFile(path, error, kMaxDescriptionBytes);
  if (!file) {
    report.error({}, "file can't be read: " + error);
    return failure();
  }
  auto description = parseDescription(
      std::string_view(file->getBufferStart(), file->getBufferSize()), report);
  if (!description)
    return failure();

  std::optional<safetensors::Archive> archive;
  if (!openWeights(*description, weights, report, archive))
    return failure();
  ImportedModel model;
  model.extras.sources.push_back(path);
  std::vector<std::string> folders{folderOf(path)};
  if (archive) {
    model.extras.sources.push_back(archive->path());
    folders.push_back(folderOf(archive->path()));
  }
  std::map<std::string, int64_t> sizes;
  if (!readVocabularies(*description, folders, model.extras, sizes, report))
    return failure();

  model.module = ModuleOp::create(FileLineColLoc::get(&context, path, 1, 1));
  std::map<std::string, FunctionPorts> ports;
  if (!buildModule(*description, archive ? &*archive : nullptr, *model.module,
                   ports, report))
    return failure();
  if (description->generate) {
    model.extras.generation =
        checkGeneration(*description->generate, ports, sizes, report);
    if (!model.extras.generation)
      return failure();
  }
  return model;
}

} // namespace rung::spec
