//===- Target.h - the device profiles that ship -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_TARGET_TARGET_H
#define RUNG_COMPILER_TARGET_TARGET_H

#include "runtime/base/Profile.h"

namespace rung {

/// Names of the built-in profiles, `generic` first.
std::vector<std::string> builtinProfileNames();

/// A built-in profile by its name, or one read from a .json file, such as the
/// "profile" of a device in `rung-run --list-devices --json`. An unknown name
/// is an error that lists those there are.
Result<Profile> findProfile(const std::string &nameOrPath);

} // namespace rung

#endif // RUNG_COMPILER_TARGET_TARGET_H
