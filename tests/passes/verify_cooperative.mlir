// RUN: rung-opt %s --verify-cooperative --split-input-file --verify-diagnostics

// A kernel without products needs none.
spirv.module @none Logical Vulkan attributes {tile.mma_count = 0 : i64} {
}

// -----

// expected-error@+1 {{kernel was tiled for cooperative matrices with 2 products but contains 0 cooperative multiply-adds}}
spirv.module @fallback Logical Vulkan attributes {tile.mma_count = 2 : i64} {
  spirv.func @fallback(%a: f32, %b: f32) -> f32 "None" {
    %0 = spirv.FMul %a, %b : f32
    spirv.ReturnValue %0 : f32
  }
}

// -----

spirv.module @used Logical Vulkan attributes {tile.mma_count = 1 : i64} {
  spirv.func @used(%a: !spirv.coopmatrix<8x8xf16, Subgroup, MatrixA>,
                   %b: !spirv.coopmatrix<8x8xf16, Subgroup, MatrixB>,
                   %c: !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc>)
      -> !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc> "None" {
    %0 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %c
        : !spirv.coopmatrix<8x8xf16, Subgroup, MatrixA>,
          !spirv.coopmatrix<8x8xf16, Subgroup, MatrixB>
          -> !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc>
    spirv.ReturnValue %0 : !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc>
  }
}
