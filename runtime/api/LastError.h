//===- LastError.h - from Status to codes and messages ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_API_LASTERROR_H
#define RUNG_RUNTIME_API_LASTERROR_H

#include "runtime/base/Status.h"
#include "runtime/rung.h"

#include <exception>
#include <new>

namespace rung {

/// The code of \p status; an error's message becomes this thread's last.
rung_code report(const Status &status);

/// What each function of the C interface runs in: reports the outcome of
/// \p body. Nothing here throws but the standard library when memory is short,
/// and that must not pass through C.
template <typename Body> rung_code guarded(Body body) {
  try {
    return report(body());
  } catch (const std::bad_alloc &) {
    return report(
        Status(StatusCode::ResourceExhausted, "the host is out of memory"));
  } catch (const std::exception &error) {
    return report(Status(StatusCode::ResourceExhausted, error.what()));
  }
}

} // namespace rung

#endif // RUNG_RUNTIME_API_LASTERROR_H
