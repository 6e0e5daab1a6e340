//===- KernelInfo.cpp - what a kernel asks of a device --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/spirv/KernelInfo.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir;

namespace rung {

namespace {

std::optional<Feature> featureOf(spirv::Capability capability) {
  using C = spirv::Capability;
  switch (capability) {
  case C::Float16:
    return Feature::Float16;
  case C::Int16:
    return Feature::Int16;
  case C::Int8:
    return Feature::Int8;
  case C::StorageBuffer16BitAccess:
    return Feature::Storage16;
  case C::StorageBuffer8BitAccess:
    return Feature::Storage8;
  case C::CooperativeMatrixKHR:
    return Feature::CooperativeMatrix;
  case C::BFloat16CooperativeMatrixKHR:
    return Feature::BFloat16Cooperative;
  case C::VulkanMemoryModel:
    return Feature::VulkanMemoryModel;
  case C::VulkanMemoryModelDeviceScope:
    return Feature::DeviceScope;
  case C::DotProductInput4x8BitPacked:
    return Feature::IntegerDot;
  case C::GroupNonUniformArithmetic:
    return Feature::SubgroupArithmetic;
  case C::RoundingModeRTE:
    return Feature::Float16RoundToNearest;
  case C::DenormPreserve:
    return Feature::Float16PreserveDenormals;
  default:
    return std::nullopt;
  }
}

ScalarType scalarOf(Type type) {
  if (type.isF16())
    return ScalarType::F16;
  if (type.isBF16())
    return ScalarType::BF16;
  if (type.isF32())
    return ScalarType::F32;
  return type.isInteger(8) ? ScalarType::S8 : ScalarType::I32;
}

/// Bytes of a Workgroup variable of nested arrays of scalars.
uint32_t bytesOf(Type type) {
  if (auto array = dyn_cast<spirv::ArrayType>(type))
    return array.getNumElements() * bytesOf(array.getElementType());
  if (auto structure = dyn_cast<spirv::StructType>(type)) {
    uint32_t bytes = 0;
    for (Type member : structure.getElementTypes())
      bytes += bytesOf(member);
    return bytes;
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * bytesOf(vector.getElementType());
  return type.getIntOrFloatBitWidth() / 8;
}

void inspectVariable(spirv::GlobalVariableOp variable, KernelInfo &info) {
  auto pointer = cast<spirv::PointerType>(variable.getType());
  switch (pointer.getStorageClass()) {
  case spirv::StorageClass::StorageBuffer:
    // A buffer has a variable for each type that it is seen in.
    info.bindings =
        std::max(info.bindings, variable.getBinding().value_or(0) + 1);
    break;
  case spirv::StorageClass::PushConstant:
    info.pushBytes += bytesOf(pointer.getPointeeType());
    break;
  case spirv::StorageClass::Workgroup:
    info.sharedBytes += bytesOf(pointer.getPointeeType());
    break;
  default:
    break;
  }
}

CooperativeShape shapeOf(spirv::KHRCooperativeMatrixMulAddOp op) {
  auto a = cast<spirv::CooperativeMatrixType>(op.getA().getType());
  auto b = cast<spirv::CooperativeMatrixType>(op.getB().getType());
  auto c = cast<spirv::CooperativeMatrixType>(op.getC().getType());
  return {uint32_t(a.getRows()),        uint32_t(b.getColumns()),
          uint32_t(a.getColumns()),     scalarOf(a.getElementType()),
          scalarOf(b.getElementType()), scalarOf(c.getElementType()),
          scalarOf(c.getElementType())};
}

} // namespace

FailureOr<KernelInfo> inspectKernel(spirv::ModuleOp module) {
  KernelInfo info;
  auto entries = module.getOps<spirv::EntryPointOp>();
  auto layout = module->getAttrOfType<tile::LayoutAttr>("tile.layout");
  auto access = module->getAttrOfType<ArrayAttr>("tile.access");
  std::optional<spirv::VerCapExtAttr> triple = module.getVceTriple();
  if (!llvm::hasSingleElement(entries) || !layout || !access || !triple)
    return module.emitError("module is not a kernel: it lacks an entry point, "
                            "'tile.layout', 'tile.access' or capabilities");
  info.entry = (*entries.begin()).getFn().str();
  info.localSize = layout.getThreads();
  if (layout.getCooperative())
    info.subgroupSize = layout.getSubgroupSize();
  for (auto attribute : access.getAsRange<tile::AccessAttr>())
    info.access.push_back(attribute.getValue());
  std::set<Feature> features;
  for (spirv::Capability capability : triple->getCapabilities())
    if (auto feature = featureOf(capability))
      features.insert(*feature);
  info.features.assign(features.begin(), features.end());
  for (auto variable : module.getOps<spirv::GlobalVariableOp>())
    inspectVariable(variable, info);
  module.walk([&](spirv::KHRCooperativeMatrixMulAddOp op) {
    CooperativeShape shape = shapeOf(op);
    if (!llvm::is_contained(info.shapes, shape))
      info.shapes.push_back(shape);
  });
  if (info.bindings != info.access.size())
    return module.emitError("module has ")
           << info.bindings << " storage buffers and says what is done to "
           << info.access.size();
  return info;
}

} // namespace rung
