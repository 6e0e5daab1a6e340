//===- Archive.h - tensors of one or several safetensors files --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SAFETENSORS_ARCHIVE_H
#define RUNG_FRONTENDS_SAFETENSORS_ARCHIVE_H

#include "frontends/safetensors/Header.h"

#include <memory>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace rung::safetensors {

/// The tensors of a `.safetensors` file, or of the files that a sharded set's
/// `.index.json` names. The files stay mapped as long as the archive lives.
class Archive {
public:
  /// Opens `path`; the ending `.json` tells an index. Problems go to `sink`,
  /// under the name of the file they are in.
  static std::optional<Archive> open(const std::string &path,
                                     DiagnosticsSink &sink);

  Archive(Archive &&);
  Archive &operator=(Archive &&);
  ~Archive();

  const std::string &path() const { return path_; }

  /// Null when there is no such tensor.
  const Tensor *find(std::string_view name) const;

  /// All names, sorted.
  std::vector<std::string_view> names() const;

private:
  explicit Archive(std::string path);
  bool openFile(const std::string &path, DiagnosticsSink &sink,
                std::vector<Tensor> &tensors);
  bool openIndex(DiagnosticsSink &sink);
  void sortByName();

  std::string path_;
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files_;
  std::vector<Tensor> tensors_;
};

} // namespace rung::safetensors

#endif // RUNG_FRONTENDS_SAFETENSORS_ARCHIVE_H
