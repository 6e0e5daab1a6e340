//===- TimeStages.cpp - a pipeline over segments of time ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/TimeSegments.h"

#include <algorithm>
#include <bitset>
#include <numeric>
#include <optional>

namespace rung {

bool hasSteps(const fb::Buffer &buffer) {
  for (const fb::Factor *factor : *buffer.size()->factors())
    if (factor->symbol() == fb::Symbol::T || factor->symbol() == fb::Symbol::TB)
      return true;
  return false;
}

namespace {

constexpr uint32_t kMaxCommands = 512;
constexpr uint32_t kMaxBuffers = 4096;

/// What a command, with its body, does to a buffer.
struct Use {
  bool reads = false, writes = false;
};

class StageFinder {
public:
  StageFinder(const fb::Function &function, const fb::Schedule &schedule)
      : schedule_(schedule), count_(schedule.commands()->size()),
        buffers_(schedule.buffers()->size()),
        uses_(count_, std::vector<Use>(buffers_)), reach_(count_) {
    for (uint32_t c = 0; c < count_; ++c)
      addUses(*schedule.commands()->Get(c), uses_[c]);
    findChains(function);
  }

  TimeStages run() {
    connect();
    placeStages();
    placeRounds();
    countSlots();
    return std::move(result_);
  }

private:
  using Set = std::bitset<kMaxCommands>;

  static void addUses(const fb::Command &command, std::vector<Use> &uses) {
    for (const fb::Argument *argument : *command.arguments()) {
      Use &use = uses[argument->buffer()];
      use.reads |= argument->access() != fb::Access::Write;
      use.writes |= argument->access() != fb::Access::Read;
    }
    if (command.repeat())
      for (const fb::Command *inner : *command.repeat()->body())
        addUses(*inner, uses);
  }

  std::optional<uint32_t> findPort(fb::BufferRole role, uint32_t port) const {
    for (uint32_t b = 0; b < buffers_; ++b) {
      const fb::Buffer &buffer = *schedule_.buffers()->Get(b);
      if (buffer.role() == role && buffer.port() == port)
        return b;
    }
    return std::nullopt;
  }

  void findChains(const fb::Function &function) {
    for (const fb::StateLink *state : *function.states()) {
      auto input = findPort(fb::BufferRole::Input, state->input());
      auto output = findPort(fb::BufferRole::Output, state->output());
      // A state that no kernel reads needs no handing on.
      if (input && output)
        result_.chains.push_back({*input, *output});
    }
  }

  bool conflict(uint32_t before, uint32_t after, uint32_t buffer) const {
    const Use &a = uses_[before][buffer], &b = uses_[after][buffer];
    return (a.writes && (b.reads || b.writes)) || (a.reads && b.writes);
  }

  /// reach_[c]: the commands that must not be in an earlier stage than c.
  void connect() {
    for (uint32_t c = 0; c < count_; ++c)
      for (uint32_t d = c + 1; d < count_; ++d)
        for (uint32_t b = 0; b < buffers_ && !reach_[c][d]; ++b)
          reach_[c][d] = conflict(c, d, b);
    // What the next segment reads must be written, a stage each, by then.
    for (const TimeStages::Chain &chain : result_.chains)
      for (uint32_t writer = 0; writer < count_; ++writer)
        for (uint32_t reader = 0; reader < count_; ++reader)
          if (uses_[writer][chain.output].writes &&
              uses_[reader][chain.input].reads)
            reach_[writer][reader] = true;
    for (uint32_t c = 0; c < count_; ++c)
      reach_[c][c] = true;
    for (uint32_t via = 0; via < count_; ++via)
      for (uint32_t c = 0; c < count_; ++c)
        if (reach_[c][via])
          reach_[c] |= reach_[via];
  }

  bool together(uint32_t a, uint32_t b) const {
    return reach_[a][b] && reach_[b][a];
  }

  void placeStages() {
    result_.commands.resize(count_);
    // Whoever reaches another, but not the other way round, reaches more.
    std::vector<uint32_t> order(count_);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(),
                             [&](uint32_t c) { return reach_[c].count(); });
    for (uint32_t c : order)
      for (uint32_t d = 0; d < count_; ++d)
        if (reach_[c][d] && !together(c, d))
          result_.commands[d].stage = std::max(result_.commands[d].stage,
                                               result_.commands[c].stage + 1);
    for (const TimeStages::Place &place : result_.commands)
      result_.stages = std::max(result_.stages, place.stage + 1);
  }

  bool goesThroughSteps(uint32_t command) const {
    for (uint32_t b = 0; b < buffers_; ++b)
      if ((uses_[command][b].reads || uses_[command][b].writes) &&
          hasSteps(*schedule_.buffers()->Get(b)))
        return true;
    return false;
  }

  void placeRounds() {
    for (uint32_t c = 0; c < count_; ++c) {
      // Each group of commands that belong together, at its first.
      std::vector<uint32_t> group;
      for (uint32_t d = 0; d < count_; ++d)
        if (together(c, d))
          group.push_back(d);
      if (group.front() != c)
        continue;
      auto anchor = std::ranges::find_if(
          group, [&](uint32_t d) { return goesThroughSteps(d); });
      const auto zero = anchor == group.end() ? 0 : anchor - group.begin();
      for (size_t i = 0; i < group.size(); ++i)
        result_.commands[group[i]].round = int32_t(i) - int32_t(zero);
    }
  }

  /// The first and the last stage that uses \p buffer.
  struct Span {
    uint32_t first = 0, last = 0;
  };
  std::optional<Span> spanOf(uint32_t buffer) const {
    std::optional<Span> span;
    for (uint32_t c = 0; c < count_; ++c) {
      if (!uses_[c][buffer].reads && !uses_[c][buffer].writes)
        continue;
      const uint32_t stage = result_.commands[c].stage;
      if (!span)
        span = {stage, stage};
      span->first = std::min(span->first, stage);
      span->last = std::max(span->last, stage);
    }
    return span;
  }

  void countSlots() {
    result_.slots.assign(buffers_, 1);
    for (uint32_t b = 0; b < buffers_; ++b)
      if (schedule_.buffers()->Get(b)->role() == fb::BufferRole::Scratch)
        if (std::optional<Span> span = spanOf(b))
          result_.slots[b] = span->last - span->first + 1;
    for (TimeStages::Chain &chain : result_.chains) {
      // In use from where it is written until the next segment has read it.
      const Span out = spanOf(chain.output).value_or(Span());
      const Span in = spanOf(chain.input).value_or(out);
      chain.slots = std::max(out.last, in.last + 1) -
                    std::min(out.first, in.first + 1) + 1;
    }
  }

  const fb::Schedule &schedule_;
  uint32_t count_, buffers_;
  std::vector<std::vector<Use>> uses_; ///< By command and buffer.
  std::vector<Set> reach_;
  TimeStages result_;
};

} // namespace

bool TimeStages::canMake(const fb::Schedule &schedule) {
  return schedule.commands()->size() <= kMaxCommands &&
         schedule.buffers()->size() <= kMaxBuffers;
}

TimeStages TimeStages::make(const fb::Function &function,
                            const fb::Schedule &schedule) {
  return StageFinder(function, schedule).run();
}

TimeStages TimeStages::together(const fb::Schedule &schedule) {
  TimeStages stages;
  stages.commands.resize(schedule.commands()->size());
  for (uint32_t i = 0; i < stages.commands.size(); ++i)
    stages.commands[i].round = int32_t(i);
  stages.slots.assign(schedule.buffers()->size(), 1);
  return stages;
}

} // namespace rung
