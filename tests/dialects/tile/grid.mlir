// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @wait
// CHECK: tile.grid_barrier %{{.*}}[%{{.*}}] expect %{{.*}} : memref<?xi32>
// CHECK: tile.barrier global
// CHECK: tile.atomic add %{{.*}}, %{{.*}}[%{{.*}}] release : memref<?xi32>
// CHECK: tile.atomic or %{{.*}}, %{{.*}}[%{{.*}}] acquire : memref<?xi32>
// CHECK: tile.atomic exchange %{{.*}}, %{{.*}}[%{{.*}}] relaxed : memref<?xi32>
tile.kernel @wait(%p: memref<?xi32> read_write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %i = arith.constant 1 : i32
  tile.grid_barrier %p[%c0] expect %n : memref<?xi32>
  tile.barrier global
  %0 = tile.atomic add %i, %p[%c0] release : memref<?xi32>
  %1 = tile.atomic or %i, %p[%c0] acquire : memref<?xi32>
  %2 = tile.atomic exchange %i, %p[%c0] relaxed : memref<?xi32>
  tile.return
}

// CHECK-LABEL: tile.program @run
// CHECK: tile.buffer progress size <4> : <i32>
tile.program @run {
  %p = tile.buffer progress size <4> : !tile.buffer<i32>
}

// CHECK-LABEL: @exchange
// CHECK: tile.load_split %{{.*}}[%{{.*}}] pitch %{{.*}} : memref<?xf16> -> <8x32xf16, a>
// CHECK: tile.await %{{.*}}[%{{.*}}] columns %{{.*}} tag %{{.*}} polls %{{.*}} fault %{{.*}}[%{{.*}}] : memref<?xi32>, memref<?xi32> -> <1x32xi32>
// CHECK: tile.split_mma(%{{.*}}, %{{.*}}), %{{.*}} -> %{{.*}} from 0
// CHECK: tile.split_mma(%{{.*}}), %{{.*}} broadcast -> %{{.*}} from 2
// CHECK: tile.lift %{{.*}}[%{{.*}}, %{{.*}}] : {{.*}} -> <8x8xf32>
// CHECK: tile.deliver %{{.*}}, %{{.*}}[%{{.*}}] pitch %{{.*}} columns %{{.*}} rows
// CHECK: tile.publish %{{.*}}, %{{.*}}[%{{.*}}] pitch %{{.*}} columns %{{.*}} tag %{{.*}} rows
tile.kernel @exchange(%w: memref<?xf16> read, %p: memref<?xi32> read_write,
    %words: memref<?xi32> read_write, %y: memref<?xf32> write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %polls = arith.constant 100 : i32
  %operand = tile.shared : memref<8x40xf16, #gpu.address_space<workgroup>>
  %sums = tile.shared : memref<48x8xf32, #gpu.address_space<workgroup>>
  %m = tile.load_split %w[%c0] pitch %c32 : memref<?xf16> -> !tile.matrix<8x32xf16, a>
  %f, %left = tile.await %words[%c0] columns %c32 tag %n polls %polls fault %p[%c0]
      : memref<?xi32>, memref<?xi32> -> !tile.flight<1x32xi32>
  tile.split_mma (%m, %m), %operand -> %sums from 0
      : (!tile.matrix<8x32xf16, a>, !tile.matrix<8x32xf16, a>),
        memref<8x40xf16, #gpu.address_space<workgroup>>,
        memref<48x8xf32, #gpu.address_space<workgroup>>
  tile.split_mma (%m), %operand broadcast -> %sums from 2
      : (!tile.matrix<8x32xf16, a>), memref<8x40xf16, #gpu.address_space<workgroup>>,
        memref<48x8xf32, #gpu.address_space<workgroup>>
  %s = tile.lift %sums[%c0, %c0] : memref<48x8xf32, #gpu.address_space<workgroup>>
      -> !tile.flight<8x8xf32>
  tile.deliver %s, %y[%c0] pitch %c32 columns %c32 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : !tile.flight<8x8xf32>, memref<?xf32>
  tile.publish %f, %words[%c0] pitch %c32 columns %c32 tag %n rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : !tile.flight<1x32xi32>, memref<?xi32>
  tile.return
}

// CHECK-LABEL: @pairs
// CHECK: %[[SEEN:.*]] = tile.peek_rows %{{.*}}[%{{.*}}] pitch %{{.*}} first %{{.*}} limit %{{.*}} : memref<?xi32> -> <8x32xf16, width 8>
// CHECK: tile.await_rows %[[SEEN]], %{{.*}}[%{{.*}}] pitch %{{.*}} first %{{.*}} limit %{{.*}} polls %{{.*}} fault %{{.*}}[%{{.*}}] -> %{{.*}} : <8x32xf16, width 8>, memref<?xi32>, memref<?xi32>, memref<8x40xf16
// CHECK: tile.split_mma(%{{.*}}), %{{.*}} -> %{{.*}} from 0 barrier
// CHECK: tile.publish_pairs %{{.*}}, %{{.*}}[%{{.*}}] clear[%{{.*}}] pitch %{{.*}} columns %{{.*}} rows
// CHECK: tile.publish_pairs %{{.*}}, %{{.*}}[%{{.*}}] pitch
tile.kernel @pairs(%w: memref<?xf16> read, %p: memref<?xi32> read_write,
    %words: memref<?xi32> read_write) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %polls = arith.constant 100 : i32
  %operand = tile.shared : memref<8x40xf16, #gpu.address_space<workgroup>>
  %sums = tile.shared : memref<16x8xf32, #gpu.address_space<workgroup>>
  %m = tile.load_split %w[%c0] pitch %c32 : memref<?xf16> -> !tile.matrix<8x32xf16, a>
  %seen = tile.peek_rows %words[%c0] pitch %c32 first %c0 limit %n
      : memref<?xi32> -> !tile.flight<8x32xf16, width 8>
  %left = tile.await_rows %seen, %words[%c0] pitch %c32 first %c0 limit %n
      polls %polls fault %p[%c0] -> %operand
      : !tile.flight<8x32xf16, width 8>, memref<?xi32>, memref<?xi32>, memref<8x40xf16, #gpu.address_space<workgroup>>
  tile.split_mma (%m), %operand -> %sums from 0 barrier
      : (!tile.matrix<8x32xf16, a>), memref<8x40xf16, #gpu.address_space<workgroup>>,
        memref<16x8xf32, #gpu.address_space<workgroup>>
  %f = tile.fetch %w[%c0] pitch %c32 columns %c32 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf16> -> !tile.flight<8x16xf16, width 2>
  tile.publish_pairs %f, %words[%c0] clear [%c32] pitch %c32 columns %c32 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : !tile.flight<8x16xf16, width 2>, memref<?xi32>
  tile.publish_pairs %f, %words[%c0] pitch %c32 columns %c32 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : !tile.flight<8x16xf16, width 2>, memref<?xi32>
  tile.return
}
