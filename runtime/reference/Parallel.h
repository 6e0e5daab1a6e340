//===- Parallel.h - independent tasks on the host's cores -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_PARALLEL_H
#define RUNG_RUNTIME_REFERENCE_PARALLEL_H

#include <cstdint>
#include <functional>

namespace rung::reference {

/// Calls \p task(0) .. task(count - 1), each once, in any order and on several
/// threads if the work is worth it; returns when all are done. Tasks must not
/// depend on each other. An exception of a task is thrown on.
///
/// \p operations is about how many arithmetic operations all tasks make.
void parallelFor(int64_t count, double operations,
                 const std::function<void(int64_t)> &task);

} // namespace rung::reference

#endif // RUNG_RUNTIME_REFERENCE_PARALLEL_H
