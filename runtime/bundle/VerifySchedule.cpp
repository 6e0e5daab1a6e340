//===- VerifySchedule.cpp - buffers and commands --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/bundle/Format.h"
#include "runtime/bundle/VerifyContext.h"

#include <algorithm>
#include <vector>

namespace rung {

namespace {
using Commands = flatbuffers::Vector<flatbuffers::Offset<fb::Command>>;

/// coefficient * T^t * B^b: what an exact size looks like.
struct Monomial {
  uint64_t coefficient = 1;
  unsigned t = 0, b = 0;
  bool fits = true;

  void multiply(uint64_t factor) {
    fits = !__builtin_mul_overflow(coefficient, factor, &coefficient) && fits;
  }
  bool operator==(const Monomial &) const = default;
};

Monomial bytesOf(const fb::TensorType &type) {
  Monomial result;
  result.multiply(byteSize(toScalarType(type.element())));
  for (int32_t dim : *type.dims()) {
    if (dim == kDimT)
      ++result.t;
    else if (dim == kDimB)
      ++result.b;
    else
      result.multiply(static_cast<uint64_t>(dim));
  }
  return result;
}

/// \p exact becomes false if a factor rounds up.
Monomial bytesOf(const fb::Extent &extent, bool &exact) {
  Monomial result;
  for (const fb::Factor *factor : *extent.factors()) {
    exact = exact && (factor->divisor() == 1);
    result.multiply(factor->multiplier());
    bool tb = factor->symbol() == fb::Symbol::TB;
    result.t += tb || factor->symbol() == fb::Symbol::T;
    result.b += tb || factor->symbol() == fb::Symbol::B;
  }
  return result;
}

class ScheduleVerifier {
public:
  ScheduleVerifier(VerifyContext &context, const fb::Schedule &schedule,
                   const fb::Variant &variant, const fb::Function &function)
      : context_(context), schedule_(schedule), variant_(variant),
        function_(function), inputs_(function.inputs()->size()),
        outputs_(function.outputs()->size()) {}

  Status verify();

private:
  Status verifyBuffer(const fb::Buffer &buffer);
  Status
  verifyPort(std::string_view noun, const fb::Buffer &buffer,
             const flatbuffers::Vector<flatbuffers::Offset<fb::Port>> &ports,
             std::vector<bool> &used);
  Status verifyPacked(const fb::Buffer &buffer);
  Status verifyWords(const fb::Buffer &buffer);
  Status verifyStream();
  Status verifyStreamInputs();
  Status verifyCommands(const Commands &commands, bool repeated);
  Status verifyDispatch(const fb::Command &command, bool repeated);
  Status verifyArgument(const fb::Argument &argument);
  Status verifyRepeat(const fb::Command &command, bool repeated);

  VerifyContext &context_;
  const fb::Schedule &schedule_;
  const fb::Variant &variant_;
  const fb::Function &function_;
  std::vector<bool> inputs_, outputs_; ///< Ports that have a buffer.
};

Status ScheduleVerifier::verify() {
  RUNG_RETURN_IF_ERROR(context_.charge(*schedule_.buffers()));
  RUNG_RETURN_IF_ERROR(forEach("buffer", *schedule_.buffers(),
                               [&](const fb::Buffer &buffer, uint32_t) {
                                 return verifyBuffer(buffer);
                               }));
  for (size_t port = 0; port < outputs_.size(); ++port)
    if (!outputs_[port])
      return invalidBundle("output port ", port, " has no buffer");
  RUNG_RETURN_IF_ERROR(
      verifyCommands(*schedule_.commands(), /*repeated=*/false));
  const bool streams =
      std::ranges::any_of(*schedule_.buffers(), [](const fb::Buffer *buffer) {
        return buffer->words();
      });
  return streams ? verifyStream() : Status::ok();
}

/// A stream takes an input that is no state step by step.
Status ScheduleVerifier::verifyStreamInputs() {
  for (const fb::Buffer *buffer : *schedule_.buffers()) {
    if (buffer->role() != fb::BufferRole::Input ||
        std::ranges::any_of(*function_.states(),
                            [&](const fb::StateLink *link) {
                              return link->input() == buffer->port();
                            }))
      continue;
    auto one = evaluate(*buffer->size(), /*t=*/1, /*b=*/1);
    auto two = evaluate(*buffer->size(), /*t=*/2, /*b=*/1);
    if (!one.isOk() || !two.isOk() || *two != 2 * *one)
      return invalidBundle("input port ", buffer->port(),
                           " of a stream has no steps");
  }
  return Status::ok();
}

/// A stream's step is one dispatch, and what is no state comes as words.
Status ScheduleVerifier::verifyStream() {
  const Commands &commands = *schedule_.commands();
  if (commands.size() != 1 || !commands.Get(0)->repeat() ||
      commands.Get(0)->repeat()->count() != fb::Symbol::T ||
      commands.Get(0)->repeat()->body()->size() != 1)
    return invalidBundle("a stream is not one dispatch, T times");
  const auto &groups = *commands.Get(0)->repeat()->body()->Get(0)->groups();
  for (const fb::Extent *count : groups) {
    auto number = evaluate(*count, /*t=*/1, /*b=*/1);
    if (!number.isOk() || *number == 0)
      return invalidBundle("a stream's dispatch has no workgroups");
  }
  for (const fb::StateLink *link : *function_.states())
    if (!inputs_[link->input()])
      return invalidBundle("input port ", link->input(),
                           ", a stream's state, has no buffer");
  RUNG_RETURN_IF_ERROR(verifyStreamInputs());
  uint32_t numbers = 0;
  for (const fb::Buffer *buffer : *schedule_.buffers()) {
    const bool output = buffer->role() == fb::BufferRole::Output;
    const bool state = std::ranges::any_of(
        *function_.states(), [&](const fb::StateLink *link) {
          return link->output() == buffer->port();
        });
    if (output && buffer->words() == state)
      return invalidBundle("output port ", buffer->port(),
                           state ? " is a state in words"
                                 : " of a stream has no words");
    numbers += buffer->role() == fb::BufferRole::Progress;
    auto size = evaluate(*buffer->size(), /*t=*/1, /*b=*/1);
    if (buffer->role() == fb::BufferRole::Progress &&
        (!size.isOk() || *size < 8))
      return invalidBundle("a stream has no room for its number");
  }
  if (numbers != 1)
    return invalidBundle("a stream has ", numbers, " progress buffers, not 1");
  return Status::ok();
}

/// 16 bits of an element in each word.
Status ScheduleVerifier::verifyWords(const fb::Buffer &buffer) {
  const fb::TensorType &type = *function_.outputs()->Get(buffer.port())->type();
  Monomial wanted = bytesOf(type);
  const uint64_t bytes = byteSize(toScalarType(type.element()));
  wanted.coefficient /= bytes;
  wanted.multiply(bytes > 2 ? 8 : 4);
  wanted.t = wanted.b = 0;
  bool exact = true;
  if (bytesOf(*buffer.size(), exact) != wanted || !exact || bytes > 4)
    return invalidBundle("the size is not that of the words of output port ",
                         buffer.port(), " of type ", toString(type));
  return Status::ok();
}

Status ScheduleVerifier::verifyBuffer(const fb::Buffer &buffer) {
  RUNG_RETURN_IF_ERROR(
      context_.extent(*buffer.size()).while_("verifying the size"));
  if (buffer.words() && buffer.role() != fb::BufferRole::Output)
    return invalidBundle("words belong to no output");
  if (buffer.role() != fb::BufferRole::Packed && buffer.packed_offset() != 0)
    return invalidBundle("packed offset ", buffer.packed_offset(),
                         " belongs to no packed buffer");
  switch (buffer.role()) {
  case fb::BufferRole::Input:
    return verifyPort("input", buffer, *function_.inputs(), inputs_);
  case fb::BufferRole::Output:
    return verifyPort("output", buffer, *function_.outputs(), outputs_);
  case fb::BufferRole::Packed:
  case fb::BufferRole::Scratch:
  case fb::BufferRole::Progress:
    if (buffer.port() != 0)
      return invalidBundle("port ", buffer.port(),
                           " belongs to neither an input nor an output");
    return buffer.role() == fb::BufferRole::Packed ? verifyPacked(buffer)
                                                   : Status::ok();
  }
  return invalidBundle("role ", buffer.role(), " is unknown");
}

Status ScheduleVerifier::verifyPort(
    std::string_view noun, const fb::Buffer &buffer,
    const flatbuffers::Vector<flatbuffers::Offset<fb::Port>> &ports,
    std::vector<bool> &used) {
  if (buffer.port() >= ports.size())
    return invalidBundle(noun, " port ", buffer.port(), " is not below ",
                         ports.size());
  if (used[buffer.port()])
    return invalidBundle(noun, " port ", buffer.port(),
                         " has another buffer, too");
  used[buffer.port()] = true;
  if (buffer.words())
    return verifyWords(buffer);
  bool exact = true;
  const fb::TensorType &type = *ports.Get(buffer.port())->type();
  if (bytesOf(*buffer.size(), exact) != bytesOf(type) || !exact)
    return invalidBundle("the size is not that of ", noun, " port ",
                         buffer.port(), " of type ", toString(type));
  return Status::ok();
}

Status ScheduleVerifier::verifyPacked(const fb::Buffer &buffer) {
  for (const fb::Factor *factor : *buffer.size()->factors())
    if (factor->symbol() != fb::Symbol::One)
      return invalidBundle("the size of a packed buffer depends on ",
                           fb::EnumNameSymbol(factor->symbol()));
  auto evaluated = evaluate(*buffer.size(), /*t=*/0, /*b=*/0);
  if (!evaluated.isOk())
    return invalidBundle("the size of a packed buffer exceeds 64 bits");
  uint64_t size = *evaluated;
  uint64_t offset = buffer.packed_offset(), total = context_.blob.size();
  if (offset % kBlobAlignment != 0)
    return invalidBundle("packed offset ", offset, " is no multiple of ",
                         kBlobAlignment);
  if (offset > total || size > total - offset)
    return invalidBundle(size, " bytes at ", offset,
                         " lie outside of the weights of ", total);
  return Status::ok();
}

Status ScheduleVerifier::verifyCommands(const Commands &commands,
                                        bool repeated) {
  RUNG_RETURN_IF_ERROR(context_.charge(commands));
  return forEach("command", commands,
                 [&](const fb::Command &command, uint32_t) {
                   return command.repeat() ? verifyRepeat(command, repeated)
                                           : verifyDispatch(command, repeated);
                 });
}

Status ScheduleVerifier::verifyRepeat(const fb::Command &command,
                                      bool repeated) {
  if (repeated)
    return invalidBundle("a repeat is within another");
  if (command.kernel() != 0 || command.arguments()->size() != 0 ||
      command.push()->size() != 0 || command.groups()->size() != 0)
    return invalidBundle("a repeat has parts of a dispatch");
  if (command.repeat()->count() > fb::Symbol::MAX)
    return invalidBundle("symbol ", command.repeat()->count(), " is unknown");
  return verifyCommands(*command.repeat()->body(), /*repeated=*/true);
}

Status ScheduleVerifier::verifyDispatch(const fb::Command &command,
                                        bool repeated) {
  if (command.kernel() >= variant_.kernels()->size())
    return invalidBundle("kernel ", command.kernel(), " is not below ",
                         variant_.kernels()->size());
  const fb::Kernel &kernel = *variant_.kernels()->Get(command.kernel());
  if (command.arguments()->size() != kernel.bindings())
    return invalidBundle(command.arguments()->size(), " arguments do not fit ",
                         kernel.bindings(), " bindings of kernel ",
                         quote(kernel.name()->string_view()));
  RUNG_RETURN_IF_ERROR(forEach("argument", *command.arguments(),
                               [&](const fb::Argument &argument, uint32_t) {
                                 return verifyArgument(argument);
                               }));
  if (uint64_t(command.push()->size()) * 4 != kernel.push_bytes())
    return invalidBundle(command.push()->size(), " push constants do not fit ",
                         kernel.push_bytes(), " bytes of kernel ",
                         quote(kernel.name()->string_view()));
  for (const fb::Push *push : *command.push()) {
    if (push->kind() > fb::PushKind::MAX)
      return invalidBundle("push kind ", push->kind(), " is unknown");
    if (push->kind() == fb::PushKind::Step && !repeated)
      return invalidBundle("a step is pushed outside of a repeat");
    if (push->kind() != fb::PushKind::Constant && push->value() != 0)
      return invalidBundle("value ", push->value(), " belongs to no constant");
  }
  if (command.groups()->size() != 3)
    return invalidBundle("there are ", command.groups()->size(),
                         " group counts, not 3");
  return forEach("group count", *command.groups(),
                 [&](const fb::Extent &extent, uint32_t) {
                   return context_.extent(extent);
                 });
}

Status ScheduleVerifier::verifyArgument(const fb::Argument &argument) {
  if (argument.buffer() >= schedule_.buffers()->size())
    return invalidBundle("buffer ", argument.buffer(), " is not below ",
                         schedule_.buffers()->size());
  if (argument.access() > fb::Access::MAX)
    return invalidBundle("access ", argument.access(), " is unknown");
  fb::BufferRole role = schedule_.buffers()->Get(argument.buffer())->role();
  bool writable =
      role != fb::BufferRole::Input && role != fb::BufferRole::Packed;
  if (argument.access() != fb::Access::Read && !writable)
    return invalidBundle("buffer ", argument.buffer(), " of role ",
                         fb::EnumNameBufferRole(role), " is written");
  return Status::ok();
}
} // namespace

Status verifySchedule(VerifyContext &context, const fb::Schedule &schedule,
                      const fb::Variant &variant,
                      const fb::Function &function) {
  Status status =
      ScheduleVerifier(context, schedule, variant, function).verify();
  if (const fb::Schedule *single = schedule.single_row();
      single && status.isOk()) {
    status =
        single->single_row()
            ? invalidBundle("it has one itself")
            : ScheduleVerifier(context, *single, variant, function).verify();
    status = std::move(status).while_(
        "verifying the schedule for runs of a single row");
  }
  return std::move(status).while_("verifying function " +
                                  quote(function.name()->string_view()));
}

} // namespace rung
