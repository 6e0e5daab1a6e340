//===- VariantEmitter.cpp - kernels and schedules of one target -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/bundle/VariantEmitter.h"

#include "compiler/spirv/KernelInfo.h"
#include "compiler/spirv/Serialize.h"
#include "compiler/spirv/Validate.h"
#include "passes/lowering/GridWaits.h"
#include "passes/lowering/SingleRow.h"
#include "passes/lowering/Stream.h"
#include "runtime/bundle/Types.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;

namespace rung {

namespace {

fb::ExtentT toExtent(tile::ExtentAttr extent) {
  fb::ExtentT result;
  for (tile::FactorAttr factor : extent.getFactors())
    result.factors.push_back(fb::Factor(factor.getDivisor(),
                                        factor.getMultiplier(),
                                        fb::Symbol(factor.getSymbol())));
  return result;
}

class Emitter {
public:
  Emitter(ModuleOp module, const Profile &target, const WeightData &weights,
          BlobPool &blob)
      : module_(module), weights_(weights), blob_(blob) {
    variant_.profile = target.name;
    variant_.requirements = std::make_unique<fb::RequirementsT>();
    requirements().api_version = makeApiVersion(1, 3);
  }

  FailureOr<fb::VariantT> emit(ArrayRef<std::string> functions) {
    for (auto kernel : module_.getOps<spirv::ModuleOp>())
      if (failed(emitKernel(kernel)))
        return failure();
    for (Feature feature : features_)
      requirements().features.push_back(toBundle(feature));
    for (const std::string &name : functions) {
      auto program = module_.lookupSymbol<tile::ProgramOp>(name);
      if (!program)
        return module_.emitError("function '") << name << "' has no program";
      auto schedule = emitSchedule(program);
      if (failed(schedule))
        return failure();
      if (tile::ProgramOp single = singleRowOf(program)) {
        auto own = emitSchedule(single);
        if (failed(own))
          return failure();
        (*schedule)->single_row = std::move(*own);
      }
      variant_.schedules.push_back(std::move(*schedule));
    }
    return std::move(variant_);
  }

private:
  fb::RequirementsT &requirements() { return *variant_.requirements; }

  LogicalResult emitKernel(spirv::ModuleOp module) {
    FailureOr<SmallVector<uint32_t>> words = serialize(module);
    if (failed(words))
      return failure();
    Status valid = validate(*words);
    if (!valid.isOk())
      return module.emitError("kernel '")
             << *module.getName()
             << "' is not valid SPIR-V: " << valid.message();
    FailureOr<KernelInfo> info = inspectKernel(module);
    if (failed(info))
      return failure();
    auto kernel = std::make_unique<fb::KernelT>();
    kernel->name = module.getName()->str();
    kernel->entry = info->entry;
    kernel->spirv.assign(words->begin(), words->end());
    kernel->local_x = info->localSize;
    kernel->bindings = info->bindings;
    kernel->push_bytes = info->pushBytes;
    kernel->required_subgroup_size = info->subgroupSize;
    require(*info);
    kernels_[kernel->name] = variant_.kernels.size();
    variant_.kernels.push_back(std::move(kernel));
    return success();
  }

  void require(const KernelInfo &info) {
    fb::RequirementsT &r = requirements();
    features_.insert(info.features.begin(), info.features.end());
    r.shared_memory_bytes = std::max(r.shared_memory_bytes, info.sharedBytes);
    r.workgroup_invocations = std::max(r.workgroup_invocations, info.localSize);
    if (info.subgroupSize) {
      r.subgroup_size = info.subgroupSize;
      features_.insert(Feature::SubgroupSizeControl);
    }
    for (const CooperativeShape &shape : info.shapes) {
      if (llvm::is_contained(shapes_, shape))
        continue;
      shapes_.push_back(shape);
      r.cooperative.push_back(toBundle(shape));
    }
  }

  /// The program for runs of a single row of the same function, or null.
  tile::ProgramOp singleRowOf(tile::ProgramOp program) {
    auto name = program->getAttrOfType<FlatSymbolRefAttr>(kSingleRowAttr);
    return name ? module_.lookupSymbol<tile::ProgramOp>(name.getAttr())
                : tile::ProgramOp();
  }

  FailureOr<std::unique_ptr<fb::ScheduleT>>
  emitSchedule(tile::ProgramOp program) {
    buffers_.clear();
    auto schedule = std::make_unique<fb::ScheduleT>();
    for (Operation &op : program.getBody().front()) {
      LogicalResult done =
          llvm::TypeSwitch<Operation *, LogicalResult>(&op)
              .Case([&](tile::BufferOp o) { return emitBuffer(o, *schedule); })
              .Case([&](tile::PackedOp o) { return emitPacked(o, *schedule); })
              .Case([&](tile::DispatchOp o) {
                return emitDispatch(o, schedule->commands);
              })
              .Case([&](tile::RepeatOp o) {
                return emitRepeat(o, schedule->commands);
              })
              .Default([](Operation *o) {
                return o->emitOpError("cannot be put into a bundle");
              });
      if (failed(done))
        return failure();
    }
    return schedule;
  }

  LogicalResult emitBuffer(tile::BufferOp op, fb::ScheduleT &schedule) {
    auto buffer = std::make_unique<fb::BufferT>();
    switch (op.getRole()) {
    case tile::BufferRole::Input:
      buffer->role = fb::BufferRole::Input;
      break;
    case tile::BufferRole::Output:
      buffer->role = fb::BufferRole::Output;
      break;
    case tile::BufferRole::Scratch:
      buffer->role = fb::BufferRole::Scratch;
      break;
    case tile::BufferRole::Progress:
      buffer->role = fb::BufferRole::Progress;
      break;
    }
    buffer->port = op.getPort().value_or(0);
    buffer->words = op->hasAttr(kWordsAttr);
    buffer->size = std::make_unique<fb::ExtentT>(toExtent(op.getSize()));
    buffers_[op.getResult()] = schedule.buffers.size();
    schedule.buffers.push_back(std::move(buffer));
    return success();
  }

  LogicalResult emitPacked(tile::PackedOp op, fb::ScheduleT &schedule) {
    FailureOr<std::vector<std::byte>> bytes = packBytes(op, weights_);
    if (failed(bytes))
      return failure();
    auto buffer = std::make_unique<fb::BufferT>();
    buffer->role = fb::BufferRole::Packed;
    buffer->size = std::make_unique<fb::ExtentT>();
    buffer->size->factors.push_back(
        fb::Factor(1, bytes->size(), fb::Symbol::One));
    buffer->packed_offset = blob_.add(std::move(*bytes));
    buffers_[op.getResult()] = schedule.buffers.size();
    schedule.buffers.push_back(std::move(buffer));
    return success();
  }

  LogicalResult
  emitDispatch(tile::DispatchOp op,
               std::vector<std::unique_ptr<fb::CommandT>> &commands) {
    auto module = module_.lookupSymbol<spirv::ModuleOp>(op.getKernel());
    auto found = kernels_.find(op.getKernel());
    if (!module || found == kernels_.end())
      return op.emitOpError("runs kernel '")
             << op.getKernel() << "', which is not in SPIR-V";
    FailureOr<KernelInfo> info = inspectKernel(module);
    if (failed(info))
      return failure();
    auto command = std::make_unique<fb::CommandT>();
    command->kernel = found->second;
    for (auto [i, buffer] : llvm::enumerate(op.getBuffers()))
      command->arguments.push_back(
          fb::Argument(buffers_.lookup(buffer), fb::Access(info->access[i])));
    for (auto push : op.getPush().getAsRange<tile::PushAttr>())
      command->push.push_back(
          fb::Push(uint32_t(push.getValue()), fb::PushKind(push.getKind())));
    for (tile::ExtentAttr extent :
         {op.getGroupsX(), op.getGroupsY(), op.getGroupsZ()})
      command->groups.push_back(
          std::make_unique<fb::ExtentT>(toExtent(extent)));
    commands.push_back(std::move(command));
    return module->hasAttr(kJointAttr) ? requireJointProgress(op) : success();
  }

  /// Workgroups that wait for one another must all run at once.
  LogicalResult requireJointProgress(tile::DispatchOp op) {
    int64_t groups = 1;
    for (tile::ExtentAttr extent :
         {op.getGroupsX(), op.getGroupsY(), op.getGroupsZ()}) {
      for (tile::FactorAttr factor : extent.getFactors())
        if (factor.getSymbol() != tile::Symbol::One)
          return op.emitOpError("runs kernel '")
                 << op.getKernel() << "', whose workgroups wait for one "
                 << "another, with " << extent << " of them; their number must "
                 << "depend on neither T nor B";
      groups *= extent.evaluate(/*steps=*/1, /*batch=*/1).value_or(0);
    }
    uint32_t &joint = requirements().joint_workgroups;
    joint = std::max(joint, uint32_t(groups));
    return success();
  }

  LogicalResult
  emitRepeat(tile::RepeatOp op,
             std::vector<std::unique_ptr<fb::CommandT>> &commands) {
    auto command = std::make_unique<fb::CommandT>();
    command->repeat = std::make_unique<fb::RepeatT>();
    command->repeat->count = fb::Symbol(op.getCount());
    for (auto dispatch : op.getBody().getOps<tile::DispatchOp>())
      if (failed(emitDispatch(dispatch, command->repeat->body)))
        return failure();
    commands.push_back(std::move(command));
    return success();
  }

  ModuleOp module_;
  const WeightData &weights_;
  BlobPool &blob_;
  fb::VariantT variant_;
  std::set<Feature> features_;
  std::vector<CooperativeShape> shapes_;
  llvm::StringMap<uint32_t> kernels_;
  llvm::DenseMap<Value, uint32_t> buffers_;
};

} // namespace

uint64_t BlobPool::add(std::vector<std::byte> bytes) {
  auto [entry, isNew] = offsets_.try_emplace(std::move(bytes), 0);
  if (isNew)
    entry->second = blob_.append(std::span<const std::byte>(entry->first));
  return entry->second;
}

FailureOr<fb::VariantT> emitVariant(ModuleOp module, const Profile &target,
                                    ArrayRef<std::string> functions,
                                    const WeightData &weights, BlobPool &blob) {
  // Lowering may have added tables.
  FailureOr<WeightData> all = WeightData::read(module, &weights);
  if (failed(all))
    return failure();
  return Emitter(module, target, *all, blob).emit(functions);
}

} // namespace rung
