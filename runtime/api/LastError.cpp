//===- LastError.cpp - from Status to codes and messages --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/api/LastError.h"

#include <string>

namespace rung {

static std::string &lastMessage() {
  thread_local std::string message;
  return message;
}

static rung_code toCode(StatusCode code) {
  switch (code) {
  case StatusCode::Ok:
    return RUNG_OK;
  case StatusCode::InvalidArgument:
    return RUNG_INVALID_ARGUMENT;
  case StatusCode::NotFound:
    return RUNG_NOT_FOUND;
  case StatusCode::InvalidData:
    return RUNG_INVALID_DATA;
  case StatusCode::Unsupported:
    return RUNG_UNSUPPORTED;
  case StatusCode::ResourceExhausted:
    return RUNG_RESOURCE_EXHAUSTED;
  case StatusCode::Io:
    return RUNG_IO;
  case StatusCode::Device:
    return RUNG_DEVICE;
  case StatusCode::FailedPrecondition:
    return RUNG_FAILED_PRECONDITION;
  }
  return RUNG_DEVICE;
}

rung_code report(const Status &status) {
  if (!status.isOk())
    lastMessage() = status.message();
  return toCode(status.code());
}

} // namespace rung

extern "C" {

const char *rung_last_error(void) { return rung::lastMessage().c_str(); }

const char *rung_code_name(rung_code code) {
  switch (code) {
  case RUNG_OK:
    return "ok";
  case RUNG_INVALID_ARGUMENT:
    return "invalid argument";
  case RUNG_NOT_FOUND:
    return "not found";
  case RUNG_INVALID_DATA:
    return "invalid data";
  case RUNG_UNSUPPORTED:
    return "unsupported";
  case RUNG_RESOURCE_EXHAUSTED:
    return "resource exhausted";
  case RUNG_IO:
    return "input or output error";
  case RUNG_DEVICE:
    return "device error";
  case RUNG_FAILED_PRECONDITION:
    return "failed precondition";
  }
  return "unknown code";
}

} // extern "C"
