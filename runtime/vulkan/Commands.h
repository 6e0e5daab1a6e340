//===- Commands.h - recording into command buffers --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_VULKAN_COMMANDS_H
#define RUNG_RUNTIME_VULKAN_COMMANDS_H

#include "runtime/base/Status.h"
#include "runtime/vulkan/VulkanHeaders.h"

namespace rung {

class Device;

/// Empties \p commands and starts to record. They may be submitted any number
/// of times, one after the other.
Status beginCommands(const Device &device, VkCommandBuffer commands);
Status endCommands(const Device &device, VkCommandBuffer commands);

/// Who touches memory on one side of a barrier.
enum class Actor { Kernel, Copy, Host };

/// Makes what \p before wrote visible to \p after, and keeps \p after from
/// writing what \p before still reads. Covers all buffers: a barrier's cost is
/// the wait, not the number of buffers.
void recordBarrier(const Device &device, VkCommandBuffer commands, Actor before,
                   Actor after);

} // namespace rung

#endif // RUNG_RUNTIME_VULKAN_COMMANDS_H
