//===- ReferenceBackend.h - the device called "reference" -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_REFERENCE_REFERENCEBACKEND_H
#define RUNG_RUNTIME_REFERENCE_REFERENCEBACKEND_H

#include "runtime/api/Backend.h"
#include "runtime/bundle/Reader.h"

#include <memory>

namespace rung {

/// Makes the backend that interprets the bundle's graph on the CPU, in double
/// precision. Functions are bound when they first run, so that one with an op
/// that can't be interpreted doesn't keep the others from running.
Result<std::unique_ptr<Backend>>
makeReferenceBackend(std::shared_ptr<const BundleReader> bundle);

} // namespace rung

#endif // RUNG_RUNTIME_REFERENCE_REFERENCEBACKEND_H
