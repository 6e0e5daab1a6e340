// RUN: rung-opt %s --split-input-file --lower-tile-to-spirv | FileCheck %s
//
// y = tanh(x w^T + b) with f16 operands, 16 rows a workgroup. The test program
// beside this file gives the weights random values, runs the kernel and the
// graph, and compares them.

// CHECK: spirv.module @product_kernel Logical Vulkan requires #spirv.vce<v1.6,
// CHECK-SAME: tile.mma_count = 1
// Two row blocks, two of eight column blocks, four of k.
// CHECK-COUNT-8: spirv.KHR.CooperativeMatrixLoad {{.*}} -> !spirv.coopmatrix<8x8xf16, Subgroup, MatrixA>
// CHECK-COUNT-8: spirv.KHR.CooperativeMatrixLoad {{.*}}, <ColumnMajor> {{.*}} -> !spirv.coopmatrix<8x8xf16, Subgroup, MatrixB>
// CHECK-COUNT-16: spirv.KHR.CooperativeMatrixMulAdd
// CHECK-NOT: spirv.KHR.CooperativeMatrixMulAdd
// CHECK-COUNT-4: spirv.KHR.CooperativeMatrixStore {{.*}}, <NonPrivatePointer>
// CHECK: spirv.EntryPoint "GLCompute" @product_kernel
module attributes {rung.name = "product"} {
  rnn.weight @w : tensor<64x32xf32> = dense<0.0>
  rnn.weight @b : tensor<64xf32> = dense<0.0>

  func.func @product(%x: tensor<?x?x32xf32> {rnn.name = "x"})
      -> (tensor<?x?x64xf32> {rnn.name = "y"}) {
    %w = rnn.load_weight @w : tensor<64x32xf32>
    %b = rnn.load_weight @b : tensor<64xf32>
    %x16 = rnn.cast %x : tensor<?x?x32xf32> to tensor<?x?x32xf16>
    %w16 = rnn.cast %w : tensor<64x32xf32> to tensor<64x32xf16>
    %p = rnn.linear %x16, %w16, %b
        : (tensor<?x?x32xf16>, tensor<64x32xf16>, tensor<64xf32>)
        -> tensor<?x?x64xf32>
    %y = rnn.activation %p {function = #rnn.activation<tanh>}
        : tensor<?x?x64xf32>
    return %y : tensor<?x?x64xf32>
  }

}

// -----

module {
  tile.program @product {
    %x = tile.buffer input 0 size <TB * 128> : !tile.buffer<f32>
    %y = tile.buffer output 0 size <TB * 256> : !tile.buffer<f32>
    %w = tile.packed count 2048
      [#tile.piece<weight = @w, offset = 0, sizes = [2048],
                   source_strides = [1], target_offset = 0,
                   target_strides = [1]>] : !tile.buffer<f16>
    %b = tile.packed count 64
      [#tile.piece<weight = @b, offset = 0, sizes = [64],
                   source_strides = [1], target_offset = 0,
                   target_strides = [1]>] : !tile.buffer<f32>
    tile.dispatch @product_kernel groups(<ceil(TB / 16)>, <1>, <1>)
        (%x, %w, %b, %y) push [TB]
      : !tile.buffer<f32>, !tile.buffer<f16>, !tile.buffer<f32>,
        !tile.buffer<f32>
  }

  tile.kernel @product_kernel(
      %x: memref<?xf32> read, %w: memref<?xf16> read, %b: memref<?xf32> read,
      %y: memref<?xf32> write) push(%M)
      layout(<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8,
              cooperative = true>) {
    %xs = tile.shared : memref<16x40xf16, #gpu.address_space<workgroup>>
    %ys = tile.shared : memref<16x68xf32, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %cm1 = arith.constant -1 : index
    %g = gpu.block_id x
    %m0 = arith.muli %g, %c16 : index
    %f = tile.fetch %x[%c0] pitch %c32 columns %c32 rows {
    ^bb0(%r: index):
      %i = arith.addi %m0, %r : index
      %in = arith.cmpi slt, %i, %M : index
      %row = arith.select %in, %i, %cm1 : index
      tile.yield %row : index
    } : memref<?xf32> -> !tile.flight<16x32xf32>
    %h = tile.map(%f) {
    ^bb0(%e: f32):
      %t = arith.truncf %e : f32 to f16
      tile.yield %t : f16
    } : (!tile.flight<16x32xf32>) -> !tile.flight<16x32xf16>
    tile.land %h, %xs[%c0, %c0]
        : !tile.flight<16x32xf16>,
          memref<16x40xf16, #gpu.address_space<workgroup>>
    tile.barrier
    %a = tile.load %xs[%c0, %c0]
        : memref<16x40xf16, #gpu.address_space<workgroup>>
          -> !tile.matrix<16x32xf16, a>
    %bm = tile.load_packed %w[%c0] pitch %c32 transposed
        : memref<?xf16> -> !tile.matrix<32x64xf16, b>
    %acc = tile.broadcast_row %b[%c0]
        : memref<?xf32> -> !tile.matrix<16x64xf32, acc>
    %p = tile.mma %acc, %a, %bm
        : !tile.matrix<16x64xf32, acc>,
          !tile.matrix<16x32xf16, a>,
          !tile.matrix<32x64xf16, b>
    %q = tile.map(%p) {
    ^bb0(%e: f32):
      %t = math.tanh %e : f32
      tile.yield %t : f32
    } : (!tile.matrix<16x64xf32, acc>) -> !tile.matrix<16x64xf32, acc>
    tile.store %q, %ys[%c0, %c0]
        : !tile.matrix<16x64xf32, acc>,
          memref<16x68xf32, #gpu.address_space<workgroup>>
    tile.barrier
    %true = arith.constant true
    tile.drain %ys[%c0, %c0] -> %y[%c0] pitch %c64 columns %c64 size [16, 64] rows {
    ^bb0(%r: index):
      %i = arith.addi %m0, %r : index
      %in = arith.cmpi slt, %i, %M : index
      %row = arith.select %in, %i, %cm1 : index
      tile.yield %row, %true : index, i1
    } : memref<16x68xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
    tile.return
  }
}
