// RUN: rung-opt %s --tile-distribute --split-input-file | FileCheck %s --check-prefix=ROWS
// RUN: rung-opt %s --tile-distribute --canonicalize --cse --split-input-file | FileCheck %s
// RUN: rung-opt %s --lower-tile-to-spirv --split-input-file | FileCheck %s --check-prefix=SPIRV

// Eight f32 come by two accesses, are rounded, and land as eight f16 by one.
// All users of the shared memory can move 16 bytes, so it is made of those, and
// a stride counts them.
// CHECK-LABEL: tile.kernel @rounded(
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK: %[[X:.*]] = tile.view %{{.*}} : memref<?xf32, {{.*}}> -> memref<?xvector<4xi32>,
// CHECK: %[[S:.*]] = tile.shared : memref<8x3xvector<4xi32>,
// CHECK: %[[FIRST:.*]] = memref.load %[[X]][%[[AT:.*]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %[[C1]]
// CHECK: memref.load %[[X]][%[[NEXT]]]
// CHECK-NOT: memref.load
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: spirv.CompositeConstruct %{{.*}}, %{{.*}} : (f16, f16) -> vector<2xf16>
// CHECK: memref.store %{{.*}}, %[[S]][%{{.*}}, %{{.*}}] : memref<8x3xvector<4xi32>,
// CHECK-NOT: memref.store
// CHECK: tile.block_load %[[S]][%{{.*}}, %{{.*}}] stride %[[C3]] : memref<8x3xvector<4xi32>, {{.*}}> -> !spirv.coopmatrix<8x8xf16, Subgroup, MatrixA>
// The weights' columns are 16 f16 apart.
// CHECK: tile.block_load %{{.*}}[%{{.*}}] stride %[[C2]] column_major : memref<?xvector<4xi32>,
// SPIRV-LABEL: spirv.module @rounded
// SPIRV-DAG: spirv.GlobalVariable @buffer_0_x4 bind(0, 0) {non_writable} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<vector<4xi32>, stride=16> [0])>, StorageBuffer>
// SPIRV-DAG: spirv.GlobalVariable @buffer_1_x4 bind(0, 1) {non_writable}
// SPIRV-DAG: spirv.GlobalVariable @shared_{{.}} : !spirv.ptr<!spirv.struct<(!spirv.array<24 x vector<4xi32>>)>, Workgroup>
// SPIRV: spirv.Store "Workgroup" %{{.*}}, %{{.*}} ["NonPrivatePointer"] : vector<4xi32>
// SPIRV: spirv.KHR.CooperativeMatrixLoad {{.*}} : !spirv.ptr<vector<4xi32>, Workgroup>, i32
tile.kernel @rounded(%x: memref<?xf32> read, %w: memref<?xf16> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8,
            cooperative = true>) {
  %s = tile.shared : memref<8x24xf16, #gpu.address_space<workgroup>>
  %o = tile.shared : memref<8x20xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<8x16xf32, width 8>
  %n = tile.map(%f) {
  ^bb0(%e: f32):
    %h = arith.truncf %e : f32 to f16
    tile.yield %h : f16
  } : (!tile.flight<8x16xf32, width 8>) -> !tile.flight<8x16xf16, width 8>
  tile.land %n, %s[%c0, %c0] : !tile.flight<8x16xf16, width 8>,
      memref<8x24xf16, #gpu.address_space<workgroup>>
  tile.barrier
  %a = tile.load %s[%c0, %c0]
      : memref<8x24xf16, #gpu.address_space<workgroup>>
        -> !tile.matrix<8x16xf16, a>
  %b = tile.load_packed %w[%c0] pitch %c16 transposed
      : memref<?xf16> -> !tile.matrix<16x16xf16, b>
  %z = tile.fill %zero : f32 -> !tile.matrix<8x16xf32, acc>
  %p = tile.mma %z, %a, %b : !tile.matrix<8x16xf32, acc>,
      !tile.matrix<8x16xf16, a>, !tile.matrix<16x16xf16, b>
  tile.store %p, %o[%c0, %c0] : !tile.matrix<8x16xf32, acc>,
      memref<8x20xf32, #gpu.address_space<workgroup>>
}

// -----

// A flight on its way to memory that some user reads element by element is
// taken apart there. A buffer that is accessed in units and in elements has a
// variable for each.
// CHECK-LABEL: tile.kernel @mixed(
// CHECK: %[[S:.*]] = tile.shared : memref<2x20xf32,
// CHECK: memref.load %{{.*}} : memref<?xvector<4xi32>,
// CHECK-COUNT-4: memref.store %{{.*}}, %[[S]]
// CHECK: memref.load %[[S]][%{{.*}}, %{{.*}}] : memref<2x20xf32,
// SPIRV-LABEL: spirv.module @mixed
// SPIRV-DAG: spirv.GlobalVariable @buffer_0 bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
// SPIRV-DAG: spirv.GlobalVariable @buffer_0_x4 bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<vector<4xi32>, stride=16> [0])>, StorageBuffer>
tile.kernel @mixed(%x: memref<?xf32> read_write) push(%n)
    layout(<instruction = [2, 8, 1], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %s = tile.shared : memref<2x20xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf32> -> !tile.flight<2x16xf32, width 4>
  tile.land %f, %s[%c0, %c0] : !tile.flight<2x16xf32, width 4>,
      memref<2x20xf32, #gpu.address_space<workgroup>>
  tile.barrier
  %v = memref.load %s[%c0, %n] : memref<2x20xf32, #gpu.address_space<workgroup>>
  memref.store %v, %x[%n] : memref<?xf32>
}

// -----

// The narrowest user decides: blocks of eight bytes make units of eight, and
// what lands by 16 is stored as two of them. What moves in units needs neither
// 8- nor 16-bit access to memory.
// CHECK-LABEL: tile.kernel @bytes(
// CHECK: %[[S:.*]] = tile.shared : memref<8x6xvector<2xi32>,
// CHECK: memref.load %{{.*}} : memref<?xvector<4xi32>,
// CHECK-COUNT-2: memref.store %{{.*}}, %[[S]]
// CHECK-NOT: memref.store
// CHECK: tile.block_load %[[S]]{{.*}} -> !spirv.coopmatrix<8x8xi8, Subgroup, MatrixA>
// SPIRV-LABEL: spirv.module @bytes
// SPIRV-NOT: StorageBuffer8BitAccess
// SPIRV: spirv.func
tile.kernel @bytes(%x: memref<?xi8> read, %w: memref<?xi8> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = true>) {
  %s = tile.shared : memref<8x48xi8, #gpu.address_space<workgroup>>
  %o = tile.shared : memref<8x12xi32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %f = tile.fetch %x[%c0] pitch %c16 columns %c16 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xi8> -> !tile.flight<8x16xi8, width 16>
  tile.land %f, %s[%c0, %c0] : !tile.flight<8x16xi8, width 16>,
      memref<8x48xi8, #gpu.address_space<workgroup>>
  tile.barrier
  %a = tile.load %s[%c0, %c0]
      : memref<8x48xi8, #gpu.address_space<workgroup>>
        -> !tile.matrix<8x16xi8, a>
  %b = tile.load_packed %w[%c0] pitch %c16 transposed
      : memref<?xi8> -> !tile.matrix<16x8xi8, b>
  %z = tile.fill %zero : i32 -> !tile.matrix<8x8xi32, acc>
  %p = tile.mma %z, %a, %b : !tile.matrix<8x8xi32, acc>,
      !tile.matrix<8x16xi8, a>, !tile.matrix<16x8xi8, b>
  tile.store %p, %o[%c0, %c0] : !tile.matrix<8x8xi32, acc>,
      memref<8x12xi32, #gpu.address_space<workgroup>>
}

// -----

// What a row region computes of a row that all threads share is computed once
// for all of its elements: of 2 x 128 elements a thread has four groups of four, in two rows.
// A group is written, zeroed or masked as a whole; of whole rows no column is
// compared with the limit.
// ROWS-LABEL: tile.kernel @rows(
// ROWS-COUNT-2: memref.load %{{.*}} : memref<?xi32,
// ROWS-NOT: memref.load %{{.*}} : memref<?xi32,
// CHECK-LABEL: tile.kernel @rows(
// CHECK-COUNT-4: scf.if
// CHECK-NOT: scf.if
// CHECK: tile.return
// CHECK-LABEL: tile.kernel @drained(
// CHECK: %[[S:.*]] = tile.shared : memref<2x17xvector<4xi32>,
// CHECK: %[[V:.*]] = memref.load %[[S]]
// CHECK: %[[KEPT:.*]] = arith.select %{{.*}}, %[[V]], %{{.*}} : vector<4xi32>
// CHECK: memref.store %[[KEPT]], %{{.*}} : memref<?xvector<4xi32>,
tile.kernel @rows(%n: memref<?xi32> read, %y: memref<?xf32> write) push()
    layout(<instruction = [2, 16, 1], subgroups = 1, subgroup_size = 16,
            cooperative = false>) {
  %s = tile.shared : memref<2x132xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %true = arith.constant true
  tile.drain %s[%c0, %c0] -> %y[%c0] pitch %c128 columns %c128 size [2, 128] width 4 rows {
  ^bb0(%r: index):
    %v = memref.load %n[%r] : memref<?xi32>
    %row = arith.index_cast %v : i32 to index
    tile.yield %row, %true : index, i1
  } : memref<2x132xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
  tile.return
}
tile.kernel @drained(%y: memref<?xf32> write) push(%k)
    layout(<instruction = [2, 16, 1], subgroups = 1, subgroup_size = 16,
            cooperative = false>) {
  %s = tile.shared : memref<2x68xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  tile.drain %s[%c0, %c0] -> %y[%c0] pitch %c64 columns %c64 size [2, 64] width 4 rows {
  ^bb0(%r: index):
    %keep = arith.cmpi slt, %r, %k : index
    tile.yield %r, %keep : index, i1
  } : memref<2x68xf32, #gpu.address_space<workgroup>> -> memref<?xf32>
  tile.return
}

// -----

// Single threads move neighbours in units, too.
// CHECK-LABEL: tile.kernel @neighbours(
// CHECK: %[[UNIT:.*]] = memref.load %{{.*}} : memref<?xvector<4xi32>,
// CHECK: %[[WORD:.*]] = spirv.CompositeExtract %[[UNIT]][0 : i32] : vector<4xi32>
// CHECK: %[[PAIR:.*]] = spirv.Bitcast %[[WORD]] : i32 to vector<2xf16>
// CHECK: spirv.CompositeExtract %[[PAIR]][0 : i32] : vector<2xf16>
// CHECK: memref.store %{{.*}} : memref<?xvector<2xi32>,
// SPIRV-LABEL: spirv.module @neighbours
// SPIRV-DAG: @buffer_1_x2 bind(0, 1) : !spirv.ptr<!spirv.struct<(!spirv.rtarray<vector<2xi32>, stride=8> [0])>, StorageBuffer>
tile.kernel @neighbours(%x: memref<?xf16> read, %y: memref<?xf16> write) push(%n)
    layout(<instruction = [1, 64, 1], subgroups = 1, subgroup_size = 64,
            cooperative = false>) {
  %c8 = arith.constant 8 : index
  %i = arith.muli %n, %c8 : index
  %v:8 = tile.read %x[%i] : memref<?xf16> -> f16, f16, f16, f16, f16, f16, f16, f16
  tile.write %v#1, %v#0, %v#3, %v#2 -> %y[%i] : f16, f16, f16, f16 -> memref<?xf16>
  tile.return
}

// -----

// Of rows with four groups of 16 bytes eight threads take two that begin in
// different banks: r and r + 4. All that a thread does with a group, it does in
// that row.
// CHECK-LABEL: tile.kernel @banks(
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: %[[S:.*]] = tile.shared : memref<16x5xvector<4xi32>,
// CHECK: %[[R:.*]] = arith.divui %{{.*}}, %[[C4]]
// CHECK: %[[COLUMN:.*]] = arith.remui %{{.*}}, %[[C4]]
// CHECK: %[[WITHIN:.*]] = arith.remui %[[R]], %[[C8]]
// CHECK: %[[FIRST:.*]] = arith.subi %[[R]], %[[WITHIN]]
// CHECK: %[[HALF:.*]] = arith.divui %[[WITHIN]], %[[C2]]
// CHECK: %[[ODD:.*]] = arith.remui %[[WITHIN]], %[[C2]]
// CHECK: %[[FOUR:.*]] = arith.muli %[[ODD]], %[[C4]]
// CHECK: %[[TURNED:.*]] = arith.addi %[[HALF]], %[[FOUR]]
// CHECK: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[TURNED]]
// CHECK: %[[PLACE:.*]] = arith.muli %[[ROW]], %[[C4]]
// CHECK: %[[AT:.*]] = arith.addi %[[PLACE]], %[[COLUMN]]
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<?xvector<4xi32>,
// CHECK: memref.store %{{.*}}, %[[S]][%[[ROW]], %[[COLUMN]]]
tile.kernel @banks(%x: memref<?xf16> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 8, subgroup_size = 8,
            cooperative = true>) {
  %s = tile.shared : memref<16x40xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %f = tile.fetch %x[%c0] pitch %c32 columns %c32 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } : memref<?xf16> -> !tile.flight<16x32xf16, width 8>
  tile.land %f, %s[%c0, %c0] : !tile.flight<16x32xf16, width 8>,
      memref<16x40xf16, #gpu.address_space<workgroup>>
}

// -----

// What is taken once needs no place in the nearest cache.
// CHECK-LABEL: tile.kernel @streamed(
// CHECK: memref.load %{{.*}} {nontemporal = true} : memref<?xvector<4xi32>,
// SPIRV-LABEL: spirv.module @streamed
// SPIRV: spirv.Load "StorageBuffer" %{{.*}} ["Nontemporal"] : vector<4xi32>
tile.kernel @streamed(%x: memref<?xf16> read, %y: memref<?xf16> write) push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = true>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %s = tile.shared : memref<8x8xf16, #gpu.address_space<workgroup>>
  %f = tile.fetch %x[%c0] pitch %c8 columns %c8 rows {
  ^bb0(%r: index):
    tile.yield %r : index
  } {tile.taken_once} : memref<?xf16> -> !tile.flight<8x8xf16, width 8>
  tile.land %f, %s[%c0, %c0] : !tile.flight<8x8xf16, width 8>,
      memref<8x8xf16, #gpu.address_space<workgroup>>
  tile.drain %s[%c0, %c0] -> %y[%c0] pitch %c8 columns %c8 size [8, 8] width 8
      rows {
  ^bb0(%r: index):
    %true = arith.constant true
    tile.yield %r, %true : index, i1
  } : memref<8x8xf16, #gpu.address_space<workgroup>> -> memref<?xf16>
}
