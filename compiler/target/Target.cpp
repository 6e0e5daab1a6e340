//===- Target.cpp - the device profiles that ship -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/target/Target.h"

#include "compiler/target/BuiltinProfiles.h"

namespace rung {

std::vector<std::string> builtinProfileNames() {
  std::vector<std::string> names;
  for (const auto &[name, json] : kBuiltinProfiles)
    names.emplace_back(name);
  return names;
}

Result<Profile> findProfile(const std::string &nameOrPath) {
  if (nameOrPath.ends_with(".json"))
    return readProfile(nameOrPath);
  std::string known;
  for (const auto &[name, json] : kBuiltinProfiles) {
    if (name == nameOrPath)
      return parseProfile(json);
    known += (known.empty() ? "'" : ", '") + std::string(name) + "'";
  }
  return Status(StatusCode::NotFound, "profile '" + nameOrPath +
                                          "' is neither one of " + known +
                                          " nor the path of a .json file");
}

} // namespace rung
