//===- MessageLog.h - what the validation layer said ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_MESSAGELOG_H
#define RUNG_RUNTIME_VULKAN_MESSAGELOG_H

#include "runtime/base/Status.h"
#include "runtime/base/Text.h"

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace rung {

/// Messages of the validation layer, which may arrive on any thread.
class MessageLog {
public:
  void add(std::string message) {
    std::lock_guard lock(mutex_);
    messages_.push_back(std::move(message));
  }

  std::vector<std::string> take() {
    std::lock_guard lock(mutex_);
    return std::exchange(messages_, {});
  }

  /// Takes the messages; an error that quotes the first, if there is any.
  Status takeAsStatus() {
    std::vector<std::string> messages = take();
    if (messages.empty())
      return Status::ok();
    return Status(StatusCode::Device,
                  concat("the validation layer reports ", messages.size(),
                         messages.size() == 1 ? " time" : " times",
                         ", first: ", messages.front()));
  }

private:
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_MESSAGELOG_H
