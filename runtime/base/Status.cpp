//===- Status.cpp - errors as values --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/Status.h"

namespace rung {

std::string_view toString(StatusCode code) {
  switch (code) {
  case StatusCode::Ok:
    return "Ok";
  case StatusCode::InvalidArgument:
    return "InvalidArgument";
  case StatusCode::NotFound:
    return "NotFound";
  case StatusCode::InvalidData:
    return "InvalidData";
  case StatusCode::Unsupported:
    return "Unsupported";
  case StatusCode::ResourceExhausted:
    return "ResourceExhausted";
  case StatusCode::Io:
    return "Io";
  case StatusCode::Device:
    return "Device";
  case StatusCode::FailedPrecondition:
    return "FailedPrecondition";
  }
  return "unknown";
}

const std::string &Status::message() const {
  static const std::string kEmpty;
  return error_ ? error_->message : kEmpty;
}

Status Status::while_(std::string_view context) && {
  if (error_)
    error_->message.append("\n  while ").append(context);
  return std::move(*this);
}

} // namespace rung
