//===- NpyHeader.h - the dictionary at the head of .npy ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_NPYHEADER_H
#define RUNG_RUNTIME_BASE_NPYHEADER_H

#include "runtime/base/ScalarType.h"
#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rung {

struct NpyHeader {
  ScalarType type = ScalarType::F32;
  bool bigEndian = false;
  bool fortranOrder = false;
  std::vector<uint64_t> shape;
};

/// Parses {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
Result<NpyHeader> parseNpyHeader(std::string_view text);

/// The same, padded so that the data of a version 1.0 file are 64-byte aligned.
/// \p type is not bf16.
std::string formatNpyHeader(ScalarType type,
                            const std::vector<uint64_t> &shape);

} // namespace rung

#endif // RUNG_RUNTIME_BASE_NPYHEADER_H
