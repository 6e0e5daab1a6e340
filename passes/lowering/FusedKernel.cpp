//===- FusedKernel.cpp - many dispatches as one kernel --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "passes/lowering/FusedKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
#include "passes/lowering/GridWaits.h"

using namespace mlir;

namespace rung::tile {

/// More workgroups than a run of so few rows has work for make waits longer.
static constexpr int64_t kFewRows = 16;

/// A bundle's kernels have 256 bindings at most; outputs that are copied, and
/// the count of arrivals, come to those of the parts.
static constexpr size_t kMostBuffers = 192;

//===----------------------------------------------------------------------===//
// What the parts need together
//===----------------------------------------------------------------------===//

void FusedKernel::collect() {
  auto collectLevel = [&](ArrayRef<Part> parts) {
    int64_t width = 0;
    for (const Part &part : parts)
      collect(part, width);
    groups_ = std::clamp(width, groups_, mostGroups_);
  };
  for (const Stage &stage : stages_) {
    collectLevel(stage.parts);
    for (ArrayRef<Level> repeat : stage.repeats)
      for (const Level &level : repeat)
        collectLevel(level);
  }
}

/// Workgroups that a dispatch has work for in a run of few rows.
static int64_t widthOf(DispatchOp dispatch) {
  auto count = [&](int64_t steps, int64_t batch) {
    int64_t product = 1;
    for (ExtentAttr extent :
         {dispatch.getGroupsX(), dispatch.getGroupsY(), dispatch.getGroupsZ()})
      product *= extent.evaluate(steps, batch).value_or(1);
    return product;
  };
  return std::max(count(1, kFewRows), count(kFewRows, 1));
}

void FusedKernel::collect(const Part &part, int64_t &width) {
  KernelOp kernel = part.kernel;
  DispatchOp dispatch = part.dispatch;
  width += widthOf(dispatch);
  kernels_.push_back(kernel);
  threads_ = std::max(threads_, kernel.getLayout().getThreads());
  if (kernel.getLayout().getCooperative())
    cooperative_ = kernel.getLayout();
  if (auto products = kernel->getAttrOfType<IntegerAttr>("tile.mma_count"))
    products_ += products.getInt();
  for (auto [i, buffer] : llvm::enumerate(dispatch.getBuffers())) {
    Binding binding{kernel.getBuffer(i).getType(), kernel.getBufferAccess(i),
                    Value()};
    auto [known, isNew] = buffers_.insert({buffer, binding});
    if (known->second.access != binding.access)
      known->second.access = Access::ReadWrite;
  }
  llvm::DenseMap<Type, int64_t> used;
  for (auto array : kernel.getBody().getOps<SharedOp>()) {
    MemRefType type = array.getMemory().getType();
    Pool &pool = shared_[type.getElementType()];
    int64_t &elements = used[type.getElementType()];
    elements += type.getNumElements();
    pool.elements = std::max(pool.elements, elements);
  }
}

void FusedKernel::standIn(Value scratch, Value output, ExtentAttr size) {
  Binding binding = buffers_.find(output)->second;
  buffers_.erase(output);
  buffers_.insert({scratch, binding});
  copies_.push_back({scratch, output, size});
}

int64_t FusedKernel::bytesOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * bytesOf(vector.getElementType());
  return type.getIntOrFloatBitWidth() / 8;
}

int64_t FusedKernel::sharedBytes() const {
  int64_t bytes = 0;
  for (auto &[element, pool] : shared_)
    bytes += pool.elements * bytesOf(element);
  return bytes;
}

// Bits that are set are set, by however many threads.
bool FusedKernel::changesMemory(Operation *op) {
  if (auto atomic = dyn_cast<AtomicOp>(op))
    return atomic.getKind() != AtomicKind::Or;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return op->getNumRegions() == 0 && !isa<BarrierOp>(op) && effects &&
         effects.hasEffect<MemoryEffects::Write>();
}

std::string FusedKernel::obstacle(int64_t sharedLimit) const {
  int64_t bytes = sharedBytes();
  if (bytes > sharedLimit)
    return "its kernels use " + std::to_string(bytes) +
           " bytes of shared memory together, of " +
           std::to_string(sharedLimit);
  if (buffers_.size() > kMostBuffers)
    return "its kernels have " + std::to_string(buffers_.size()) +
           " buffers together; a kernel has " + std::to_string(kMostBuffers) +
           " at most";
  for (KernelOp kernel : kernels_)
    if (kernel.getLayout().getThreads() < threads_ &&
        kernel
            .walk([](Operation *op) {
              return changesMemory(op) && !op->use_empty()
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted())
      return "kernel '" + kernel.getSymName().str() +
             "' counts its threads, and others have more";
  return {};
}

/// Of distributed kernels only the threads matter, and whether subgroups do.
LayoutAttr FusedKernel::layout() const {
  MLIRContext *context = program_->getContext();
  if (!cooperative_)
    return LayoutAttr::get(context, {1, threads_, 1}, /*subgroups=*/1,
                           /*subgroupSize=*/threads_, /*cooperative=*/false);
  int64_t size = cooperative_.getSubgroupSize();
  return LayoutAttr::get(context, cooperative_.getInstruction(),
                         (threads_ + size - 1) / size, size,
                         /*cooperative=*/true);
}

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

void FusedKernel::emitFrame(StringRef name) {
  SmallVector<Type> elements;
  SmallVector<Access> accesses;
  for (auto &[buffer, binding] : buffers_) {
    elements.push_back(cast<BufferType>(buffer.getType()).getElementType());
    accesses.push_back(binding.access);
  }
  b_.setInsertionPoint(program_);
  kernel_ = KernelOp::create(b_, name, layout(), elements, accesses,
                             /*pushCount=*/2);
  threads_ = kernel_.getLayout().getThreads();
  kernel_->setAttr(kJointAttr, b_.getUnitAttr());
  if (cooperative_)
    kernel_->setAttr("tile.mma_count", b_.getI64IntegerAttr(products_));
  for (auto [i, entry] : llvm::enumerate(buffers_)) {
    entry.second.argument = kernel_.getBuffer(i);
    entry.second.argument.setType(entry.second.type);
  }
  steps_ = kernel_.getPush(0), batch_ = kernel_.getPush(1);
  b_.setInsertionPointToStart(&kernel_.getBody());
  auto space = spirv::StorageClassAttr::get(b_.getContext(),
                                            spirv::StorageClass::Workgroup);
  for (auto &[element, pool] : shared_)
    pool.memory = SharedOp::create(
        b_, MemRefType::get({1, pool.elements}, element,
                            MemRefLayoutAttrInterface(), space));
  group_ = gpu::BlockIdOp::create(b_, gpu::Dimension::x);
  thread_ = gpu::ThreadIdOp::create(b_, gpu::Dimension::x);
  expected_ = index(0);
}

FailureOr<KernelOp> FusedKernel::emit(StringRef name, Value counter) {
  auto space = spirv::StorageClassAttr::get(b_.getContext(),
                                            spirv::StorageClass::StorageBuffer);
  Type words = MemRefType::get({ShapedType::kDynamic}, b_.getI32Type(),
                               MemRefLayoutAttrInterface(), space);
  for (const Copy &copy : copies_)
    buffers_.insert({copy.to, Binding{buffers_.find(copy.from)->second.type,
                                      Access::Write, Value()}});
  buffers_.insert({counter, Binding{words, Access::ReadWrite, Value()}});
  emitFrame(name);
  counter_ = buffers_.find(counter)->second.argument;
  if (failed(emitStages()))
    return failure();
  emitCopies();
  ReturnOp::create(b_);
  return kernel_;
}

DispatchOp FusedKernel::dispatch(KernelOp kernel) {
  MLIRContext *context = b_.getContext();
  b_.setInsertionPointToEnd(&program_.getBody().front());
  SmallVector<Value> buffers;
  for (auto &[buffer, binding] : buffers_)
    buffers.push_back(buffer);
  auto one = ExtentAttr::get(context, int64_t(1));
  return DispatchOp::create(b_, kernel.getSymName(),
                            {ExtentAttr::get(context, groups_), one, one},
                            buffers,
                            {PushAttr::get(context, PushKind::T, 0),
                             PushAttr::get(context, PushKind::B, 0)});
}

} // namespace rung::tile
