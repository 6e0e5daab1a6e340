//===- Binding.cpp - which array belongs to which port --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-run/Binding.h"

#include "runtime/base/Text.h"
#include "tools/rung-run/Literal.h"

#include <algorithm>
#include <utility>

namespace rung::tools {
namespace {

constexpr std::string_view kArchive = ".npz";

std::vector<std::string> names(const std::vector<Port> &ports) {
  std::vector<std::string> result;
  for (const Port &port : ports)
    result.push_back(port.name);
  return result;
}

Result<size_t> findPort(const std::vector<Port> &ports, std::string_view name,
                        std::string_view what) {
  for (size_t i = 0; i < ports.size(); ++i)
    if (ports[i].name == name)
      return i;
  return Status(StatusCode::NotFound,
                concat("function has no ", what, " ", quote(name), "; it has ",
                       joined(names(ports))));
}

Status loadEveryPort(const Binding &binding, const std::vector<Port> &ports,
                     std::string_view what, NamedTensors &tensors) {
  RUNG_ASSIGN_OR_RETURN(NamedTensors members, readNpz(binding.path));
  size_t before = tensors.size();
  for (auto &[name, tensor] : members)
    if (findPort(ports, name, what).isOk())
      tensors.emplace_back(name, std::move(tensor));
  if (tensors.size() == before)
    return Status(StatusCode::NotFound,
                  concat("archive ", quotePath(binding.path),
                         " has no array named like one of the ", what, "s ",
                         joined(names(ports))));
  return Status::ok();
}

Result<Tensor> loadOne(const Binding &binding) {
  if (binding.path.empty())
    return parseLiteral(binding.literal);
  if (!binding.isArchive())
    return readNpy(binding.path);
  const std::string &key = binding.key.empty() ? binding.port : binding.key;
  RUNG_ASSIGN_OR_RETURN(NamedTensors members, readNpz(binding.path));
  std::vector<std::string> have;
  for (auto &[name, tensor] : members) {
    if (name == key)
      return std::move(tensor);
    have.push_back(name);
  }
  return Status(StatusCode::NotFound,
                concat("archive ", quotePath(binding.path), " has no array ",
                       quote(key), "; it has ", joined(have)));
}

} // namespace

bool Binding::isArchive() const { return path.ends_with(kArchive); }

Result<Binding> parseBinding(std::string_view text) {
  Binding binding;
  std::string_view value = text;
  if (!text.starts_with('@')) {
    size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return Status(StatusCode::InvalidArgument,
                    concat(quote(text), " is not NAME=@FILE, NAME=[NUMBERS] "
                                        "or @FILE.npz"));
    binding.port = text.substr(0, equals);
    value = text.substr(equals + 1);
  }
  if (!value.starts_with('@')) {
    if (value.empty())
      return Status(StatusCode::InvalidArgument,
                    concat(quote(text), " has nothing behind '='"));
    binding.literal = value;
    return binding;
  }
  value.remove_prefix(1);
  size_t colon = value.rfind(".npz:");
  if (colon != std::string_view::npos) {
    binding.key = value.substr(colon + kArchive.size() + 1);
    value = value.substr(0, colon + kArchive.size());
  }
  binding.path = value;
  if (value.empty() || (colon != std::string_view::npos && binding.key.empty()))
    return Status(StatusCode::InvalidArgument,
                  concat(quote(text), " names no ",
                         value.empty() ? "file" : "array of the archive"));
  if (binding.port.empty() && (!binding.isArchive() || !binding.key.empty()))
    return Status(StatusCode::InvalidArgument,
                  concat(quote(text), " names no port; only a whole .npz "
                                      "archive needs none"));
  return binding;
}

Result<std::vector<Binding>>
parseBindings(const std::vector<std::string> &texts) {
  std::vector<Binding> bindings;
  for (const std::string &text : texts) {
    RUNG_ASSIGN_OR_RETURN(Binding binding, parseBinding(text));
    for (const Binding &other : bindings)
      if (!binding.port.empty() && other.port == binding.port)
        return Status(StatusCode::InvalidArgument,
                      concat(quote(binding.port), " is given twice"));
    bindings.push_back(std::move(binding));
  }
  return bindings;
}

Status checkPathsDiffer(const std::vector<Binding> &bindings) {
  for (size_t i = 0; i < bindings.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (!bindings[i].path.empty() && bindings[i].path == bindings[j].path)
        return Status(StatusCode::InvalidArgument,
                      concat("two outputs go to ", quotePath(bindings[i].path),
                             "; @FILE.npz takes all outputs"));
  return Status::ok();
}

Result<NamedTensors> loadBindings(const std::vector<Binding> &bindings,
                                  const std::vector<Port> &ports,
                                  std::string_view what) {
  NamedTensors archives, tensors;
  for (const Binding &binding : bindings) {
    if (binding.port.empty()) {
      RUNG_RETURN_IF_ERROR(loadEveryPort(binding, ports, what, archives));
      continue;
    }
    RUNG_RETURN_IF_ERROR(findPort(ports, binding.port, what).status());
    Result<Tensor> tensor = loadOne(binding).while_(
        concat("reading ", what, " ", quote(binding.port)));
    if (!tensor.isOk())
      return tensor.takeStatus();
    tensors.emplace_back(binding.port, std::move(*tensor));
  }
  // A port that is named goes before a whole archive, and an archive before
  // those behind it.
  for (auto &[name, tensor] : archives)
    if (std::none_of(tensors.begin(), tensors.end(),
                     [&](const auto &have) { return have.first == name; }))
      tensors.emplace_back(name, std::move(tensor));
  return tensors;
}

Status checkOutputBindings(const std::vector<Binding> &bindings,
                           const std::vector<Port> &ports) {
  for (const Binding &binding : bindings) {
    if (!binding.port.empty())
      RUNG_RETURN_IF_ERROR(findPort(ports, binding.port, "output").status());
    if (binding.path.empty() || !binding.key.empty())
      return Status(StatusCode::InvalidArgument,
                    concat("output ", quote(binding.port),
                           " goes to NAME=@FILE.npy or @FILE.npz"));
  }
  return Status::ok();
}

Status saveBindings(const std::vector<Binding> &bindings,
                    const std::vector<Port> &ports,
                    const std::vector<Tensor> &outputs) {
  for (const Binding &binding : bindings) {
    NamedTensors chosen;
    for (size_t i = 0; i < ports.size(); ++i)
      if (binding.port.empty() || binding.port == ports[i].name)
        chosen.emplace_back(ports[i].name, outputs[i]);
    Status status = binding.isArchive()
                        ? writeNpz(binding.path, chosen)
                        : writeNpy(binding.path, chosen.front().second);
    RUNG_RETURN_IF_ERROR(
        std::move(status).while_(concat("writing ", quotePath(binding.path))));
  }
  return Status::ok();
}

} // namespace rung::tools
