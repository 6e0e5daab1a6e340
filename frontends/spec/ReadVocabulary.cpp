//===- ReadVocabulary.cpp - vocabulary files ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "frontends/ReadFile.h"
#include "frontends/spec/BuildModule.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <format>

namespace rung::spec {

constexpr uint64_t kMaxVocabularyBytes = 16 << 20;

static std::string locateFile(const std::string &name,
                              const std::vector<std::string> &folders) {
  std::string first;
  for (const std::string &folder : folders) {
    llvm::SmallString<256> path(folder);
    if (llvm::sys::path::is_absolute(name))
      path = name;
    else
      llvm::sys::path::append(path, name);
    if (llvm::sys::fs::exists(path))
      return path.str().str();
    if (first.empty())
      first = path.str().str();
  }
  return first;
}

/// Splits at line ends, of either kind; what follows the last is a line too,
/// unless it is empty.
static std::vector<std::string_view> splitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r')
      line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

std::optional<Asset> readVocabulary(const Vocabulary &vocabulary,
                                    const std::vector<std::string> &folders,
                                    int64_t &size, std::string &path,
                                    const FileDiagnostics &report) {
  path = locateFile(vocabulary.path.value, folders);
  std::string error;
  auto file = readFile(path, error, kMaxVocabularyBytes);
  if (!file) {
    report.error(vocabulary.path.location,
                 std::format("vocabulary '{}': file '{}' can't be read: {}",
                             vocabulary.name.value, path, error));
    return std::nullopt;
  }
  std::string_view text(file->getBufferStart(), file->getBufferSize());
  FileDiagnostics own(report.sink(), path);
  Asset asset{vocabulary.name.value, {}};
  std::map<std::string_view, unsigned> seen;
  unsigned number = 0;
  for (std::string_view line : splitLines(text)) {
    ++number;
    if (size_t offset = firstInvalidUtf8(line); offset != line.size()) {
      own.error({number, static_cast<unsigned>(offset) + 1},
                std::format("byte 0x{:02x} is not valid UTF-8",
                            static_cast<unsigned char>(line[offset])));
      return std::nullopt;
    }
    if (line.empty() || line.find('\0') != std::string_view::npos) {
      own.error({number, 1}, line.empty() ? "symbol is empty"
                                          : "symbol has a NUL character");
      return std::nullopt;
    }
    auto [first, fresh] = seen.try_emplace(line, number);
    if (!fresh) {
      own.error({number, 1},
                std::format("symbol '{}' is given twice; the first is at line "
                            "{}",
                            line, first->second));
      return std::nullopt;
    }
    asset.bytes += std::string(line) + '\n';
  }
  if (!number) {
    own.error({}, "vocabulary has no symbols");
    return std::nullopt;
  }
  size = number;
  return asset;
}

} // namespace rung::spec
