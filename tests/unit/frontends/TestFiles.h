//===- TestFiles.h - model files made by tests ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_TESTS_UNIT_FRONTENDS_TESTFILES_H
#define RUNG_TESTS_UNIT_FRONTENDS_TESTFILES_H

#include "frontends/Frontend.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rung::test {

/// A folder that is removed with everything in it.
class Folder {
public:
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  std::string path(const std::string &name) const { return path_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string write(const std::string &name, std::string_view bytes) const;

private:
  std::string path_;
};

/// The bytes of a safetensors file with `header` and `data`.
std::string safetensorsBytes(std::string_view header, std::string_view data);

/// Makes safetensors files of float tensors.
class SafetensorsWriter {
public:
  void add(const std::string &name, const std::vector<int64_t> &shape,
           const std::vector<float> &values);
  /// Elements start, start + 1, ….
  void addRange(const std::string &name, const std::vector<int64_t> &shape,
                float start = 0);
  void addRaw(const std::string &name, const std::string &dtype,
              const std::vector<int64_t> &shape, std::string_view data);
  std::string bytes() const;

private:
  std::string header_;
  std::string data_;
};

/// What `importModel` says of a description `yaml` with a weights file of
/// `weights` bytes, both in `folder`; the folder's path is cut from messages.
struct Import {
  Import(const Folder &folder, std::string_view yaml, std::string_view weights);

  bool good() const { return mlir::succeeded(model); }
  mlir::func::FuncOp function(const std::string &name);
  /// Elements of the rnn.weight `symbol`.
  std::vector<float> weight(const std::string &symbol);
  std::vector<int64_t> weightShape(const std::string &symbol);

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  DiagnosticsSink sink;
  mlir::FailureOr<ImportedModel> model;
  std::string messages;
};

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_FRONTENDS_TESTFILES_H
