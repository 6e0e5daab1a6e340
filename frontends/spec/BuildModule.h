//===- BuildModule.h - a description as a module ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SPEC_BUILDMODULE_H
#define RUNG_FRONTENDS_SPEC_BUILDMODULE_H

#include "frontends/ModelExtras.h"
#include "frontends/spec/WeightTable.h"

namespace rung::spec {

/// What generation must know of a built function.
struct FunctionPorts {
  struct Port {
    mlir::RankedTensorType type;
    /// Of ids: the classes or table rows they are of; 0 when not known.
    int64_t classes = 0;
  };
  std::map<std::string, Port> inputs;
  std::map<std::string, Port> outputs;
  /// State name to its width.
  std::map<std::string, int64_t> states;
};

/// Builds `description` with the tensors of `archive`, which may be null. Adds
/// an rnn.weight for each tensor used and a func.func for each function to
/// `module`, and fills `ports` by function name.
bool buildModule(const Description &description,
                 const safetensors::Archive *archive, mlir::ModuleOp module,
                 std::map<std::string, FunctionPorts> &ports,
                 const FileDiagnostics &report);

/// Checks the section `generate` of a description against its functions and
/// the sizes of its vocabularies, by name.
std::optional<Generation>
checkGeneration(const Generate &generate,
                const std::map<std::string, FunctionPorts> &ports,
                const std::map<std::string, int64_t> &vocabularySizes,
                const FileDiagnostics &report);

/// Reads and checks a vocabulary file; `size` becomes the number of symbols.
/// It is looked for beside the description, then beside the weights file.
std::optional<Asset> readVocabulary(const Vocabulary &vocabulary,
                                    const std::vector<std::string> &folders,
                                    int64_t &size, std::string &path,
                                    const FileDiagnostics &report);

} // namespace rung::spec

#endif // RUNG_FRONTENDS_SPEC_BUILDMODULE_H
