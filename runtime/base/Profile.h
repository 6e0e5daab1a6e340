//===- Profile.h - what a device can do, as data ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_RUNTIME_BASE_PROFILE_H
#define RUNG_RUNTIME_BASE_PROFILE_H

#include "runtime/base/ScalarType.h"
#include "runtime/base/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rung {

/// Device features that kernels may need; numbered as in the bundle's enum.
enum class Feature : uint8_t {
  Float16,             ///< f16 arithmetic in shaders.
  Int16,               ///< 16-bit integer arithmetic.
  Int8,                ///< 8-bit integer arithmetic.
  Storage16,           ///< 16-bit elements in storage buffers.
  Storage8,            ///< 8-bit elements in storage buffers.
  CooperativeMatrix,   ///< VK_KHR_cooperative_matrix.
  BFloat16Cooperative, ///< bf16 components in cooperative matrices.
  VulkanMemoryModel,   ///< The Vulkan memory model.
  SubgroupSizeControl, ///< A pipeline can require a subgroup size.
  /// What Float16Controls says: kernels can ask for it, and no list repeats it.
  Float16RoundToNearest,
  Float16PreserveDenormals,
  DeviceScope, ///< The memory model orders accesses of different workgroups.
  IntegerDot,  ///< Products of four s8 at once, summed in i32.
  SubgroupArithmetic, ///< Sums over a subgroup.
};
inline constexpr unsigned kFeatureCount = 14;

/// The enumerator's name: "Float16" …
std::string_view toString(Feature feature);
std::optional<Feature> parseFeature(std::string_view name);

/// One subgroup-scope product: D[m,n] = A[m,k] B[k,n] + C[m,n].
struct CooperativeShape {
  uint32_t m = 0, n = 0, k = 0;
  ScalarType a{}, b{}, c{}, d{};
  bool operator==(const CooperativeShape &) const = default;
};

/// "16x16x16 f16 x f16 + f32 -> f32".
std::string toString(const CooperativeShape &shape);

/// Vulkan's encoding, major << 22 | minor << 12 | patch.
constexpr uint32_t makeApiVersion(uint32_t major, uint32_t minor,
                                  uint32_t patch = 0) {
  return major << 22 | minor << 12 | patch;
}
/// "1.3" or, with a patch, "1.4.312".
std::string formatApiVersion(uint32_t version);
std::optional<uint32_t> parseApiVersion(std::string_view text);

/// What a device promises about f16 arithmetic.
struct Float16Controls {
  bool roundToNearestEven = false;
  bool preservesDenormals = false;
  /// A multiply-add rounds once. No query tells: a shipped profile may know.
  bool fusedMultiplyAdd = false;
  /// Whether the feature is one of these promises, and is made.
  bool promise(Feature feature) const;
  bool operator==(const Float16Controls &) const = default;
};

/// Upper bounds for reports; 0 = not known.
struct Peaks {
  double flopsF32 = 0;            ///< Plain f32 operations a second.
  double flopsF16 = 0;            ///< Plain f16 operations a second.
  double flopsCooperativeF16 = 0; ///< Matrix operations a second, f16 -> f32.
  double opsCooperativeS8 = 0;    ///< Matrix operations a second, s8 -> s32.
  double bytesPerSecond = 0;      ///< Device memory.
  bool operator==(const Peaks &) const = default;
};

struct Profile {
  std::string name;        ///< "generic", "lavapipe", "nvidia-hopper" …
  std::string description; ///< One line for people.
  uint32_t apiVersion = makeApiVersion(1, 3);
  uint32_t subgroupSize = 0; ///< 0 = not known.
  uint32_t minSubgroupSize = 0, maxSubgroupSize = 0;
  uint32_t sharedMemoryBytes = 16384; ///< Of one workgroup.
  uint32_t maxWorkgroupInvocations = 128;
  uint32_t maxPushConstantBytes = 128;
  uint64_t maxStorageBufferBytes = uint64_t(1) << 27;
  uint32_t computeUnits = 0; ///< Workgroups that run at once; 0 = not known.
  std::vector<Feature> features; ///< Ascending, each once.
  std::vector<CooperativeShape> cooperative;
  Float16Controls float16;
  /// Whether workgroups that are all resident make progress together, and a
  /// running kernel sees what the host writes into the device's memory.
  bool jointProgress = false;
  Peaks peaks;

  bool has(Feature feature) const;
  bool has(const CooperativeShape &shape) const;
  bool operator==(const Profile &) const = default;
};

/// Reads JSON as writeProfile writes it. Keys that may be absent have the
/// defaults above; unknown keys and wrong types are errors that name the key.
Result<Profile> parseProfile(std::string_view json);
Result<Profile> readProfile(const std::string &path);

/// JSON, indented by two, keys in the order of the struct, newline at the end.
std::string writeProfile(const Profile &profile);

} // namespace rung

#endif // RUNG_RUNTIME_BASE_PROFILE_H
