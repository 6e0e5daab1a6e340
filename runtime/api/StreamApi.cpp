//===- StreamApi.cpp - rung.h: streams --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/api/Handles.h"
#include "runtime/api/LastError.h"
#include "runtime/api/SessionStream.h"

using namespace rung;

struct rung_stream {
  std::unique_ptr<SessionStream> stream;
};

extern "C" {

rung_code rung_stream_open(rung_session *session, size_t function,
                           const rung_tensor *states, size_t state_count,
                           rung_stream **stream) {
  return guarded([&]() -> Status {
    RUNG_ASSIGN_OR_RETURN(
        std::unique_ptr<SessionStream> made,
        session->session->openStream(function, {states, state_count}));
    *stream = new rung_stream{std::move(made)};
    return Status::ok();
  });
}

rung_code rung_stream_step(rung_stream *stream, const rung_tensor *inputs,
                           size_t input_count) {
  return guarded(
      [&]() -> Status { return stream->stream->step({inputs, input_count}); });
}

rung_code rung_stream_output(rung_stream *stream, size_t index,
                             rung_tensor *output) {
  return guarded([&]() -> Status {
    RUNG_ASSIGN_OR_RETURN(const RunResult::Output *from,
                          stream->stream->output(index));
    *output = {.name = from->port->name,
               .dtype = from->port->dtype,
               .rank = static_cast<uint32_t>(from->shape.size()),
               .shape = from->shape.data(),
               .data = from->bytes.get()};
    return Status::ok();
  });
}

void rung_stream_close(rung_stream *stream) { delete stream; }

} // extern "C"
