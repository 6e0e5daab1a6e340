//===- ReferenceBackend.h - the device called "reference" -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_REFERENCEBACKEND_H
#define RUNG_RUNTIME_REFERENCE_REFERENCEBACKEND_H

#include "runtime/api/Backend.h"
#include "runtime/bundle/Reader.h"

#include <memory>
#include <optional>
#include <string_view>

namespace rung {

/// The devices that interpret a bundle's graphs on the CPU.
enum class ReferenceDevice {
  /// "reference": what the kernels compute, every rounding of theirs modelled;
  /// integers to the bit. f32 is the exception: it stands for real numbers
  /// within a graph, and each is rounded where a graph converts or a state is
  /// carried.
  Reference,
  /// "exact": the model as it was given, in double precision; a state is
  /// rounded between runs, not within one.
  Exact,
  /// "exact-own": the same with the weights that the kernels use.
  ExactOwn,
};

/// The device of that name, if it is one of these.
std::optional<ReferenceDevice> parseReferenceDevice(std::string_view name);

/// Makes a backend that interprets. Functions are bound when they first run, so
/// that one with an op that can't be interpreted doesn't keep the others from
/// running. A state that only the kernels have (random numbers') is passed
/// through by the exact devices.
Result<std::unique_ptr<Backend>>
makeReferenceBackend(std::shared_ptr<const BundleReader> bundle,
                     ReferenceDevice device = ReferenceDevice::Reference);

} // namespace rung

#endif // RUNG_RUNTIME_REFERENCE_REFERENCEBACKEND_H
