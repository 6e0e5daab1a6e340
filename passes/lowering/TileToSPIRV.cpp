//===- TileToSPIRV.cpp - kernels become SPIR-V modules ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "dialects/tile/TileOps.h"
#include "mlir/Conversion/ArithToSPIRV/ArithToSPIRV.h"
#include "mlir/Conversion/GPUToSPIRV/GPUToSPIRV.h"
#include "mlir/Conversion/MathToSPIRV/MathToSPIRV.h"
#include "mlir/Conversion/MemRefToSPIRV/MemRefToSPIRV.h"
#include "mlir/Conversion/UBToSPIRV/UBToSPIRV.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "passes/lowering/GridWaits.h"
#include "passes/lowering/TilePasses.h"
#include "passes/lowering/TileToSPIRVPatterns.h"

namespace rung {
#define GEN_PASS_DEF_TILETOSPIRV
#include "passes/lowering/TilePasses.h.inc"
} // namespace rung

using namespace mlir;
using namespace rung;

/// Everything that a kernel may use; what it does use is found afterwards.
static spirv::TargetEnvAttr permissiveTarget(MLIRContext *context) {
  using C = spirv::Capability;
  using E = spirv::Extension;
  auto triple = spirv::VerCapExtAttr::get(
      spirv::Version::V_1_6,
      {C::Shader, C::VulkanMemoryModel, C::VulkanMemoryModelDeviceScope,
       C::Float16, C::Int16, C::Int8, C::StorageBuffer16BitAccess,
       C::StorageBuffer8BitAccess, C::GroupNonUniform,
       C::GroupNonUniformArithmetic, C::DotProduct,
       C::DotProductInput4x8BitPacked, C::CooperativeMatrixKHR,
       C::BFloat16TypeKHR, C::BFloat16CooperativeMatrixKHR},
      {E::SPV_KHR_cooperative_matrix, E::SPV_KHR_integer_dot_product,
       E::SPV_KHR_bfloat16, E::SPV_KHR_vulkan_memory_model,
       E::SPV_KHR_8bit_storage, E::SPV_KHR_16bit_storage,
       E::SPV_KHR_storage_buffer_storage_class},
      context);
  return spirv::TargetEnvAttr::get(triple,
                                   spirv::getDefaultResourceLimits(context),
                                   spirv::ClientAPI::Vulkan);
}

//===----------------------------------------------------------------------===//
// The frame: module, function, interface
//===----------------------------------------------------------------------===//

/// Gives the function's body addresses for a buffer and for its views: each
/// type that the buffer is seen in has a variable on the buffer's binding.
static LogicalResult emitBuffer(tile::KernelOp kernel, int64_t number,
                                BlockArgument buffer,
                                ImplicitLocOpBuilder &globals,
                                ImplicitLocOpBuilder &b,
                                SPIRVTypeConverter &types) {
  llvm::MapVector<Type, SmallVector<Value>> seen;
  for (Operation *user : buffer.getUsers())
    if (auto view = dyn_cast<tile::ViewOp>(user))
      seen[view.getView().getType()].push_back(view.getView());
  bool whole = llvm::any_of(buffer.getUsers(), [](Operation *user) {
    return !isa<tile::ViewOp>(user);
  });
  if (whole || seen.empty())
    seen[buffer.getType()].push_back(buffer);
  for (auto &[memory, values] : seen) {
    Type type = types.convertType(memory);
    if (!type)
      return kernel.emitOpError("buffer ")
             << number << " of type " << memory
             << " has no SPIR-V type; run tile-distribute first";
    std::string name = "buffer_" + std::to_string(number);
    if (auto unit =
            dyn_cast<VectorType>(cast<MemRefType>(memory).getElementType()))
      name += "_x" + std::to_string(unit.getNumElements());
    else if (memory != buffer.getType())
      name += "_x1";
    auto variable = globals.create<spirv::GlobalVariableOp>(
        type, name, /*descriptorSet=*/0, number);
    if (kernel.getBufferAccess(number) == tile::Access::Read)
      variable->setAttr("non_writable", b.getUnitAttr());
    if (seen.size() > 1)
      variable->setAttr("aliased", b.getUnitAttr());
    for (Value value : values) {
      Value address = b.create<spirv::AddressOfOp>(variable);
      value.replaceAllUsesWith(
          b.create<UnrealizedConversionCastOp>(memory, address).getResult(0));
      if (auto view = value.getDefiningOp<tile::ViewOp>())
        view.erase();
    }
  }
  return success();
}

/// Gives the function's body values for the kernel's arguments: addresses of
/// storage buffers and loaded push constants.
static LogicalResult emitInterface(tile::KernelOp kernel,
                                   spirv::ModuleOp module, Block &entry,
                                   SPIRVTypeConverter &types) {
  ImplicitLocOpBuilder globals(kernel.getLoc(), module.getContext());
  globals.setInsertionPointToStart(module.getBody());
  ImplicitLocOpBuilder b(kernel.getLoc(), module.getContext());
  b.setInsertionPointToStart(&entry);
  auto replace = [&](BlockArgument argument, Value with) {
    auto cast = b.create<UnrealizedConversionCastOp>(argument.getType(), with);
    argument.replaceAllUsesWith(cast.getResult(0));
  };
  for (int64_t i = 0, e = kernel.getBufferCount(); i < e; ++i)
    if (failed(emitBuffer(kernel, i, entry.getArgument(i), globals, b, types)))
      return failure();
  int64_t count = entry.getNumArguments() - kernel.getBufferCount();
  if (count == 0)
    return success();
  Type i32 = b.getI32Type();
  SmallVector<Type> members(count, i32);
  SmallVector<spirv::StructType::OffsetInfo> offsets;
  for (int64_t i = 0; i < count; ++i)
    offsets.push_back(i * 4);
  auto type = spirv::PointerType::get(spirv::StructType::get(members, offsets),
                                      spirv::StorageClass::PushConstant);
  auto variable = globals.create<spirv::GlobalVariableOp>(type, "push",
                                                          FlatSymbolRefAttr());
  Value address = b.create<spirv::AddressOfOp>(variable);
  for (int64_t i = 0; i < count; ++i) {
    Value member =
        spirv::ConstantOp::create(b, b.getLoc(), i32, b.getI32IntegerAttr(i));
    Value pointer = b.create<spirv::AccessChainOp>(address, member);
    replace(entry.getArgument(kernel.getBufferCount() + i),
            b.create<spirv::LoadOp>(pointer));
  }
  return success();
}

static FailureOr<spirv::ModuleOp> emitFrame(tile::KernelOp kernel,
                                            SPIRVTypeConverter &types) {
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel);
  auto module = b.create<spirv::ModuleOp>(
      spirv::AddressingModel::Logical, spirv::MemoryModel::Vulkan,
      /*vce_triple=*/std::nullopt, kernel.getSymName());
  module->setAttr("tile.layout", kernel.getLayout());
  module->setAttr("tile.access", kernel.getAccess());
  // What the passes behind this one check.
  for (StringRef name :
       {"tile.mma_count", "rung.forbid", "rung.edges", kJointAttr})
    if (Attribute value = kernel->getAttr(name))
      module->setAttr(name, value);
  b.setInsertionPointToStart(module.getBody());
  auto function =
      b.create<spirv::FuncOp>(kernel.getSymName(), b.getFunctionType({}, {}));
  function.getBody().takeBody(kernel.getBodyRegion());
  Block &entry = function.getBody().front();
  if (failed(emitInterface(kernel, module, entry, types)))
    return failure();
  entry.eraseArguments(0, entry.getNumArguments());
  return module;
}

/// Entry point and execution mode, once all variables are known.
static void emitEntryPoint(spirv::ModuleOp module, tile::LayoutAttr layout) {
  SmallVector<Attribute> interface;
  for (auto variable : module.getOps<spirv::GlobalVariableOp>())
    interface.push_back(FlatSymbolRefAttr::get(variable.getSymNameAttr()));
  auto function = *module.getOps<spirv::FuncOp>().begin();
  ImplicitLocOpBuilder b(module.getLoc(), module.getContext());
  b.setInsertionPointToEnd(module.getBody());
  b.create<spirv::EntryPointOp>(spirv::ExecutionModel::GLCompute, function,
                                interface);
  b.create<spirv::ExecutionModeOp>(
      function, spirv::ExecutionMode::LocalSize,
      ArrayRef<int32_t>{static_cast<int32_t>(layout.getThreads()), 1, 1});
}

//===----------------------------------------------------------------------===//
// After the conversion
//===----------------------------------------------------------------------===//

/// Whether workgroups of the module exchange something through storage buffers.
static bool sharesGlobals(spirv::ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return isa<spirv::AtomicIAddOp, spirv::AtomicOrOp,
                   spirv::AtomicExchangeOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The variable that \p pointer points into.
static spirv::GlobalVariableOp variableOf(Value pointer) {
  while (auto chain = pointer.getDefiningOp<spirv::AccessChainOp>())
    pointer = chain.getBasePtr();
  auto address = pointer.getDefiningOp<spirv::AddressOfOp>();
  return address
             ? SymbolTable::lookupNearestSymbolFrom<spirv::GlobalVariableOp>(
                   address, address.getVariableAttr())
             : spirv::GlobalVariableOp();
}

/// In the Vulkan memory model a barrier orders non-private accesses alone.
static void markSharedAccesses(spirv::ModuleOp module) {
  bool globals = sharesGlobals(module);
  auto isShared = [&](Value pointer) {
    switch (cast<spirv::PointerType>(pointer.getType()).getStorageClass()) {
    case spirv::StorageClass::Workgroup:
      return true;
    case spirv::StorageClass::StorageBuffer: {
      if (!globals)
        return false;
      spirv::GlobalVariableOp variable = variableOf(pointer);
      return !variable || !variable->hasAttr("non_writable");
    }
    default:
      return false;
    }
  };
  auto access = spirv::MemoryAccessAttr::get(
      module.getContext(), spirv::MemoryAccess::NonPrivatePointer);
  module.walk([&](Operation *op) {
    if (auto load = dyn_cast<spirv::LoadOp>(op)) {
      // Nontemporal: serialization makes it more than non-private.
      if (isShared(load.getPtr()) && !load.getMemoryAccess())
        load.setMemoryAccessAttr(access);
    } else if (auto store = dyn_cast<spirv::StoreOp>(op)) {
      if (isShared(store.getPtr()))
        store.setMemoryAccessAttr(access);
    } else if (auto load = dyn_cast<spirv::KHRCooperativeMatrixLoadOp>(op)) {
      if (isShared(load.getPointer()))
        load.setMemoryOperandAttr(access);
    } else if (auto store = dyn_cast<spirv::KHRCooperativeMatrixStoreOp>(op)) {
      if (isShared(store.getPointer()))
        store.setMemoryOperandAttr(access);
    }
  });
}

/// Raises the version that the ops need to the one that Vulkan 1.3 has, since
/// the entry point lists all variables, and adds what no op asks for.
static void finishVersionAndCapabilities(spirv::ModuleOp module) {
  std::optional<spirv::VerCapExtAttr> found = module.getVceTriple();
  SmallVector<spirv::Capability> capabilities;
  SmallVector<spirv::Extension> extensions;
  if (found) {
    llvm::append_range(capabilities, found->getCapabilities());
    llvm::append_range(extensions, found->getExtensions());
  }
  auto need = [&](spirv::Capability capability) {
    if (!llvm::is_contained(capabilities, capability))
      capabilities.push_back(capability);
  };
  need(spirv::Capability::Shader);
  need(spirv::Capability::VulkanMemoryModel);
  for (auto variable : module.getOps<spirv::GlobalVariableOp>())
    if (auto name = variable->getAttrOfType<StringAttr>("built_in");
        name && name.getValue() == "SubgroupId")
      need(spirv::Capability::GroupNonUniform);
  if (sharesGlobals(module))
    need(spirv::Capability::VulkanMemoryModelDeviceScope);
  // Part of the version itself since 1.3, 1.5 and 1.6.
  llvm::erase_if(extensions, [](spirv::Extension extension) {
    using E = spirv::Extension;
    return llvm::is_contained(
        {E::SPV_KHR_integer_dot_product,
         E::SPV_KHR_storage_buffer_storage_class, E::SPV_KHR_16bit_storage,
         E::SPV_KHR_8bit_storage, E::SPV_KHR_vulkan_memory_model},
        extension);
  });
  module.setVceTripleAttr(spirv::VerCapExtAttr::get(
      spirv::Version::V_1_6, capabilities, extensions, module.getContext()));
}

namespace {
struct TileToSPIRV : rung::impl::TileToSPIRVBase<TileToSPIRV> {
  void runOnOperation() override {
    SmallVector<tile::KernelOp> kernels(
        getOperation().getOps<tile::KernelOp>());
    for (tile::KernelOp kernel : kernels)
      if (failed(convert(kernel)))
        return signalPassFailure();
  }

  LogicalResult convert(tile::KernelOp kernel) {
    if (kernel.getLayout().getCooperative())
      shareReciprocals(kernel);
    spirv::TargetEnvAttr target = permissiveTarget(&getContext());
    SPIRVConversionOptions options;
    options.use64bitIndex = false;
    SPIRVTypeConverter types(target, options);
    FailureOr<spirv::ModuleOp> module = emitFrame(kernel, types);
    if (failed(module) || failed(convertBody(*module, target, types)))
      return failure();
    emitEntryPoint(*module, kernel.getLayout());
    kernel.erase();
    markSharedAccesses(*module);
    protectHalfArithmetic(*module);

    (*module)->setAttr(spirv::getTargetEnvAttrName(), target);
    OpPassManager capabilities(spirv::ModuleOp::getOperationName());
    capabilities.addPass(spirv::createSPIRVUpdateVCEPass());
    if (failed(runPipeline(capabilities, *module)))
      return failure();
    (*module)->removeAttr(spirv::getTargetEnvAttrName());
    finishVersionAndCapabilities(*module);
    return success();
  }

  LogicalResult convertBody(spirv::ModuleOp module, spirv::TargetEnvAttr target,
                            SPIRVTypeConverter &types) {
    RewritePatternSet patterns(&getContext());
    populateTileControlFlowPatterns(types, patterns);
    populateTileMemoryPatterns(types, patterns);
    populateTileMathPatterns(types, patterns);
    arith::populateArithToSPIRVPatterns(types, patterns);
    populateMathToSPIRVPatterns(types, patterns);
    populateMemRefToSPIRVPatterns(types, patterns);
    populateGPUToSPIRVPatterns(types, patterns);
    ub::populateUBToSPIRVConversionPatterns(types, patterns);
    std::unique_ptr<ConversionTarget> legal =
        SPIRVConversionTarget::get(target);
    SmallVector<Operation *> functions;
    for (auto function : module.getOps<spirv::FuncOp>())
      functions.push_back(function);
    return applyFullConversion(functions, *legal, std::move(patterns));
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<spirv::SPIRVDialect>();
  }
};
} // namespace
