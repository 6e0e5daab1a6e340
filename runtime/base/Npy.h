//===- Npy.h - NumPy's .npy and .npz files ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_NPY_H
#define RUNG_RUNTIME_BASE_NPY_H

#include "runtime/base/Status.h"
#include "runtime/base/Tensor.h"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rung {

/// Versions 1.0 to 3.0; types f2 f4 f8 i1 u1 i2 i4 i8 b1; Fortran order comes
/// out transposed to C order, big-endian swapped.
Result<Tensor> parseNpy(std::span<const std::byte> bytes);
Result<Tensor> readNpy(const std::string &path);

/// Version 1.0 as NumPy writes it. NumPy has no bf16: it is written as f4.
std::vector<std::byte> serializeNpy(const Tensor &tensor);
Status writeNpy(const std::string &path, const Tensor &tensor);

/// Name and tensor, in the order of the archive.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// Stored and deflated members, names without their ".npy".
Result<NamedTensors> parseNpz(std::span<const std::byte> bytes);
Result<NamedTensors> readNpz(const std::string &path);

/// Deterministic: dates are fixed. Members are stored, or deflated if
/// \p compress.
Status writeNpz(const std::string &path, const NamedTensors &tensors,
                bool compress = false);

} // namespace rung

#endif // RUNG_RUNTIME_BASE_NPY_H
