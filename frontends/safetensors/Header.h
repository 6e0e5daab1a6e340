//===- Header.h - the table of a safetensors file ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef RUNG_FRONTENDS_SAFETENSORS_HEADER_H
#define RUNG_FRONTENDS_SAFETENSORS_HEADER_H

#include "frontends/Diagnostics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rung::safetensors {

/// Headers may not be longer than this many bytes.
inline constexpr uint64_t kMaxHeaderBytes = 100'000'000;

/// One tensor of a file; `data` lies within the bytes the header was read
/// from, and is exactly as long as `dtype` and `shape` need.
struct Tensor {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  std::string_view data;
  /// The file it is in, for messages.
  std::string file;

  int64_t elementCount() const;
};

/// `[2, 3]`.
std::string shapeText(const std::vector<int64_t> &shape);

/// Reads and checks the whole table of `bytes`, the contents of a file: every
/// tensor has a known dtype and as many bytes as its shape needs, and together
/// they cover the data without overlap or gap.
std::optional<std::vector<Tensor>> readHeader(std::string_view bytes,
                                              const FileDiagnostics &report);

} // namespace rung::safetensors

#endif // RUNG_FRONTENDS_SAFETENSORS_HEADER_H
