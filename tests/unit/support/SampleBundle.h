//===- SampleBundle.h - a small bundle with a bit of everything -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_SUPPORT_SAMPLEBUNDLE_H
#define RUNG_TESTS_UNIT_SUPPORT_SAMPLEBUNDLE_H

#include "runtime/bundle/Writer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rung::test {

// Pieces, for bundles of a test's own.

std::unique_ptr<fb::TensorTypeT> tensorType(ScalarType element,
                                            std::vector<int32_t> dims);
std::unique_ptr<fb::PortT> port(std::string name, ScalarType element,
                                std::vector<int32_t> dims);
std::unique_ptr<fb::StateLinkT> stateLink(std::string name, uint32_t input,
                                          uint32_t output);
std::unique_ptr<fb::AttributeT> attribute(std::string name, int64_t value);
std::unique_ptr<fb::AttributeT> attribute(std::string name, std::string value);
std::unique_ptr<fb::AttributeT> attribute(std::string name,
                                          std::vector<int64_t> value);
std::unique_ptr<fb::NodeT> node(std::string op, std::vector<uint32_t> operands,
                                std::vector<uint32_t> results);
std::unique_ptr<fb::ExtentT> extent(std::vector<fb::Factor> factors);
/// A module whose one entry point does nothing.
std::vector<uint32_t> emptyShader(std::string_view entry, uint32_t localX);

/// Two functions, `encode` and `step`, that share three weights; `step`
/// generates from `encode`'s state. Two variants, of which the second needs
/// cooperative matrices. Its kernels do nothing.
struct SampleBundle {
  SampleBundle();
  fb::BundleT bundle;
  BlobBuilder blob;

  /// The file, which must verify.
  std::vector<std::byte> file() const;
  /// The file, whatever is in it.
  std::vector<std::byte> unverifiedFile() const;
};

/// \p bundle as FlatBuffers packs it, unverified.
std::vector<std::byte> packMetadata(const fb::BundleT &bundle);

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_SUPPORT_SAMPLEBUNDLE_H
