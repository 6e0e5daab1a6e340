//===- Segments.h - one run in pieces of time -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TOOLS_RUNG_RUN_SEGMENTS_H
#define RUNG_TOOLS_RUNG_RUN_SEGMENTS_H

#include "tools/rung-run/Model.h"

namespace rung::tools {

/// Runs `function` in `count` consecutive pieces of its time steps, each
/// starting from the states that the one before ended with, and puts outputs
/// with a T axis together; of others the last piece's is the result. Times are
/// summed. For `count` = 1 this is a plain run.
///
/// Fails where pieces would not mean the same as the whole: with fewer steps
/// than pieces, or with a [B] input that is no state, which would be the
/// lengths of the rows. (A reverse direction can't be told from outside: its
/// outputs differ.)
Result<Outcome> runInSegments(Session &session, const Function &function,
                              const NamedTensors &inputs, uint32_t count);

} // namespace rung::tools

#endif // RUNG_TOOLS_RUNG_RUN_SEGMENTS_H
