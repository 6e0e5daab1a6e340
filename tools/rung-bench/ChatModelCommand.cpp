//===- ChatModelCommand.cpp - rung-bench chat-model BUNDLE... -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Json.h"
#include "runtime/base/Text.h"
#include "tools/rung-bench/ChatScore.h"
#include "tools/rung-bench/Commands.h"
#include "tools/rung-run/TextModel.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace rung::tools {
namespace {

using Json = nlohmann::ordered_json;

Result<ChatScore> measure(const ChatModelArguments &arguments,
                          const std::string &bundle,
                          const HeldOutChats &chats) {
  RUNG_ASSIGN_OR_RETURN(Model model, Model::open(bundle));
  RUNG_ASSIGN_OR_RETURN(TextModel text, TextModel::load(model, ""));
  RUNG_ASSIGN_OR_RETURN(Session session,
                        Session::create(model, arguments.device));
  note(session.explanation());
  std::string label = std::filesystem::path(bundle).filename().string();
  Progress progress(label, chatScoreSteps(chats));
  RUNG_ASSIGN_OR_RETURN(
      ChatScore score,
      scoreChats(session, *text.function, chats, arguments.seed,
                 [&](uint64_t done) { progress.show(done); }));
  score.bundle = label;
  score.device = session.device();
  score.variant = session.variant();
  return score;
}

double share(uint64_t part, uint64_t whole) {
  return static_cast<double>(part) /
         static_cast<double>(std::max<uint64_t>(1, whole));
}

/// How many more bits than the first bundle's, as a share of those.
double moreBits(const ChatScore &score, const ChatScore &first) {
  return score.bitsPerCharacter() / first.bitsPerCharacter() - 1;
}

std::string formatText(const std::vector<ChatScore> &scores,
                       const HeldOutChats &chats) {
  size_t names = 6;
  for (const ChatScore &score : scores)
    names = std::max(names, score.bundle.size());
  char line[400];
  std::string text =
      concat(chats.rows, " chats, ", chats.characters(), " characters, ",
             chats.answers.size(), " determined answers; the grammar's own ",
             chats.bits / static_cast<double>(chats.characters()),
             " bits a character\n");
  auto add = [&](const std::string &name, auto... cells) {
    text += name + std::string(names - name.size(), ' ');
    std::snprintf(line, sizeof line, cells...);
    text += line;
  };
  add("bundle", "%12s%12s%12s%12s%12s\n", "bits/char", "to first", "accuracy",
      "determined", "answers");
  for (const ChatScore &s : scores)
    add(s.bundle, "%12.4f%+11.2f%%%12.4f%12.4f%12.4f\n", s.bitsPerCharacter(),
        100 * moreBits(s, scores.front()), share(s.right, s.characters),
        share(s.determinedRight, s.determined),
        share(s.answersRight, s.answers));
  return text;
}

std::string formatJson(const std::vector<ChatScore> &scores,
                       const HeldOutChats &chats) {
  Json json = {{"chats", chats.rows},
               {"characters", chats.characters()},
               {"answers", chats.answers.size()},
               {"bits_per_character_of_the_grammar",
                chats.bits / static_cast<double>(chats.characters())}};
  json["results"] = Json::array();
  for (const ChatScore &s : scores)
    json["results"].push_back(
        {{"bundle", s.bundle},
         {"device", s.device},
         {"variant", s.variant},
         {"bits_per_character", s.bitsPerCharacter()},
         {"more_bits_than_the_first", moreBits(s, scores.front())},
         {"teacher_forced",
          {{"accuracy", share(s.right, s.characters)},
           {"accuracy_determined", share(s.determinedRight, s.determined)}}},
         {"free_running", {{"accuracy", share(s.answersRight, s.answers)}}}});
  return rung::formatJson(json);
}

} // namespace

ExitCode chatModelCommand(const ChatModelArguments &arguments) {
  Result<HeldOutChats> chats = HeldOutChats::read(arguments.chats);
  if (!chats.isOk())
    return fail(chats.status());
  std::vector<ChatScore> scores;
  for (const std::string &bundle : arguments.bundles) {
    Result<ChatScore> score = measure(arguments, bundle, *chats);
    if (!score.isOk())
      return fail(
          score.takeStatus().while_(concat("measuring ", quotePath(bundle))));
    scores.push_back(*std::move(score));
  }
  std::string text =
      arguments.json ? formatJson(scores, *chats) : formatText(scores, *chats);
  std::fputs(text.c_str(), stdout);
  return kDone;
}

} // namespace rung::tools
