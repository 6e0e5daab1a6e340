//===- Interface.h - a bundle as the C interface shows it -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_API_INTERFACE_H
#define RUNG_RUNTIME_API_INTERFACE_H

#include "runtime/bundle/Reader.h"
#include "runtime/rung.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rung {

/// An input or output; points into the bundle.
struct PortInfo {
  const char *name = nullptr;
  rung_dtype dtype = RUNG_F32;
  std::vector<int64_t> dims;
  int32_t state = RUNG_NONE;

  rung_port view() const {
    return {name, dtype, static_cast<uint32_t>(dims.size()), dims.data(),
            state};
  }
  /// "f32[T, B, 40]".
  std::string typeText() const;
};

struct FunctionInfo {
  const char *name = nullptr;
  std::vector<PortInfo> inputs;
  std::vector<PortInfo> outputs;
};

/// A bundle with its functions in the types of the C interface. Shared by the
/// handles that point into it.
struct Interface {
  explicit Interface(BundleReader reader);
  Interface(const Interface &) = delete;

  BundleReader reader;
  std::vector<FunctionInfo> functions;
};

/// The reader of \p shared, kept alive together with it.
inline std::shared_ptr<const BundleReader>
readerOf(const std::shared_ptr<const Interface> &shared) {
  return {shared, &shared->reader};
}

/// "f32[4, 2, 40]".
std::string describe(rung_dtype dtype, const int64_t *shape, uint32_t rank);

} // namespace rung

#endif // RUNG_RUNTIME_API_INTERFACE_H
