//===- Archive.cpp - tensors of one or several safetensors files ----------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/safetensors/Archive.h"
#include "frontends/ReadFile.h"
#include "frontends/Suggest.h"
#include "frontends/safetensors/StrictJson.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <format>
#include <map>

using nlohmann::json;

namespace rung::safetensors {

Archive::Archive(std::string path) : path_(std::move(path)) {}
Archive::Archive(Archive &&) = default;
Archive &Archive::operator=(Archive &&) = default;
Archive::~Archive() = default;

std::optional<Archive> Archive::open(const std::string &path,
                                     DiagnosticsSink &sink) {
  Archive archive(path);
  bool good = llvm::StringRef(path).ends_with(".json")
                  ? archive.openIndex(sink)
                  : archive.openFile(path, sink, archive.tensors_);
  if (!good)
    return std::nullopt;
  archive.sortByName();
  return archive;
}

bool Archive::openFile(const std::string &path, DiagnosticsSink &sink,
                       std::vector<Tensor> &tensors) {
  FileDiagnostics report(sink, path);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = readFile(path, error);
  if (!file)
    return report.error({}, "file can't be read: " + error);
  auto table = readHeader(
      std::string_view(file->getBufferStart(), file->getBufferSize()), report);
  if (!table)
    return false;
  tensors = std::move(*table);
  files_.push_back(std::move(file));
  return true;
}

/// The files of an index, each with the names it must hold.
static bool
readWeightMap(const json &index, const FileDiagnostics &report,
              std::map<std::string, std::vector<std::string>> &map) {
  if (!index.is_object() || !index.contains("weight_map") ||
      !index["weight_map"].is_object())
    return report.error({}, "index has no 'weight_map' object");
  for (const auto &[name, file] : index["weight_map"].items()) {
    if (!file.is_string())
      return report.error(
          {}, std::format("index gives no file name for tensor '{}'", name));
    // Shards lie beside their index; anything else could name any file.
    std::string shard = file.get<std::string>();
    if (shard.find_first_of("/\\") != std::string::npos || shard == ".." ||
        !llvm::StringRef(shard).ends_with(".safetensors"))
      return report.error({}, std::format("file '{}' of tensor '{}' is not a "
                                          ".safetensors file beside the index",
                                          shard, name));
    map[shard].push_back(name);
  }
  return true;
}

bool Archive::openIndex(DiagnosticsSink &sink) {
  FileDiagnostics report(sink, path_);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file =
      readFile(path_, error, kMaxHeaderBytes);
  if (!file)
    return report.error({}, "file can't be read: " + error);
  std::optional<json> index = parseStrictJson(
      std::string_view(file->getBufferStart(), file->getBufferSize()), error);
  if (!index)
    return report.error({}, "index: " + error);
  std::map<std::string, std::vector<std::string>> shards;
  if (!readWeightMap(*index, report, shards))
    return false;

  for (const auto &[shard, names] : shards) {
    llvm::SmallString<256> shardPath = llvm::sys::path::parent_path(path_);
    llvm::sys::path::append(shardPath, shard);
    std::vector<Tensor> tensors;
    if (!openFile(shardPath.str().str(), sink, tensors))
      return false;
    for (const std::string &name : names) {
      auto tensor =
          std::find_if(tensors.begin(), tensors.end(),
                       [&](const Tensor &t) { return t.name == name; });
      if (tensor == tensors.end())
        return report.error(
            {}, std::format("tensor '{}' is not in file '{}'", name, shard));
      tensors_.push_back(std::move(*tensor));
      tensors.erase(tensor);
    }
  }
  return true;
}

void Archive::sortByName() {
  std::sort(tensors_.begin(), tensors_.end(),
            [](const Tensor &a, const Tensor &b) { return a.name < b.name; });
}

const Tensor *Archive::find(std::string_view name) const {
  auto position = std::lower_bound(
      tensors_.begin(), tensors_.end(), name,
      [](const Tensor &a, std::string_view b) { return a.name < b; });
  if (position == tensors_.end() || position->name != name)
    return nullptr;
  return &*position;
}

std::vector<std::string_view> Archive::names() const {
  std::vector<std::string_view> result;
  for (const Tensor &tensor : tensors_)
    result.push_back(tensor.name);
  return result;
}

} // namespace rung::safetensors
