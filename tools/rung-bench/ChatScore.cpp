//===- ChatScore.cpp - how well a model chats -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tools/rung-bench/ChatScore.h"

#include "runtime/base/Text.h"
#include "tools/rung-run/RandomPort.h"
#include "tools/rung-run/Sampler.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace rung::tools {
namespace {

// What the logits of one run may take, in bytes.
constexpr uint64_t kSegmentBytes = uint64_t(64) << 20;

uint32_t longestAnswer(const HeldOutChats &chats) {
  uint32_t longest = 0;
  for (const HeldOutChats::Answer &answer : chats.answers)
    longest = std::max(longest, answer.end - answer.begin);
  return longest;
}

/// -log2 of the share that softmax gives to `token`.
double bitsOf(std::span<const double> scores, int32_t token) {
  double best = *std::max_element(scores.begin(), scores.end()), sum = 0;
  for (double score : scores)
    sum += std::exp(score - best);
  return (std::log(sum) - (scores[token] - best)) / std::log(2.0);
}

class Scorer {
public:
  Scorer(Session &session, const Function &function, const HeldOutChats &chats,
         const std::function<void(uint64_t)> &done)
      : session_(session), function_(function), chats_(chats), done_(done),
        starts_(function.states.size()) {}

  Result<ChatScore> run(uint64_t seed) {
    if (findRandomPort(function_))
      RUNG_RETURN_IF_ERROR(start(seed));
    RUNG_RETURN_IF_ERROR(teacherForced());
    RUNG_RETURN_IF_ERROR(freeRunning());
    return std::move(score_);
  }

private:
  Status start(uint64_t seed) {
    states_.emplace_back(findRandomPort(function_)->name,
                         randomState(seed, chats_.rows));
    return Status::ok();
  }

  /// Feeds the chats, and keeps the states from which answers are written: a
  /// run ends where the next answer's last fed token begins.
  Status teacherForced() {
    const uint64_t width = function_.outputs[logitsIndex()].dims.back();
    const uint64_t longest =
        std::max<uint64_t>(1, kSegmentBytes / (4 * width * chats_.rows));
    size_t next = 0;
    // The last token of a chat predicts nothing.
    for (uint32_t at = 0; at < chats_.steps - 1;) {
      next = keepStates(next, at);
      uint32_t end = chats_.steps - 1;
      if (next < chats_.answers.size())
        end = std::min(end, chats_.answers[next].begin - 1);
      end = static_cast<uint32_t>(std::min<uint64_t>(end, at + longest));
      RUNG_RETURN_IF_ERROR(feed(at, end));
      at = end;
      done_(at);
    }
    return Status::ok();
  }

  Status feed(uint32_t begin, uint32_t end) {
    Tensor ids = Tensor::zeros(ScalarType::I32, {end - begin, chats_.rows});
    auto from = chats_.ids.begin() + uint64_t(begin) * chats_.rows;
    std::copy(from, from + ids.elementCount(), ids.values<int32_t>().begin());
    RUNG_ASSIGN_OR_RETURN(Outcome outcome, runStep(std::move(ids), states_));
    takeStates(outcome, states_);
    const Tensor &logits = outcome.outputs[logitsIndex()];
    for (uint32_t step = begin; step < end; ++step)
      for (uint32_t row = 0; row < chats_.rows; ++row)
        if (step + 1 < chats_.lengths[row])
          RUNG_RETURN_IF_ERROR(guess(
              logits, uint64_t(step - begin) * chats_.rows + row, step, row));
    return Status::ok();
  }

  /// Scores the guess of what follows `step`.
  Status guess(const Tensor &logits, uint64_t place, uint32_t step,
               uint32_t row) {
    const uint64_t width = logits.shape.back();
    std::vector<double> scores(width);
    for (uint64_t i = 0; i < width; ++i)
      scores[i] = toDouble(logits, place * width + i);
    const int32_t target = chats_.id(step + 1, row);
    if (target < 0 || static_cast<uint64_t>(target) >= width)
      return Status(
          StatusCode::InvalidArgument,
          concat("chats have the token ", target, ", and the model ", width));
    const bool right = argmax(scores) == target;
    const bool determined = isDetermined(step + 1, row);
    score_.characters += 1;
    score_.bits += bitsOf(scores, target);
    score_.right += right;
    score_.determined += determined;
    score_.determinedRight += determined && right;
    return Status::ok();
  }

  bool isDetermined(uint32_t step, uint32_t row) const {
    return std::any_of(chats_.answers.begin(), chats_.answers.end(),
                       [&](const HeldOutChats::Answer &answer) {
                         return answer.row == row && step >= answer.begin &&
                                step < answer.end;
                       });
  }

  /// Keeps the rows of the states for the answers that need them `at` tokens
  /// after the start; returns the first that needs later ones.
  size_t keepStates(size_t next, uint32_t at) {
    for (; next < chats_.answers.size() && chats_.answers[next].begin - 1 == at;
         ++next)
      for (size_t i = 0; i < function_.states.size(); ++i)
        appendRow(starts_[i], function_.states[i], chats_.answers[next].row);
    return next;
  }

  /// Row `row` of a state; zeros before the first step.
  void appendRow(std::vector<std::byte> &to, const StateLink &link,
                 uint32_t row) const {
    const Port &port = function_.inputs[link.input];
    const size_t bytes = byteSize(port.type) * port.dims.back();
    for (const auto &[name, tensor] : states_)
      if (name == port.name) {
        auto from = tensor.data.begin() + uint64_t(row) * bytes;
        to.insert(to.end(), from, from + bytes);
        return;
      }
    to.resize(to.size() + bytes);
  }

  /// Writes all answers at once, a row each, from the token before them.
  Status freeRunning() {
    const uint64_t count = chats_.answers.size();
    if (count == 0)
      return Status::ok();
    NamedTensors states;
    for (size_t i = 0; i < function_.states.size(); ++i) {
      const Port &port = function_.inputs[function_.states[i].input];
      Tensor tensor;
      tensor.type = port.type;
      tensor.shape = {count, static_cast<uint64_t>(port.dims.back())};
      tensor.data = std::move(starts_[i]);
      states.emplace_back(port.name, std::move(tensor));
    }
    Tensor ids = Tensor::zeros(ScalarType::I32, {1, count});
    for (uint64_t i = 0; i < count; ++i)
      ids.values<int32_t>()[i] =
          chats_.id(chats_.answers[i].begin - 1, chats_.answers[i].row);
    std::vector<bool> right(count, true);
    for (uint32_t step = 0; step < longestAnswer(chats_); ++step) {
      RUNG_ASSIGN_OR_RETURN(Outcome outcome, runStep(ids, states));
      takeStates(outcome, states);
      writeStep(outcome, step, ids, right);
      done_(chats_.steps + step);
    }
    score_.answers = count;
    score_.answersRight = std::count(right.begin(), right.end(), true);
    return Status::ok();
  }

  /// Takes the likeliest token of each row, and compares where the answer is
  /// not yet at its end.
  void writeStep(const Outcome &outcome, uint32_t step, Tensor &ids,
                 std::vector<bool> &right) const {
    const Tensor &logits = outcome.outputs[logitsIndex()];
    const uint64_t width = logits.shape.back();
    std::vector<double> scores(width);
    for (size_t i = 0; i < right.size(); ++i) {
      for (uint64_t k = 0; k < width; ++k)
        scores[k] = toDouble(logits, i * width + k);
      const HeldOutChats::Answer &answer = chats_.answers[i];
      const int32_t token = argmax(scores);
      ids.values<int32_t>()[i] = token;
      if (answer.begin + step < answer.end &&
          token != chats_.id(answer.begin + step, answer.row))
        right[i] = false;
    }
  }

  Result<Outcome> runStep(Tensor ids, NamedTensors states) {
    states.emplace_back(function_.generation->tokenInput, std::move(ids));
    return session_.run(function_, states);
  }

  void takeStates(Outcome &outcome, NamedTensors &states) const {
    states.clear();
    for (const StateLink &link : function_.states)
      states.emplace_back(function_.inputs[link.input].name,
                          std::move(outcome.outputs[link.output]));
  }

  size_t logitsIndex() const {
    return *function_.findOutput(function_.generation->logitsOutput);
  }

  Session &session_;
  const Function &function_;
  const HeldOutChats &chats_;
  const std::function<void(uint64_t)> &done_;
  NamedTensors states_;
  std::vector<std::vector<std::byte>> starts_; // by state, a row an answer
  ChatScore score_;
};

} // namespace

uint64_t chatScoreSteps(const HeldOutChats &chats) {
  return chats.steps + longestAnswer(chats);
}

Result<ChatScore> scoreChats(Session &session, const Function &function,
                             const HeldOutChats &chats, uint64_t seed,
                             const std::function<void(uint64_t)> &done) {
  const Generation &g = *function.generation;
  if (!g.promptFunction.empty() || g.logitsOutput.empty())
    return Status(StatusCode::InvalidArgument,
                  concat("function ", quote(function.name),
                         g.logitsOutput.empty()
                             ? " has no logits output"
                             : " does not read its prompts itself"));
  return Scorer(session, function, chats, done).run(seed);
}

} // namespace rung::tools
