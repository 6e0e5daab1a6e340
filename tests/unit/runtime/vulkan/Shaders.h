//===- Shaders.h - the test kernels as SPIR-V -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_RUNTIME_VULKAN_SHADERS_H
#define RUNG_TESTS_UNIT_RUNTIME_VULKAN_SHADERS_H

// The generated headers need it and don't say so.
#include <cstdint>

#include "tests/unit/runtime/vulkan/AddConstant.h"
#include "tests/unit/runtime/vulkan/Affine.h"
#include "tests/unit/runtime/vulkan/Copy.h"
#include "tests/unit/runtime/vulkan/SmallTypes.h"
#include "tests/unit/runtime/vulkan/Spin.h"
#include "tests/unit/runtime/vulkan/Step.h"
#include "tests/unit/runtime/vulkan/Subgroup.h"
#if RUNG_HAVE_COOPERATIVE_GLSL
#include "tests/unit/runtime/vulkan/Cooperative16.h"
#include "tests/unit/runtime/vulkan/Cooperative8.h"
#endif

#endif // RUNG_TESTS_UNIT_RUNTIME_VULKAN_SHADERS_H
