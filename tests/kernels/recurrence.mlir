// RUN: rung-opt %s --split-input-file --lower-tile-to-spirv | FileCheck %s
//
// A recurrence whose state blends half of tanh(x + h u^T) into h, over all
// steps in one kernel, with row lengths. The test program beside this file runs
// the kernel and the graph and compares them.

// The state's blocks are carried as values: no Function variable is there.
// CHECK: spirv.module @blend_kernel
// CHECK-NOT: spirv.Variable
// CHECK: spirv.mlir.loop -> !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc>, !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc> {
// The weights were loaded before; in the loop are a's four blocks, x and mask.
// CHECK: spirv.FConvert %{{.*}} : !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc> to !spirv.coopmatrix<8x8xf16, Subgroup, MatrixAcc>
// CHECK: spirv.ControlBarrier
// CHECK-NOT: MatrixB>{{$}}
// CHECK-COUNT-4: spirv.KHR.CooperativeMatrixLoad {{.*}}, <NonPrivatePointer> {{.*}} -> !spirv.coopmatrix<8x8xf16, Subgroup, MatrixA>
// CHECK-COUNT-8: spirv.KHR.CooperativeMatrixMulAdd
// CHECK-NOT: spirv.KHR.CooperativeMatrixMulAdd
// CHECK: spirv.mlir.merge
module attributes {rung.name = "blend"} {
  rnn.weight @u : tensor<1x32x32xf32> = dense<0.0>

  func.func @blend(
      %x: tensor<?x?x32xf32> {rnn.name = "x"},
      %n: tensor<?xi32> {rnn.name = "n"},
      %h0: tensor<?x32xf32> {rnn.name = "h0"})
      -> (tensor<?x?x32xf32> {rnn.name = "y"},
          tensor<?x32xf32> {rnn.name = "hn"}) {
    %u = rnn.load_weight @u : tensor<1x32x32xf32>
    %u16 = rnn.cast %u : tensor<1x32x32xf32> to tensor<1x32x32xf16>
    %y, %hn = rnn.recurrence direction(forward) heads(1) sequences(%x)
        weights(%u16) initial(%h0) lengths(%n) {
    ^bb0(%px: tensor<32xf32>, %pu: tensor<1x32x32xf16>, %h: tensor<32xf32>):
      %h16 = arith.truncf %h : tensor<32xf32> to tensor<32xf16>
      %d = rnn.dot %h16, %pu
          : (tensor<32xf16>, tensor<1x32x32xf16>) -> tensor<32xf32>
      %a = arith.addf %px, %d : tensor<32xf32>
      %c = math.tanh %a : tensor<32xf32>
      %half = arith.constant dense<0.5> : tensor<32xf32>
      %e = arith.subf %c, %h : tensor<32xf32>
      %s = arith.mulf %e, %half : tensor<32xf32>
      %next = arith.addf %h, %s : tensor<32xf32>
      rnn.yield outputs(%next : tensor<32xf32>) states(%next : tensor<32xf32>)
    } : (tensor<?x?x32xf32>, tensor<1x32x32xf16>, tensor<?x32xf32>,
         tensor<?xi32>) -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
    return %y, %hn : tensor<?x?x32xf32>, tensor<?x32xf32>
  }

}

// -----

module {
  tile.program @blend {
    %x = tile.buffer input 0 size <TB * 128> : !tile.buffer<f32>
    %n = tile.buffer input 1 size <B * 4> : !tile.buffer<i32>
    %h0 = tile.buffer input 2 size <B * 128> : !tile.buffer<f32>
    %y = tile.buffer output 0 size <TB * 128> : !tile.buffer<f32>
    %hn = tile.buffer output 1 size <B * 128> : !tile.buffer<f32>
    %u = tile.packed count 1024
      [#tile.piece<weight = @u, offset = 0, sizes = [1024],
                   source_strides = [1], target_offset = 0,
                   target_strides = [1]>] : !tile.buffer<f16>
    tile.dispatch @blend_kernel groups(<ceil(B / 8)>, <1>, <1>)
        (%x, %u, %n, %h0, %y, %hn) push [T, B]
      : !tile.buffer<f32>, !tile.buffer<f16>, !tile.buffer<i32>,
        !tile.buffer<f32>, !tile.buffer<f32>, !tile.buffer<f32>
  }

  tile.kernel @blend_kernel(
      %x: memref<?xf32> read, %u: memref<?xf16> read, %len: memref<?xi32> read,
      %h0: memref<?xf32> read, %y: memref<?xf32> write,
      %hn: memref<?xf32> write) push(%T, %B)
      layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8,
              cooperative = true>) {
    %hs = tile.shared : memref<8x40xf16, #gpu.address_space<workgroup>>
    %xs = tile.shared : memref<8x36xf32, #gpu.address_space<workgroup>>
    %ys = tile.shared : memref<8x36xf32, #gpu.address_space<workgroup>>
    %ls = tile.shared : memref<1x8xf32, #gpu.address_space<workgroup>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %cm1 = arith.constant -1 : index
    %true = arith.constant true
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %zf = arith.constant 0.0 : f32
    %g = gpu.block_id x
    %b0 = arith.muli %g, %c8 : index
    %tid = gpu.thread_id x
    %f0 = tile.fetch %h0[%c0] pitch %c32 columns %c32 rows {
    ^bb0(%r: index):
      %i = arith.addi %b0, %r : index
      %in = arith.cmpi slt, %i, %B : index
      %row = arith.select %in, %i, %cm1 : index
      tile.yield %row : index
    } : memref<?xf32> -> !tile.flight<8x32xf32>
    tile.land %f0, %ys[%c0, %c0]
        : !tile.flight<8x32xf32>,
          memref<8x36xf32, #gpu.address_space<workgroup>>
    tile.barrier
    %h = tile.load %ys[%c0, %c0]
        : memref<8x36xf32, #gpu.address_space<workgroup>>
          -> !tile.matrix<8x32xf32, acc>
    %w = tile.load_packed %u[%c0] pitch %c32 transposed
        : memref<?xf16> -> !tile.matrix<32x32xf16, b>
    %isrow = arith.cmpi ult, %tid, %c8 : index
    %brow = arith.addi %b0, %tid : index
    %inb = arith.cmpi slt, %brow, %B : index
    %own = arith.andi %isrow, %inb : i1
    %z32 = arith.constant 0 : i32
    %mylen = scf.if %own -> i32 {
      %l = memref.load %len[%brow] : memref<?xi32>
      scf.yield %l : i32
    } else {
      scf.yield %z32 : i32
    }
    %hf = scf.for %t = %c0 to %T step %c1 iter_args(%hc = %h) -> !tile.matrix<8x32xf32, acc> {
      %t0 = arith.muli %t, %B : index
      %f = tile.fetch %x[%c0] pitch %c32 columns %c32 rows {
      ^bb0(%r: index):
        %i = arith.addi %b0, %r : index
        %in = arith.cmpi slt, %i, %B : index
        %tr = arith.addi %t0, %i : index
        %row = arith.select %in, %tr, %cm1 : index
        tile.yield %row : index
      } : memref<?xf32> -> !tile.flight<8x32xf32>
      tile.land %f, %xs[%c0, %c0]
          : !tile.flight<8x32xf32>,
            memref<8x36xf32, #gpu.address_space<workgroup>>
      %ti = arith.index_cast %t : index to i32
      %alive = arith.cmpi slt, %ti, %mylen : i32
      %m = arith.select %alive, %one, %zf : f32
      scf.if %isrow {
        memref.store %m, %ls[%c0, %tid]
            : memref<1x8xf32, #gpu.address_space<workgroup>>
      }
      %h16 = tile.convert %hc
          : !tile.matrix<8x32xf32, acc> -> !tile.matrix<8x32xf16, acc>
      tile.store %h16, %hs[%c0, %c0]
          : !tile.matrix<8x32xf16, acc>,
            memref<8x40xf16, #gpu.address_space<workgroup>>
      tile.barrier
      %a = tile.load %hs[%c0, %c0]
          : memref<8x40xf16, #gpu.address_space<workgroup>>
            -> !tile.matrix<8x32xf16, a>
      %xa = tile.load %xs[%c0, %c0]
          : memref<8x36xf32, #gpu.address_space<workgroup>>
            -> !tile.matrix<8x32xf32, acc>
      %mask = tile.broadcast_column %ls[%c0, %c0]
          : memref<1x8xf32, #gpu.address_space<workgroup>>
            -> !tile.matrix<8x32xf32, acc>
      %p = tile.mma %xa, %a, %w
          : !tile.matrix<8x32xf32, acc>,
            !tile.matrix<8x32xf16, a>,
            !tile.matrix<32x32xf16, b>
      %n = tile.map(%p, %hc, %mask) {
      ^bb0(%e: f32, %ho: f32, %mk: f32):
        %th = math.tanh %e : f32
        %d = arith.subf %th, %ho : f32
        %hd = arith.mulf %d, %half : f32
        %md = arith.mulf %hd, %mk : f32
        %s = arith.addf %ho, %md : f32
        tile.yield %s : f32
      }
          : (!tile.matrix<8x32xf32, acc>,
            !tile.matrix<8x32xf32, acc>,
            !tile.matrix<8x32xf32, acc>)
            -> !tile.matrix<8x32xf32, acc>
      tile.store %n, %ys[%c0, %c0]
          : !tile.matrix<8x32xf32, acc>,
            memref<8x36xf32, #gpu.address_space<workgroup>>
      tile.barrier
      tile.drain %ys[%c0, %c0] -> %y[%c0] pitch %c32 columns %c32 size [8, 32] rows {
      ^bb0(%r: index):
        %i = arith.addi %b0, %r : index
        %in = arith.cmpi slt, %i, %B : index
        %tr = arith.addi %t0, %i : index
        %row = arith.select %in, %tr, %cm1 : index
        %mr = memref.load %ls[%c0, %r]
            : memref<1x8xf32, #gpu.address_space<workgroup>>
        %keep = arith.cmpf oeq, %mr, %one : f32
        tile.yield %row, %keep : index, i1
      } : memref<8x36xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
      tile.barrier
      scf.yield %n : !tile.matrix<8x32xf32, acc>
    }
    tile.store %hf, %ys[%c0, %c0]
        : !tile.matrix<8x32xf32, acc>,
          memref<8x36xf32, #gpu.address_space<workgroup>>
    tile.barrier
    tile.drain %ys[%c0, %c0] -> %hn[%c0] pitch %c32 columns %c32 size [8, 32] rows {
    ^bb0(%r: index):
      %i = arith.addi %b0, %r : index
      %in = arith.cmpi slt, %i, %B : index
      %row = arith.select %in, %i, %cm1 : index
      tile.yield %row, %true : index, i1
    } : memref<8x36xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
    tile.return
  }
}
