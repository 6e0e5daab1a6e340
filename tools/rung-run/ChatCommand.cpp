//===- ChatCommand.cpp - rung-run chat BUNDLE -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Text.h"
#include "tools/rung-run/Commands.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iostream>
#include <unistd.h>
#include <utility>

namespace rung::tools {
namespace {

void emit(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// Whether `line` says itself who speaks: "Hugo: Hello."
bool namesSpeaker(std::string_view line) {
  size_t colon = line.find(": ");
  if (colon == std::string_view::npos || colon == 0)
    return false;
  auto isLetter = [](unsigned char c) { return std::isalpha(c) || c >= 0x80; };
  return std::isupper(static_cast<unsigned char>(line[0])) &&
         std::all_of(line.begin(), line.begin() + colon, isLetter);
}

/// One chat after another with one model. A chat is lines "NAME: TEXT", the
/// person's and the model's in turn.
class Conversation {
public:
  static Result<Conversation> make(const ChatArguments &arguments,
                                   TextModel text, Generator generator) {
    Conversation chat(arguments, std::move(text), std::move(generator));
    RUNG_ASSIGN_OR_RETURN(chat.newline_, chat.text_.input.encode("\n"));
    if (chat.newline_.size() != 1)
      return Status(StatusCode::InvalidArgument,
                    "vocabulary has no line break to end a chat's lines with");
    return chat;
  }

  /// Prints what the model says to `line`.
  Status answer(const std::string &line) {
    std::string said =
        namesSpeaker(line) ? line : concat(arguments_->name, ": ", line);
    Result<std::vector<int32_t>> tokens = text_.input.encode(said + "\n");
    if (!tokens.isOk()) {
      note(concat(tokens.status().message(), "; the line is passed over"));
      return Status::ok();
    }
    // What a person types is text, also where it reads like a mark.
    const Generation &g = *text_.function->generation;
    std::erase_if(*tokens,
                  [&](int32_t t) { return t == g.start || t == g.stop; });
    if (inChat_)
      generator_.tell(*tokens);
    else
      RUNG_RETURN_IF_ERROR(generator_.start(*tokens));
    RUNG_ASSIGN_OR_RETURN(bool goesOn, reply());
    if (goesOn) {
      RUNG_ASSIGN_OR_RETURN(bool ends, generator_.endsHere());
      goesOn = !ends;
    }
    inChat_ = goesOn;
    if (!goesOn)
      note("the chat has ended; the next line begins another");
    return Status::ok();
  }

private:
  Conversation(const ChatArguments &arguments, TextModel text,
               Generator generator)
      : arguments_(&arguments), text_(std::move(text)),
        generator_(std::move(generator)) {}

  /// Streams one line. False where the model ended the chat instead.
  Result<bool> reply() {
    for (uint32_t made = 0; made < arguments_->maxSteps; ++made) {
      RUNG_ASSIGN_OR_RETURN(std::optional<int32_t> token, generator_.next());
      if (!token) {
        if (made != 0)
          emit("\n");
        return false;
      }
      RUNG_ASSIGN_OR_RETURN(std::string symbol, text_.output.symbol(*token));
      emit(symbol);
      if (symbol == "\n")
        return true;
    }
    emit("\n");
    generator_.tell(newline_);
    return true;
  }

  const ChatArguments *arguments_;
  TextModel text_;
  Generator generator_;
  std::vector<int32_t> newline_;
  bool inChat_ = false;
};

/// Answers lines to the end of stdin.
Status converse(const ChatArguments &arguments, Conversation &chat) {
  const bool person = isatty(STDIN_FILENO);
  for (std::string line;;) {
    if (person)
      std::fprintf(stderr, "%s: ", arguments.name.c_str());
    if (!std::getline(std::cin, line))
      break;
    if (line.ends_with('\r'))
      line.pop_back();
    if (line.empty())
      continue;
    RUNG_RETURN_IF_ERROR(
        chat.answer(line).while_(concat("answering ", quote(line))));
  }
  if (person)
    std::fprintf(stderr, "\n");
  return Status::ok();
}

Status chat(const ChatArguments &arguments, const Model &model,
            TextModel text) {
  const Function &function = *text.function;
  if (!function.generation->promptFunction.empty())
    return Status(StatusCode::InvalidArgument,
                  concat("function ", quote(function.name),
                         " does not read what it goes on from; a chat needs "
                         "one that reads and writes"));
  RUNG_ASSIGN_OR_RETURN(Session session,
                        Session::create(model, arguments.device));
  note(
      concat("chatting with ", quote(function.name), " on ", session.device()));
  note(session.explanation());
  RUNG_ASSIGN_OR_RETURN(Generator generator,
                        Generator::make(model, function, session));
  RUNG_RETURN_IF_ERROR(applyDrawing(arguments.drawing, generator));
  RUNG_ASSIGN_OR_RETURN(
      Conversation conversation,
      Conversation::make(arguments, std::move(text), std::move(generator)));
  return converse(arguments, conversation);
}

} // namespace

ExitCode chatCommand(const ChatArguments &arguments) {
  Result<Model> model = Model::open(arguments.bundle);
  if (!model.isOk())
    return fail(model.status());
  Result<TextModel> text = TextModel::load(*model, arguments.function);
  if (!text.isOk())
    return fail(text.status());
  if (Status misuse =
          checkSeed(arguments.drawing, *text->function, "--temperature");
      !misuse.isOk())
    return fail(misuse, kUsage);
  Status status = chat(arguments, *model, *std::move(text));
  return status.isOk() ? kDone : fail(status);
}

} // namespace rung::tools
