//===- Parse.h - pieces of the description's parser -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SPEC_PARSE_H
#define RUNG_FRONTENDS_SPEC_PARSE_H

#include "frontends/spec/Description.h"
#include "frontends/spec/Fields.h"

namespace rung::spec {

// Each piece reports its mistakes; what it returns or fills in is complete only
// if it reported none.

/// A layer; its inputs as written, perhaps none.
std::optional<Layer> parseLayer(const YamlNode &node,
                                const FileDiagnostics &report);

/// The keys of a GRU, beside those of every layer.
const std::vector<std::string_view> &gruKeys();
void parseGru(Fields &fields, GruLayer &gru, const FileDiagnostics &report);

/// A name, or a mapping of `name`, `alpha` and `beta`.
bool parseActivation(const YamlNode &node, Activation &activation,
                     const FileDiagnostics &report);

/// Gives every layer its inputs and checks the names of a function.
bool resolveFunction(Function &function, const FileDiagnostics &report);

std::optional<Function> parseFunction(const std::string &name,
                                      SourceLocation location,
                                      const YamlNode &node,
                                      const FileDiagnostics &report);
std::optional<Generate> parseGenerate(const YamlNode &node,
                                      const FileDiagnostics &report);

} // namespace rung::spec

#endif // RUNG_FRONTENDS_SPEC_PARSE_H
