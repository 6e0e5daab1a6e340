//===- Serialize.cpp - SPIR-V modules to words ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "compiler/spirv/Serialize.h"

#include "mlir/Target/SPIRV/Serialization.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace rung {

namespace {

enum Opcode : uint32_t {
  kOpName = 5,
  kOpConstant = 43,
  kOpConstantNull = 46,
  kOpLoad = 61,
  kOpDecorate = 71,
  kOpMemberDecorate = 72,
  kOpAtomicLoad = 227,
  kOpAtomicStore = 228,
  kOpAtomicExchange = 229,
  kOpAtomicOr = 241,
};

enum MemoryOperand : uint32_t {
  kVolatile = 0x1,
  kNontemporal = 0x4,
  kMakePointerVisible = 0x10,
  kNonPrivatePointer = 0x20,
};

using Words = ArrayRef<uint32_t>;

/// The instructions behind the five words of the header.
template <typename Visit> void forEachInstruction(Words words, Visit visit) {
  for (size_t at = 5; at < words.size();) {
    uint32_t count = words[at] >> 16;
    visit(Opcode(words[at] & 0xffff), words.slice(at, count));
    at += count;
  }
}

/// The dialect has neither atomic loads nor stores: an atomic `or` with zero
/// is written as a load, and an exchange whose result has no use as a store.
/// Nor has a load a scope: one that is nontemporal sees what others have
/// written, at the scope of the module's atomic operations. It is volatile, for
/// a driver may otherwise take two loads of a place for one.
SmallVector<uint32_t> writeAtomicAccesses(Words words) {
  llvm::DenseSet<uint32_t> zeros, used;
  bool any = false;
  uint32_t scope = 0; // Of an atomic operation, as all of them have it.
  forEachInstruction(words, [&](Opcode opcode, Words instruction) {
    if ((opcode == kOpConstant && instruction.size() == 4 &&
         instruction[3] == 0) ||
        opcode == kOpConstantNull)
      zeros.insert(instruction[2]);
    if (opcode == kOpAtomicOr || opcode == kOpAtomicExchange)
      any = true, scope = instruction[4];
    if (llvm::is_contained(
            {kOpName, kOpConstant, kOpDecorate, kOpMemberDecorate}, opcode))
      return;
    // Literals among these may be taken for uses; then an exchange stays one.
    size_t result = opcode == kOpAtomicExchange ? 3 : 1;
    for (uint32_t word : instruction.drop_front(result))
      used.insert(word);
  });
  if (!any)
    return SmallVector<uint32_t>(words);
  SmallVector<uint32_t> result(words.take_front(5));
  forEachInstruction(words, [&](Opcode opcode, Words w) {
    if (opcode == kOpAtomicOr && zeros.contains(w[6])) {
      result.push_back(6 << 16 | kOpAtomicLoad);
      llvm::append_range(result, w.slice(1, 5));
    } else if (opcode == kOpAtomicExchange && !used.contains(w[2])) {
      result.push_back(5 << 16 | kOpAtomicStore);
      llvm::append_range(result, w.slice(3, 4));
    } else if (opcode == kOpLoad && w.size() == 5 && w[4] == kNontemporal) {
      result.push_back(6 << 16 | kOpLoad);
      llvm::append_range(result, w.slice(1, 3));
      result.push_back(kVolatile | kMakePointerVisible | kNonPrivatePointer);
      result.push_back(scope);
    } else {
      llvm::append_range(result, w);
    }
  });
  return result;
}

} // namespace

FailureOr<SmallVector<uint32_t>> serialize(spirv::ModuleOp module) {
  SmallVector<uint32_t> words;
  spirv::SerializationOptions options;
  options.emitDebugInfo = false;
  if (failed(spirv::serialize(module, words, options)))
    return module.emitError("module cannot be written as SPIR-V");
  return writeAtomicAccesses(words);
}

} // namespace rung
