//===- TimeSegments.h - functions in segments of time -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BUNDLE_TIMESEGMENTS_H
#define RUNG_RUNTIME_BUNDLE_TIMESEGMENTS_H

#include "runtime/bundle/Types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rung {

/// Why T steps of \p function are not the same as shorter runs one after the
/// other, states handed on; empty if they are. They are where time is the first
/// axis of every port that has it, what has no time is a state, every layer is
/// a row's own arithmetic or a forward recurrence without lengths, and the
/// states that a recurrence starts from are those that it ends with.
///
/// `Function.segmentable` says that this is empty: the compiler sets it so, and
/// a reader refuses a bundle where it is not.
std::string findTimeFault(const fb::Function &function);

/// A pipeline over segments of time. Each command of a schedule has a stage:
/// while one stage works on a segment, the stage behind it works on the segment
/// before. Commands that hand a state on to the next segment share a stage with
/// all that lies between them.
struct TimeStages {
  struct Place {
    uint32_t stage = 0;
    /// Orders the commands of one stage; the one that goes through the steps
    /// has 0, so that it runs beside those of other stages.
    int32_t round = 0;
  };
  /// A state: read from one buffer, left in another.
  struct Chain {
    uint32_t input = 0, output = 0; ///< Buffers of the schedule.
    uint32_t slots = 1;             ///< Copies in use at a time.
  };

  std::vector<Place> commands;
  uint32_t stages = 1;
  /// How many segments have a scratch buffer in use at a time, for each buffer
  /// of the schedule; 1 for others.
  std::vector<uint32_t> slots;
  std::vector<Chain> chains;

  /// False for more commands and buffers than the search for stages is for.
  static bool canMake(const fb::Schedule &schedule);
  /// \p schedule must be one of \p function, and one that can be made.
  static TimeStages make(const fb::Function &function,
                         const fb::Schedule &schedule);
  /// All commands in one stage, in their order: for a run in one segment.
  static TimeStages together(const fb::Schedule &schedule);
};

/// Whether the size of \p buffer depends on T.
bool hasSteps(const fb::Buffer &buffer);

} // namespace rung

#endif // RUNG_RUNTIME_BUNDLE_TIMESEGMENTS_H
