//===- TestModels.h - small models with hand-written kernels ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_RUNTIME_VULKAN_TESTMODELS_H
#define RUNG_TESTS_UNIT_RUNTIME_VULKAN_TESTMODELS_H

#include "runtime/bundle/Reader.h"
#include "tests/unit/runtime/vulkan/TestProgram.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rung::test {

/// The file of a bundle of one function, which must verify.
std::vector<std::byte>
serializeModel(FunctionBuilder function,
               std::vector<std::unique_ptr<fb::VariantT>> variants,
               std::span<const std::byte> blob = {});
std::vector<std::byte> serializeModel(FunctionBuilder function,
                                      TestProgram program,
                                      std::span<const std::byte> blob = {});

BundleReader readModel(std::span<const std::byte> file);

/// `affine`: y = 2 x + h, with x and y of [T, B, width] and a state h of
/// [B, width] that is passed through.
std::vector<std::byte> affineModel(uint32_t width);
std::vector<float> affineReference(std::span<const float> x,
                                   std::span<const float> h);

/// `decay`: h = h / 2 + w x[t], y[t] = h, as a repeat of one dispatch a step;
/// ports as `affine` has them.
std::vector<std::byte> decayModel(std::span<const float> w);
struct DecayResult {
  std::vector<float> y, h;
};
DecayResult decayReference(std::span<const float> x, std::vector<float> h,
                           std::span<const float> w);

/// `chain`: y = x + sum of `constants`, one dispatch each, through two scratch
/// buffers that take turns.
std::vector<std::byte> chainModel(uint32_t width,
                                  std::span<const uint32_t> constants);

/// `independent`: y<i> = x + i for each of \p outputs outputs; no dispatch
/// depends on another.
std::vector<std::byte> independentModel(uint32_t width, uint32_t outputs);

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_RUNTIME_VULKAN_TESTMODELS_H
