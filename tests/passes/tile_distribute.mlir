// RUN: rung-opt %s --tile-distribute --canonicalize --cse --split-input-file | FileCheck %s

// One subgroup owns both column blocks; accumulators of one k come together.
// Rows of shared memory are counted in units of 16 bytes.
// CHECK-LABEL: tile.kernel @cooperative(
// CHECK-SAME: attributes {tile.mma_count = 1 : i64}
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK: %[[S:.*]] = tile.shared : memref<8x3xvector<4xi32>, #spirv.storage_class<Workgroup>>
// CHECK: %[[A0:.*]] = tile.block_load %[[S]][%[[C0]], %[[C0]]] stride %[[C3]] : {{.*}} -> !spirv.coopmatrix<8x8xf16, Subgroup, MatrixA>
// CHECK: %[[A1:.*]] = tile.block_load %[[S]][%[[C0]], %[[C1]]] stride %[[C3]]
// CHECK: tile.block_load %{{.*}}[%{{.*}}] stride %{{.*}} column_major : memref<?xvector<4xi32>, #spirv.storage_class<StorageBuffer>> -> !spirv.coopmatrix<8x8xf16, Subgroup, MatrixB>
// CHECK: %[[Z:.*]] = tile.block_fill %{{.*}} : f32 -> !spirv.coopmatrix<8x8xf32, Subgroup, MatrixAcc>
// CHECK: %[[P0:.*]] = spirv.KHR.CooperativeMatrixMulAdd %[[A0]], %{{.*}}, %[[Z]]
// CHECK: %[[P1:.*]] = spirv.KHR.CooperativeMatrixMulAdd %[[A0]], %{{.*}}, %[[Z]]
// CHECK: spirv.KHR.CooperativeMatrixMulAdd %[[A1]], %{{.*}}, %[[P0]]
// CHECK: spirv.KHR.CooperativeMatrixMulAdd %[[A1]], %{{.*}}, %[[P1]]
// CHECK-NOT: !tile.matrix
tile.kernel @cooperative(%w: memref<?xf16> read, %y: memref<?xf32> write)
    push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = true>) {
  %s = tile.shared : memref<8x24xf16, #gpu.address_space<workgroup>>
  %o = tile.shared : memref<8x20xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
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

// What a fill or a map put into a block, the next map takes from there. The
// fill of an unchanged carried value survives folding, too.
// CHECK-LABEL: tile.kernel @chain(
// CHECK-SAME: %[[X:[a-z_0-9]+]]: memref<?xf32
// CHECK: %[[V:.*]] = memref.load %[[X]]
// CHECK: %[[D:.*]] = arith.addf %[[V]], %[[V]]
// CHECK: %[[E:.*]] = arith.mulf %[[D]], %[[V]]
// CHECK-NOT: spirv.CompositeExtract
// CHECK: spirv.CompositeInsert %[[E]]
tile.kernel @chain(%x: memref<?xf32> read) push(%n)
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = true>) {
  %o = tile.shared : memref<8x8xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  %a = tile.fill %v : f32 -> !tile.matrix<8x8xf32, acc>
  %carried = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a)
      -> !tile.matrix<8x8xf32, acc> {
    scf.yield %b : !tile.matrix<8x8xf32, acc>
  }
  %d = tile.map(%a) {
  ^bb0(%e: f32):
    %0 = arith.addf %e, %e : f32
    tile.yield %0 : f32
  } : (!tile.matrix<8x8xf32, acc>) -> !tile.matrix<8x8xf32, acc>
  %p = tile.map(%d, %a) {
  ^bb0(%e: f32, %f: f32):
    %0 = arith.mulf %e, %f : f32
    tile.yield %0 : f32
  } : (!tile.matrix<8x8xf32, acc>, !tile.matrix<8x8xf32, acc>)
      -> !tile.matrix<8x8xf32, acc>
  tile.store %p, %o[%c0, %c0] : !tile.matrix<8x8xf32, acc>,
      memref<8x8xf32, #gpu.address_space<workgroup>>
  %q = tile.map(%carried) {
  ^bb0(%e: f32):
    tile.yield %e : f32
  } : (!tile.matrix<8x8xf32, acc>) -> !tile.matrix<8x8xf32, acc>
  tile.store %q, %o[%c0, %c0] : !tile.matrix<8x8xf32, acc>,
      memref<8x8xf32, #gpu.address_space<workgroup>>
}

// -----

// Elements of 16 bits go through a map two by two, operation by operation; what
// is wider, or reads memory, one by one. Sums and shifts of i16 are those of a
// word, of which none leaves its half.
// CHECK-LABEL: tile.kernel @packed(
// CHECK: %[[E0:.*]] = spirv.CompositeExtract %[[A:.*]][0 : i32] : !spirv.coopmatrix
// CHECK: %[[E1:.*]] = spirv.CompositeExtract %[[A]][1 : i32] : !spirv.coopmatrix
// CHECK: %[[P0:.*]] = spirv.CompositeConstruct %[[E0]], %[[E1]] : (f16, f16) -> vector<2xf16>
// CHECK: %[[S0:.*]] = arith.addf %[[P0]], %[[ONE:.*]] : vector<2xf16>
// CHECK: %[[P1:.*]] = spirv.CompositeConstruct
// CHECK: %[[S1:.*]] = arith.addf %[[P1]], %[[ONE]] : vector<2xf16>
// CHECK: %[[B0:.*]] = arith.bitcast %[[S0]] : vector<2xf16> to vector<2xi16>
// CHECK: %[[B1:.*]] = arith.bitcast %[[S1]] : vector<2xf16> to vector<2xi16>
// CHECK: %[[W0:.*]] = spirv.Bitcast %[[B0]] : vector<2xi16> to i32
// CHECK-NEXT: %[[L0:.*]] = arith.shli %[[W0]], %{{.*}} : i32
// CHECK-NEXT: arith.andi %[[L0]], %{{.*}} : i32
// CHECK: %[[W1:.*]] = spirv.Bitcast %[[B1]] : vector<2xi16> to i32
// CHECK: arith.subi %{{.*}}, %{{.*}} : i32
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: %[[C:.*]] = spirv.CompositeExtract %[[H:.*]][0 : i32] : vector<2xi16>
// CHECK: %[[D:.*]] = spirv.CompositeExtract %[[H]][1 : i32] : vector<2xi16>
// CHECK: %[[X:.*]] = arith.extui %[[C]] : i16 to i32
// CHECK: arith.muli %[[X]], %[[X]] : i32
// CHECK-NOT: vector<2xi32>
// CHECK: spirv.CompositeInsert
tile.kernel @packed() push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = true>) {
  %o = tile.shared : memref<8x8xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %a = tile.load %o[%c0, %c0]
      : memref<8x8xf16, #gpu.address_space<workgroup>>
        -> !tile.matrix<8x8xf16, acc>
  %d = tile.map(%a) {
  ^bb0(%e: f16):
    %one = arith.constant 1.0 : f16
    %ten = arith.constant 10 : i16
    %magic = arith.constant 30618 : i16
    %0 = arith.addf %e, %one : f16
    %1 = arith.bitcast %0 : f16 to i16
    %2 = arith.shli %1, %ten : i16
    %3 = arith.subi %magic, %2 : i16
    %4 = arith.addi %3, %1 : i16
    %5 = arith.extui %4 : i16 to i32
    %square = arith.muli %5, %5 : i32
    %6 = arith.trunci %square : i32 to i16
    %7 = arith.bitcast %6 : i16 to f16
    tile.yield %7 : f16
  } : (!tile.matrix<8x8xf16, acc>) -> !tile.matrix<8x8xf16, acc>
  tile.store %d, %o[%c0, %c0] : !tile.matrix<8x8xf16, acc>,
      memref<8x8xf16, #gpu.address_space<workgroup>>
}

// -----

// A plain product is one loop over k, in which each lane keeps its sums, and
// makes each of its loads once: eight rows of a, one column of each block, each
// for eight k at a time.
// CHECK-LABEL: tile.kernel @plain(
// CHECK-NOT: tile.mma_count
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args({{.*}}) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
// CHECK-COUNT-1: memref.load %{{.*}} : memref<?xvector<4xi32>
// CHECK-NOT: memref.load %{{.*}} : memref<?x
// CHECK: scf.yield
tile.kernel @plain(%w: memref<?xf16> read, %y: memref<?xf32> write) push()
    layout(<instruction = [8, 8, 1], subgroups = 2, subgroup_size = 8,
            cooperative = false>) {
  %s = tile.shared : memref<8x32xf16, #gpu.address_space<workgroup>>
  %o = tile.shared : memref<8x16xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %a = tile.load %s[%c0, %c0]
      : memref<8x32xf16, #gpu.address_space<workgroup>>
        -> !tile.matrix<8x32xf16, a>
  %b = tile.load_packed %w[%c0] pitch %c32 transposed
      : memref<?xf16> -> !tile.matrix<32x16xf16, b>
  %z = tile.fill %zero : f32 -> !tile.matrix<8x16xf32, acc>
  %p = tile.mma %z, %a, %b : !tile.matrix<8x16xf32, acc>,
      !tile.matrix<8x32xf16, a>, !tile.matrix<32x16xf16, b>
  tile.store %p, %o[%c0, %c0] : !tile.matrix<8x16xf32, acc>,
      memref<8x16xf32, #gpu.address_space<workgroup>>
}

// -----

// A fetch reads under no branch: a masked element reads element 0. Threads
// beyond the tile are masked, too, and land nothing.
// CHECK-LABEL: tile.kernel @fetch(
// CHECK: %[[T:.*]] = gpu.thread_id
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[T]], %{{.*}}
// CHECK: %[[VALID:.*]] = arith.andi %{{.*}}, %[[IN]]
// CHECK: %[[AT:.*]] = arith.select %[[VALID]], %{{.*}}, %{{.*}} : index
// CHECK: %[[V:.*]] = memref.load %{{.*}}[%[[AT]]]
// CHECK: %[[E:.*]] = arith.select %[[VALID]], %[[V]], %{{.*}} : f32
// CHECK: scf.if %[[IN]] {
// CHECK:   memref.store %[[E]]
tile.kernel @fetch(%x: memref<?xf32> read) push(%n)
    layout(<instruction = [8, 8, 1], subgroups = 1, subgroup_size = 64,
            cooperative = false>) {
  %s = tile.shared : memref<4x8xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %f = tile.fetch %x[%c0] pitch %c8 columns %c8 rows {
  ^bb0(%r: index):
    %row = arith.addi %r, %n : index
    tile.yield %row : index
  } : memref<?xf32> -> !tile.flight<4x8xf32>
  tile.land %f, %s[%c0, %c0]
      : !tile.flight<4x8xf32>, memref<4x8xf32, #gpu.address_space<workgroup>>
}

// -----

// bf16 is its bits in i16, and is rounded by integer arithmetic.
// CHECK-LABEL: tile.kernel @bf16(%{{.*}}: memref<?xi16, #spirv.storage_class<StorageBuffer>> read_write)
// CHECK: %[[BITS:.*]] = memref.load %{{.*}} : memref<?xi16
// CHECK: %[[WIDE:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: %[[HIGH:.*]] = arith.shli %[[WIDE]], %{{.*}} : i32
// CHECK: arith.bitcast %[[HIGH]] : i32 to f32
// CHECK: arith.trunci %{{.*}} : i32 to i16
// CHECK-NOT: bf16
tile.kernel @bf16(%x: memref<?xbf16> read_write) push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<?xbf16>
  %f = arith.extf %v : bf16 to f32
  %d = arith.addf %f, %f : f32
  %n = arith.truncf %d : f32 to bf16
  memref.store %n, %x[%t] : memref<?xbf16>
}

// -----

// A reduction over a number of threads that is no power of two: of 12, four
// have a partner eight away, then all have one.
// CHECK-LABEL: tile.kernel @reduce(
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK: tile.barrier
// CHECK: arith.cmpi ult, %{{.*}}, %[[C4]]
// CHECK: arith.addi %{{.*}}, %[[C8]]
// CHECK: arith.maximumf
// CHECK: tile.barrier
// CHECK: tile.barrier
// CHECK: tile.barrier
// CHECK: tile.barrier
// CHECK: tile.barrier
// CHECK-NOT: tile.barrier
tile.kernel @reduce(%x: memref<?xf32> read_write) push()
    layout(<instruction = [6, 2, 1], subgroups = 1, subgroup_size = 12,
            cooperative = false>) {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<?xf32>
  %m = tile.reduce max %v : f32
  memref.store %m, %x[%t] : memref<?xf32>
}

// -----

// Sums of f16 are made of eight products at a time, each part from zero, so
// that their error does not grow with every k.
// CHECK-LABEL: tile.kernel @half(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f16
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C20:.*]] = arith.constant 20 : index
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %[[C20]] step %[[C8]] iter_args(%[[SUM:.*]] = %[[ZERO]]) -> (f16) {
// CHECK: %[[END:.*]] = arith.addi %[[FIRST]], %[[C8]]
// CHECK: %[[LAST:.*]] = arith.minsi %[[END]], %[[C20]]
// CHECK: %[[PART:.*]] = scf.for %{{.*}} = %[[FIRST]] to %[[LAST]] step %{{.*}} iter_args(%{{.*}} = %[[ZERO]]) -> (f16) {
// CHECK: %[[PRODUCT:.*]] = arith.mulf {{.*}} : f16
// CHECK: arith.addf %{{.*}}, %[[PRODUCT]] : f16
// CHECK: arith.addf %[[SUM]], %[[PART]] : f16
tile.kernel @half(%w: memref<?xf16> read) push()
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %s = tile.shared : memref<1x24xf16, #gpu.address_space<workgroup>>
  %o = tile.shared : memref<1x8xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0.0 : f16
  %a = tile.load %s[%c0, %c0]
      : memref<1x24xf16, #gpu.address_space<workgroup>>
        -> !tile.matrix<1x20xf16, a>
  %b = tile.load_packed %w[%c0] pitch %c20 transposed
      : memref<?xf16> -> !tile.matrix<20x8xf16, b>
  %z = tile.fill %zero : f16 -> !tile.matrix<1x8xf16, acc>
  %p = tile.mma %z, %a, %b : !tile.matrix<1x8xf16, acc>,
      !tile.matrix<1x20xf16, a>, !tile.matrix<20x8xf16, b>
  tile.store %p, %o[%c0, %c0] : !tile.matrix<1x8xf16, acc>,
      memref<1x8xf16, #gpu.address_space<workgroup>>
}

// -----

// Bytes are widened with their sign, multiplied and added as words; a word is
// narrowed to its low byte. The eight weights of a sum come at once.
// CHECK-LABEL: tile.kernel @bytes(
// CHECK: %[[WORD:.*]] = memref.load %{{.*}} : memref<1x12xi32
// CHECK: %[[LOW:.*]] = arith.trunci %[[WORD]] : i32 to i8
// CHECK: memref.store %[[LOW]], %{{.*}} : memref<1x16xi8
// CHECK: memref.load %{{.*}} : memref<?xvector<2xi32>
// CHECK-DAG: arith.extsi %{{.*}} : i8 to i32
// CHECK-DAG: arith.extsi %{{.*}} : i8 to i32
// CHECK: arith.muli
// CHECK: arith.addi
tile.kernel @bytes(%w: memref<?xi8> read) push()
    layout(<instruction = [1, 8, 1], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %wide = tile.shared : memref<1x12xi32, #gpu.address_space<workgroup>>
  %s = tile.shared : memref<1x16xi8, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  tile.convert_shared %wide[%c0, %c0] -> %s[%c0, %c0] size [1, 8]
      : memref<1x12xi32, #gpu.address_space<workgroup>> -> memref<1x16xi8, #gpu.address_space<workgroup>>
  tile.barrier
  %a = tile.load %s[%c0, %c0]
      : memref<1x16xi8, #gpu.address_space<workgroup>>
        -> !tile.matrix<1x8xi8, a>
  %b = tile.load_packed %w[%c0] pitch %c8 transposed
      : memref<?xi8> -> !tile.matrix<8x8xi8, b>
  %z = tile.fill %zero : i32 -> !tile.matrix<1x8xi32, acc>
  %p = tile.mma %z, %a, %b : !tile.matrix<1x8xi32, acc>,
      !tile.matrix<1x8xi8, a>, !tile.matrix<8x8xi8, b>
  tile.store %p, %wide[%c0, %c0] : !tile.matrix<1x8xi32, acc>,
      memref<1x12xi32, #gpu.address_space<workgroup>>
}

// -----

// Subgroup s of a grid of 2 x 2 has the row blocks s / 2 and s / 2 + 2, and the
// column blocks s mod 2 and s mod 2 + 2. A part of the sums is some of them.
// CHECK-LABEL: tile.kernel @grid(
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK: %[[S:.*]] = gpu.subgroup_id
// CHECK-DAG: %[[DOWN:.*]] = arith.divui %[[S]], %[[C2]]
// CHECK-DAG: %[[ACROSS:.*]] = arith.remui %[[S]], %[[C2]]
// CHECK-DAG: %[[R:.*]] = arith.muli %[[DOWN]], %[[C8]]
// CHECK-DAG: %[[C:.*]] = arith.muli %[[ACROSS]], %[[C8]]
// CHECK-DAG: %[[R1:.*]] = arith.addi %[[R]], %[[C16]]
// CHECK-DAG: %[[C1:.*]] = arith.addi %[[C]], %[[C16]]
// CHECK-DAG: %[[A0:.*]] = tile.block_load %{{.*}}[%[[R]], %c0] {{.*}}MatrixA>
// CHECK-DAG: %[[A1:.*]] = tile.block_load %{{.*}}[%[[R1]], %c0] {{.*}}MatrixA>
// CHECK-DAG: %[[B0:.*]] = tile.block_load %{{.*}}[%[[C]], %c0] {{.*}} column_major {{.*}}MatrixB>
// CHECK-DAG: %[[B1:.*]] = tile.block_load %{{.*}}[%[[C1]], %c0] {{.*}} column_major {{.*}}MatrixB>
// CHECK: spirv.KHR.CooperativeMatrixMulAdd %[[A0]], %[[B0]]
// CHECK: spirv.KHR.CooperativeMatrixMulAdd %[[A0]], %[[B1]]
// CHECK: %[[P:.*]] = spirv.KHR.CooperativeMatrixMulAdd %[[A1]], %[[B0]]
// CHECK: spirv.KHR.CooperativeMatrixMulAdd %[[A1]], %[[B1]]
// CHECK-COUNT-4: tile.block_store %{{.*}}, %{{.*}}[%{{.*}}] stride %{{.*}} memref<?xf32, #spirv.storage_class<StorageBuffer>>
// CHECK: tile.block_store %[[P]], %{{.*}}[%[[R]], %{{.*}}] {{.*}}Workgroup
// CHECK-NOT: tile.block_store
tile.kernel @grid(%y: memref<?xf32> write) push()
    layout(<instruction = [8, 8, 8], subgroups = 4, subgroup_size = 8,
            cooperative = true, subgroup_rows = 2>) {
  %l = tile.shared : memref<32x16xf16, #gpu.address_space<workgroup>>
  %r = tile.shared : memref<32x16xf16, #gpu.address_space<workgroup>>
  %o = tile.shared : memref<16x20xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %a = tile.load %l[%c0, %c0]
      : memref<32x16xf16, #gpu.address_space<workgroup>>
        -> !tile.matrix<32x8xf16, a>
  %b = tile.load %r[%c0, %c0] transposed
      : memref<32x16xf16, #gpu.address_space<workgroup>>
        -> !tile.matrix<8x32xf16, b>
  %z = tile.fill %zero : f32 -> !tile.matrix<32x32xf32, acc>
  %p = tile.mma %z, %a, %b : !tile.matrix<32x32xf32, acc>,
      !tile.matrix<32x8xf16, a>, !tile.matrix<8x32xf16, b>
  tile.store_global %p, %y[%c0] pitch %c32
      : !tile.matrix<32x32xf32, acc>, memref<?xf32>
  %s = tile.slice %p[16, 0]
      : !tile.matrix<32x32xf32, acc> -> !tile.matrix<16x16xf32, acc>
  tile.store %s, %o[%c0, %c0] : !tile.matrix<16x16xf32, acc>,
      memref<16x20xf32, #gpu.address_space<workgroup>>
}
