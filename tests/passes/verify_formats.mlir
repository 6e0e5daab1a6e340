// RUN: rung-opt %s --verify-formats --split-input-file --verify-diagnostics

// A kernel that forbids nothing may hold anything.
spirv.module @free Logical Vulkan {
  spirv.func @free(%a: f32) -> f32 "None" {
    spirv.ReturnValue %a : f32
  }
}

// -----

spirv.module @half Logical Vulkan attributes {rung.forbid = "f32"} {
  spirv.GlobalVariable @x bind(0, 0) : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f16, stride=2> [0])>, StorageBuffer>
  spirv.func @half(%a: f16, %i: i32) -> f16 "None" {
    %0 = spirv.FMul %a, %a : f16
    spirv.ReturnValue %0 : f16
  }
}

// -----

spirv.module @whole Logical Vulkan attributes {rung.forbid = "float"} {
  spirv.func @whole(%a: i32) -> i32 "None" {
    %0 = spirv.IMul %a, %a : i32
    spirv.ReturnValue %0 : i32
  }
}

// -----

spirv.module @result Logical Vulkan attributes {rung.forbid = "f32"} {
  spirv.func @result(%a: f16) -> f16 "None" {
    // expected-error@+1 {{'spirv.FConvert' has 'f32' in kernel 'result', which may hold no float of more than 16 bits}}
    %0 = spirv.FConvert %a : f16 to f32
    %1 = spirv.FConvert %0 : f32 to f16
    spirv.ReturnValue %1 : f16
  }
}

// -----

spirv.module @f16_in_integers Logical Vulkan attributes {rung.forbid = "float"} {
  spirv.func @f16_in_integers() "None" {
    // expected-error@+1 {{'spirv.Constant' has 'f16' in kernel 'f16_in_integers', which may hold no float}}
    %0 = spirv.Constant 1.0 : f16
    spirv.Return
  }
}

// -----

spirv.module @buffer Logical Vulkan attributes {rung.forbid = "f32"} {
  // expected-error@+1 {{'spirv.GlobalVariable' has 'f32' in kernel 'buffer'}}
  spirv.GlobalVariable @x bind(0, 0) : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
}

// -----

spirv.module @shared Logical Vulkan attributes {rung.forbid = "float"} {
  // expected-error@+1 {{'spirv.GlobalVariable' has 'f16' in kernel 'shared'}}
  spirv.GlobalVariable @s : !spirv.ptr<!spirv.struct<(!spirv.array<64 x f16>)>, Workgroup>
}

// -----

spirv.module @matrix Logical Vulkan attributes {rung.forbid = "f32"} {
  // expected-error@+1 {{'spirv.func' has 'f32' in kernel 'matrix'}}
  spirv.func @matrix(%a: !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc>) "None" {
    spirv.Return
  }
}

// -----

spirv.module @carried Logical Vulkan attributes {rung.forbid = "float"} {
  spirv.func @carried(%a: i32) "None" {
    // expected-error@+1 {{'spirv.Undef' has 'f64' in kernel 'carried'}}
    %0 = spirv.Undef : f64
    spirv.Branch ^next(%0 : f64)
  ^next(%1: f64):
    spirv.Return
  }
}

// -----

// expected-error@+1 {{'rung.forbid' is 'f64'; there are 'f32' and 'float'}}
spirv.module @unknown Logical Vulkan attributes {rung.forbid = "f64"} {
}

// -----

// At its edges a kernel may hold what comes from global memory alone, until it
// is narrowed, and what goes to global memory alone.
spirv.module @edges Logical Vulkan attributes {rung.forbid = "f32", rung.edges} {
  spirv.GlobalVariable @x bind(0, 0) : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
  spirv.GlobalVariable @s : !spirv.ptr<!spirv.struct<(!spirv.array<64 x f16>)>, Workgroup>
  spirv.func @edges(%i: i32, %h: f16) -> f16 "None" {
    %zero = spirv.Constant 0 : i32
    %x = spirv.mlir.addressof @x : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
    %from = spirv.AccessChain %x[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
    %0 = spirv.Load "StorageBuffer" %from : f32
    %1 = spirv.FMul %0, %0 : f32
    %2 = spirv.FConvert %1 : f32 to f16
    %3 = spirv.FMul %2, %h : f16
    %4 = spirv.FConvert %3 : f16 to f32
    spirv.Store "StorageBuffer" %from, %4 : f32
    spirv.ReturnValue %3 : f16
  }
}

// -----

// A number that the kernel goes on with was never wider.
spirv.module @inside Logical Vulkan attributes {rung.forbid = "f32", rung.edges} {
  spirv.func @inside(%h: f16) -> f16 "None" {
    // expected-error@+1 {{'spirv.FConvert' has 'f32' in kernel 'inside', which may hold no float of more than 16 bits but at its edges}}
    %0 = spirv.FConvert %h : f16 to f32
    %1 = spirv.FMul %0, %0 : f32
    %2 = spirv.FConvert %1 : f32 to f16
    spirv.ReturnValue %2 : f16
  }
}

// -----

// Nor is one that takes its way through memory of the workgroup.
spirv.module @through_memory Logical Vulkan attributes {rung.forbid = "f32", rung.edges} {
  spirv.GlobalVariable @s : !spirv.ptr<!spirv.struct<(!spirv.array<64 x f32>)>, Workgroup>
  spirv.func @through_memory(%i: i32, %h: f16) -> f16 "None" {
    %zero = spirv.Constant 0 : i32
    %s = spirv.mlir.addressof @s : !spirv.ptr<!spirv.struct<(!spirv.array<64 x f32>)>, Workgroup>
    %at = spirv.AccessChain %s[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.array<64 x f32>)>, Workgroup>, i32, i32 -> !spirv.ptr<f32, Workgroup>
    // expected-error@+1 {{'spirv.FConvert' has 'f32' in kernel 'through_memory'}}
    %0 = spirv.FConvert %h : f16 to f32
    spirv.Store "Workgroup" %at, %0 : f32
    %1 = spirv.Load "Workgroup" %at : f32
    %2 = spirv.FConvert %1 : f32 to f16
    spirv.ReturnValue %2 : f16
  }
}
