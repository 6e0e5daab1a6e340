// RUN: rung-opt %s --tile-distribute --canonicalize --cse | FileCheck %s

// Blocks of a transposed layout are held as their transposes: rows of memory
// are columns of what is loaded, and weights come first in the product.
// CHECK-LABEL: tile.kernel @transposed(
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK: %[[S:.*]] = tile.shared : memref<8x3xvector<4xi32>,
// CHECK: %[[H:.*]] = tile.block_load %[[S]][%[[C0]], %[[C0]]] stride %[[C3]] column_major : {{.*}} -> !spirv.coopmatrix<16x8xf16, Subgroup, MatrixB>
// CHECK: %[[W:.*]] = tile.block_load %{{.*}} stride %[[C2]] : memref<?xvector<4xi32>, {{.*}} -> !spirv.coopmatrix<16x16xf16, Subgroup, MatrixA>
// CHECK: %[[R:.*]] = tile.block_load %{{.*}} stride %[[C0]] column_major : {{.*}} -> !spirv.coopmatrix<16x8xf32, Subgroup, MatrixAcc>
// CHECK: %[[P:.*]] = spirv.KHR.CooperativeMatrixMulAdd %[[W]], %[[H]], %[[R]]
// CHECK: %[[N:.*]] = spirv.FConvert %[[P]] : {{.*}} to !spirv.coopmatrix<16x8xf16, Subgroup, MatrixAcc>
// CHECK: tile.block_store %[[N]], %[[S]][%{{.*}}, %{{.*}}] stride %[[C3]] column_major
// CHECK: tile.block_store %[[P]], %{{.*}} stride %{{.*}} column_major
tile.kernel @transposed(%w: memref<?xf16> read, %r: memref<?xf32> read,
                        %y: memref<?xf32> write) push()
    layout(<instruction = transposed [8, 16, 16], subgroups = 1,
            subgroup_size = 32, cooperative = true>) {
  %s = tile.shared : memref<8x24xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %a = tile.load %s[%c0, %c0]
      : memref<8x24xf16, #gpu.address_space<workgroup>>
        -> !tile.matrix<8x16xf16, a>
  %b = tile.load_packed %w[%c0] pitch %c16 transposed
      : memref<?xf16> -> !tile.matrix<16x16xf16, b>
  %z = tile.broadcast_row %r[%c0]
      : memref<?xf32> -> !tile.matrix<8x16xf32, acc>
  %p = tile.mma %z, %a, %b : !tile.matrix<8x16xf32, acc>,
      !tile.matrix<8x16xf16, a>, !tile.matrix<16x16xf16, b>
  %n = tile.convert %p : !tile.matrix<8x16xf32, acc>
      -> !tile.matrix<8x16xf16, acc>
  tile.store %n, %s[%c0, %c0] : !tile.matrix<8x16xf16, acc>,
      memref<8x24xf16, #gpu.address_space<workgroup>>
  tile.store_global %p, %y[%c0] pitch %c16
      : !tile.matrix<8x16xf32, acc>, memref<?xf32>
}
