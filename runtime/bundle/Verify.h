//===- Verify.h - the rules that a bundle keeps -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BUNDLE_VERIFY_H
#define RUNG_RUNTIME_BUNDLE_VERIFY_H

#include "runtime/base/Status.h"
#include "runtime/bundle/Format.h"
#include "runtime/bundle/Types.h"

namespace rung {

/// The root of the metadata, if they and the blob keep every rule of
/// docs/bundle-format.md; else an error that says what is wrong where. The
/// metadata must be aligned to 8 bytes.
Result<const fb::Bundle *> verifyBundle(const BundleParts &parts);

} // namespace rung

#endif // RUNG_RUNTIME_BUNDLE_VERIFY_H
