//===- Parallel.cpp - independent tasks on the host's cores ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference/Parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rung::reference {
namespace {

/// Less work than this is done before a thread has started.
constexpr double kOperationsOfAThread = 1e6;

int64_t threadCount(int64_t tasks, double operations) {
  int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  double worthwhile = std::min(operations / kOperationsOfAThread, 1e6);
  return std::max<int64_t>(
      1, std::min({cores, tasks, static_cast<int64_t>(worthwhile)}));
}

} // namespace

void parallelFor(int64_t count, double operations,
                 const std::function<void(int64_t)> &task) {
  std::atomic<int64_t> next = 0;
  std::exception_ptr error;
  std::mutex errorMutex;
  auto work = [&] {
    try {
      for (int64_t i = next++; i < count; i = next++)
        task(i);
    } catch (...) { // Memory that a task does not get.
      std::lock_guard lock(errorMutex);
      error = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> threads;
  int64_t wanted = threadCount(count, operations);
  threads.reserve(static_cast<size_t>(wanted));
  try {
    while (static_cast<int64_t>(threads.size()) + 1 < wanted)
      threads.emplace_back(work);
  } catch (const std::system_error &) {
    // The threads that there are do the work.
  }
  work();
  for (std::thread &thread : threads)
    thread.join();
  if (error)
    std::rethrow_exception(error);
}

} // namespace rung::reference
