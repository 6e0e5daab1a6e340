//===- VulkanStatus.cpp - VkResult as Status --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/vulkan/VulkanStatus.h"

#include "runtime/base/Text.h"

namespace rung {

namespace {

/// What is known of a result: its name, what kind of error, what it means.
struct ResultEntry {
  VkResult result;
  std::string_view name;
  StatusCode code;
  std::string_view meaning;
};

#define RUNG_RESULT(NAME, CODE, MEANING)                                       \
  {NAME, #NAME, StatusCode::CODE, MEANING}
constexpr ResultEntry kResults[] = {
    RUNG_RESULT(VK_SUCCESS, Ok, "success"),
    RUNG_RESULT(VK_NOT_READY, Device, "the result is not there yet"),
    RUNG_RESULT(VK_TIMEOUT, Device, "the wait took too long"),
    RUNG_RESULT(VK_INCOMPLETE, Device, "the list did not fit"),
    RUNG_RESULT(VK_ERROR_OUT_OF_HOST_MEMORY, ResourceExhausted,
                "the host is out of memory"),
    RUNG_RESULT(VK_ERROR_OUT_OF_DEVICE_MEMORY, ResourceExhausted,
                "the device is out of memory"),
    RUNG_RESULT(VK_ERROR_INITIALIZATION_FAILED, Device,
                "the driver could not be initialized"),
    RUNG_RESULT(VK_ERROR_DEVICE_LOST, Device, "the device was lost"),
    RUNG_RESULT(VK_ERROR_MEMORY_MAP_FAILED, ResourceExhausted,
                "memory could not be mapped"),
    RUNG_RESULT(VK_ERROR_LAYER_NOT_PRESENT, Unsupported,
                "a layer is not installed"),
    RUNG_RESULT(VK_ERROR_EXTENSION_NOT_PRESENT, Unsupported,
                "an extension is missing"),
    RUNG_RESULT(VK_ERROR_FEATURE_NOT_PRESENT, Unsupported,
                "a feature is missing"),
    RUNG_RESULT(VK_ERROR_INCOMPATIBLE_DRIVER, Unsupported,
                "no installed driver fits"),
    RUNG_RESULT(VK_ERROR_TOO_MANY_OBJECTS, ResourceExhausted,
                "too many objects exist"),
    RUNG_RESULT(VK_ERROR_FORMAT_NOT_SUPPORTED, Unsupported,
                "a format is missing"),
    RUNG_RESULT(VK_ERROR_FRAGMENTED_POOL, ResourceExhausted,
                "a pool is fragmented"),
    RUNG_RESULT(VK_ERROR_OUT_OF_POOL_MEMORY, ResourceExhausted,
                "a pool is used up"),
    RUNG_RESULT(VK_ERROR_UNKNOWN, Device, "the driver gave no reason"),
};
#undef RUNG_RESULT

const ResultEntry *find(VkResult result) {
  for (const ResultEntry &entry : kResults)
    if (entry.result == result)
      return &entry;
  return nullptr;
}

} // namespace

std::string toString(VkResult result) {
  const ResultEntry *entry = find(result);
  return entry ? concat(entry->name, " (", int(result), ")")
               : concat("VkResult ", int(result));
}

Status toStatus(VkResult result, std::string_view function) {
  if (result == VK_SUCCESS)
    return Status::ok();
  const ResultEntry *entry = find(result);
  std::string message = concat(function, " returned ", toString(result));
  if (!entry)
    return Status(StatusCode::Device, std::move(message));
  return Status(entry->code, concat(message, ": ", entry->meaning));
}

} // namespace rung
