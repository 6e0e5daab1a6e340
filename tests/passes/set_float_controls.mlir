// RUN: rung-opt %s --spirv-set-float-controls=profile=nvidia-hopper | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: rung-opt %s --spirv-set-float-controls=profile=lavapipe | FileCheck %s --check-prefixes=CHECK,LAVAPIPE
// RUN: rung-opt %s --spirv-set-float-controls=profile=generic | FileCheck %s --check-prefixes=CHECK,GENERIC

// HOPPER: spirv.module @half {{.*}}[Float16, Shader, RoundingModeRTE, DenormPreserve]
// LAVAPIPE: spirv.module @half {{.*}}[Float16, Shader, RoundingModeRTE], []
// GENERIC: spirv.module @half {{.*}}[Float16, Shader], []
// CHECK: spirv.ExecutionMode @half "LocalSize", 64, 1, 1
// HOPPER-NEXT: spirv.ExecutionMode @half "RoundingModeRTE", 16
// HOPPER-NEXT: spirv.ExecutionMode @half "DenormPreserve", 16
// LAVAPIPE-NEXT: spirv.ExecutionMode @half "RoundingModeRTE", 16
// CHECK-NEXT: }
spirv.module @half Logical Vulkan
    requires #spirv.vce<v1.6, [Float16, Shader], []> {
  spirv.func @half() "None" {
    %one = spirv.Constant 1.0 : f16
    %two = spirv.FAdd %one, %one : f16
    spirv.Return
  }
  spirv.EntryPoint "GLCompute" @half
  spirv.ExecutionMode @half "LocalSize", 64, 1, 1
}

// Conversions and matrices need no more than their rounding.
// HOPPER: spirv.module @converts {{.*}}[Float16, Shader, RoundingModeRTE], []
// HOPPER: spirv.ExecutionMode @converts "RoundingModeRTE", 16
// HOPPER-NOT: DenormPreserve
spirv.module @converts Logical Vulkan
    requires #spirv.vce<v1.6, [Float16, Shader], []> {
  spirv.func @converts() "None" {
    %one = spirv.Constant 1.0 : f32
    %two = spirv.FAdd %one, %one : f32
    %half = spirv.FConvert %two : f32 to f16
    spirv.Return
  }
  spirv.EntryPoint "GLCompute" @converts
}

// CHECK: spirv.module @single {{.*}}[Shader], []
// CHECK-NOT: RoundingModeRTE
spirv.module @single Logical Vulkan requires #spirv.vce<v1.6, [Shader], []> {
  spirv.func @single() "None" {
    spirv.Return
  }
  spirv.EntryPoint "GLCompute" @single
  spirv.ExecutionMode @single "LocalSize", 64, 1, 1
}
