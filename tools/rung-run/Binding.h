//===- Binding.h - which array belongs to which port ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_BINDING_H
#define RUNG_TOOLS_RUNG_RUN_BINDING_H

#include "runtime/base/Npy.h"
#include "runtime/base/Status.h"
#include "tools/rung-run/Model.h"

#include <string>
#include <string_view>
#include <vector>

namespace rung::tools {

/// The value of --input, --output or --expect:
///
///     x=@x.npy          a file
///     x=@all.npz:key    one array of an archive
///     x=@all.npz        the archive's array of the port's name
///     @all.npz          every array of the archive that has a port's name
///     x=[[1, 2]]        the array itself
struct Binding {
  std::string port; ///< Empty: every port that the archive has.
  std::string path; ///< Empty: a literal.
  std::string key;  ///< Of the archive's array; empty: the port's name.
  std::string literal;

  bool isArchive() const;
};

/// An error is one of usage.
Result<Binding> parseBinding(std::string_view text);

/// Parses each and refuses two for one port.
Result<std::vector<Binding>>
parseBindings(const std::vector<std::string> &texts);

/// Fails where two bindings write one file, the second over the first.
Status checkPathsDiffer(const std::vector<Binding> &bindings);

/// Reads the arrays that `bindings` give to `ports`. Fails on a name that no
/// port has; `what` is "input" or "output".
Result<NamedTensors> loadBindings(const std::vector<Binding> &bindings,
                                  const std::vector<Port> &ports,
                                  std::string_view what);

/// Writes `outputs`, one per port in order, where `bindings` want them. Each
/// file appears only when it is complete.
Status saveBindings(const std::vector<Binding> &bindings,
                    const std::vector<Port> &ports,
                    const std::vector<Tensor> &outputs);

/// Fails on a binding for output that names no port or no file.
Status checkOutputBindings(const std::vector<Binding> &bindings,
                           const std::vector<Port> &ports);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_BINDING_H
