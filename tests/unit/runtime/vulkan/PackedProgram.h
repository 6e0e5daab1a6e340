//===- PackedProgram.h - a program in memory --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_RUNTIME_VULKAN_PACKEDPROGRAM_H
#define RUNG_TESTS_UNIT_RUNTIME_VULKAN_PACKEDPROGRAM_H

#include "tests/unit/runtime/vulkan/TestProgram.h"

namespace rung::test {

/// A variant and its function in memory, unverified.
class PackedProgram {
public:
  PackedProgram(TestProgram &program, const fb::FunctionT &function) {
    variant_.Finish(fb::Variant::Pack(variant_, program.take().get()));
    function_.Finish(fb::Function::Pack(function_, &function));
  }
  /// With a function of that schedule alone.
  explicit PackedProgram(TestProgram &program)
      : PackedProgram(program, *FunctionBuilder("f").take()) {}

  const fb::Variant &variant() const {
    return *flatbuffers::GetRoot<fb::Variant>(variant_.GetBufferPointer());
  }
  const fb::Schedule &schedule() const {
    return *variant().schedules()->Get(0);
  }
  const fb::Function &function() const {
    return *flatbuffers::GetRoot<fb::Function>(function_.GetBufferPointer());
  }

private:
  flatbuffers::FlatBufferBuilder variant_, function_;
};

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_RUNTIME_VULKAN_PACKEDPROGRAM_H
