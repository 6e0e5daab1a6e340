//===- Handles.h - what the C interface's handles point to ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_API_HANDLES_H
#define RUNG_RUNTIME_API_HANDLES_H

#include "runtime/api/Session.h"

#include <memory>

struct rung_bundle {
  std::shared_ptr<const rung::Interface> interface;
};

struct rung_session {
  std::unique_ptr<rung::Session> session;
};

#endif // RUNG_RUNTIME_API_HANDLES_H
