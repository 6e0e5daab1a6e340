//===- VerifyGeneration.cpp - functions that continue themselves ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/VerifyContext.h"

#include <vector>

namespace rung {

namespace {
using Ports = flatbuffers::Vector<flatbuffers::Offset<fb::Port>>;

/// Checks that \p ports has one of that name, type and leading [T, B].
Status verifyPort(std::string_view noun, const flatbuffers::String &name,
                  const Ports &ports, fb::ScalarType element, uint32_t rank) {
  for (const fb::Port *port : ports) {
    if (port->name()->string_view() != name.string_view())
      continue;
    const auto &dims = *port->type()->dims();
    if (port->type()->element() == element && dims.size() == rank &&
        dims.Get(0) == kDimT && dims.Get(1) == kDimB)
      return Status::ok();
    return invalidBundle(noun, " ", quote(name.string_view()), " has type ",
                         toString(*port->type()), ", not ",
                         toString(toScalarType(element)),
                         rank == 2 ? "[T, B]" : "[T, B, symbols]");
  }
  return invalidBundle(noun, " ", quote(name.string_view()),
                       " is no port of the function");
}

Status verifyVocabulary(const fb::Bundle &bundle,
                        const flatbuffers::String &name) {
  if (name.size() == 0)
    return Status::ok();
  for (const fb::Asset *asset : *bundle.assets())
    if (asset->name()->string_view() == name.string_view())
      return Status::ok();
  return invalidBundle("vocabulary ", quote(name.string_view()),
                       " is not among the assets");
}

Status verifyTokens(VerifyContext &context, const fb::Generation &generation) {
  if (generation.start() < -1)
    return invalidBundle("start token ", generation.start(), " is below -1");
  if (generation.stop() < -1)
    return invalidBundle("stop token ", generation.stop(), " is below -1");
  if (generation.max_steps() == 0)
    return invalidBundle("the number of steps is 0");
  RUNG_RETURN_IF_ERROR(context.charge(*generation.append()));
  for (int32_t token : *generation.append())
    if (token < 0)
      return invalidBundle("token ", token, " behind the prompt is below 0");
  return Status::ok();
}

/// Each state of \p prompt that \p step has, too, starts it; there is one.
Status verifyHandover(const fb::Function &prompt, const fb::Function &step) {
  bool found = false;
  for (const fb::StateLink *from : *prompt.states()) {
    for (const fb::StateLink *to : *step.states()) {
      if (from->name()->string_view() != to->name()->string_view())
        continue;
      found = true;
      const auto &given = *prompt.outputs()->Get(from->output())->type();
      const auto &taken = *step.inputs()->Get(to->input())->type();
      if (!equal(given, taken))
        return invalidBundle("state ", quote(to->name()->string_view()),
                             " has type ", toString(taken),
                             ", and the prompt function gives ",
                             toString(given));
    }
  }
  if (!found)
    return invalidBundle("prompt function ",
                         quote(prompt.name()->string_view()),
                         " has no state in common with the function");
  return Status::ok();
}

Status verifyPrompt(const fb::Bundle &bundle, const fb::Function &function,
                    const fb::Generation &generation) {
  std::string_view name = generation.prompt_function()->string_view();
  if (name.empty()) {
    if (generation.prompt_input()->size() != 0)
      return invalidBundle("there is a prompt input ",
                           quote(generation.prompt_input()->string_view()),
                           " but no prompt function");
    return Status::ok();
  }
  for (const fb::Function *prompt : *bundle.functions()) {
    if (prompt->name()->string_view() != name)
      continue;
    RUNG_RETURN_IF_ERROR(verifyPort("prompt input", *generation.prompt_input(),
                                    *prompt->inputs(), fb::ScalarType::I32,
                                    /*rank=*/2));
    return verifyHandover(*prompt, function);
  }
  return invalidBundle("there is no prompt function ", quote(name));
}
} // namespace

Status verifyGeneration(VerifyContext &context, const fb::Function &function) {
  const fb::Generation *generation = function.generation();
  if (!generation)
    return Status::ok();
  for (const flatbuffers::String *text :
       {generation->prompt_function(), generation->prompt_input(),
        generation->token_input(), generation->token_output(),
        generation->logits_output(), generation->input_vocabulary(),
        generation->output_vocabulary()})
    RUNG_RETURN_IF_ERROR(context.text(*text));
  RUNG_RETURN_IF_ERROR(verifyTokens(context, *generation));
  RUNG_RETURN_IF_ERROR(verifyPrompt(context.bundle, function, *generation));
  RUNG_RETURN_IF_ERROR(verifyPort("token input", *generation->token_input(),
                                  *function.inputs(), fb::ScalarType::I32,
                                  /*rank=*/2));
  bool tokens = generation->token_output()->size() != 0;
  bool logits = generation->logits_output()->size() != 0;
  if (!tokens && !logits)
    return invalidBundle("there is neither a token output nor a logits output");
  if (tokens)
    RUNG_RETURN_IF_ERROR(verifyPort("token output", *generation->token_output(),
                                    *function.outputs(), fb::ScalarType::I32,
                                    /*rank=*/2));
  if (logits)
    RUNG_RETURN_IF_ERROR(
        verifyPort("logits output", *generation->logits_output(),
                   *function.outputs(), fb::ScalarType::F32, /*rank=*/3));
  RUNG_RETURN_IF_ERROR(
      verifyVocabulary(context.bundle, *generation->input_vocabulary()));
  return verifyVocabulary(context.bundle, *generation->output_vocabulary());
}

} // namespace rung
