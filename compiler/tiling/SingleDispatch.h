//===- SingleDispatch.h - when a whole run is one dispatch ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_COMPILER_TILING_SINGLEDISPATCH_H
#define RUNG_COMPILER_TILING_SINGLEDISPATCH_H

#include "runtime/base/Profile.h"

#include <cstdint>
#include <optional>
#include <string>

namespace rung::tiling {

/// A run in one dispatch, of at most `groups` workgroups that wait for each
/// other, with at most `sharedBytes` of shared memory.
///
/// Meant for runs of few rows, such as a stream's steps: a wait for all
/// workgroups costs less than a dispatch with its barrier, and nothing else of
/// a short kernel's time. Where rows are many, a dispatch of its own fills the
/// device better than one workgroup a compute unit does.
struct SingleDispatch {
  int64_t groups = 0, sharedBytes = 0;
  bool operator==(const SingleDispatch &) const = default;
};

/// All that the profile offers. Whether it can be run, `check` says.
SingleDispatch chooseSingleDispatch(const Profile &profile);

/// Empty where `profile` can run it; else what is asked and what there is.
std::string checkSingleDispatch(const Profile &profile,
                                const SingleDispatch &dispatch);

} // namespace rung::tiling

#endif // RUNG_COMPILER_TILING_SINGLEDISPATCH_H
