//===- Handles.h - what the C interface's handles point to ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_API_HANDLES_H
#define RUNG_RUNTIME_API_HANDLES_H

#include "runtime/api/Interface.h"

#include <memory>

struct rung_bundle {
  std::shared_ptr<const rung::Interface> interface;
};

#endif // RUNG_RUNTIME_API_HANDLES_H
