// RUN: rung-opt %s --rnn-to-tile --canonicalize | FileCheck %s

rnn.weight @table : tensor<7x12xf32> = dense<1.0>
rnn.weight @scale : tensor<2048xf32> = dense<1.0>
rnn.weight @odd_table : tensor<7x5xf32> = dense<1.0>

// Threads take 16 bytes of a row each, whatever row that is.
// CHECK-LABEL: tile.kernel @embed_embedding
// CHECK: %[[ID:.*]] = memref.load %{{.*}} : memref<?xi32>
// CHECK: arith.minsi
// CHECK: %[[V:.*]]:4 = tile.read %{{.*}} : memref<?xf32>
// CHECK: tile.write %[[V]]#0, %[[V]]#1, %[[V]]#2, %[[V]]#3 -> %{{.*}} -> memref<?xf32>
func.func @embed(%ids: tensor<?x?xi32>) -> tensor<?x?x12xf32> {
  %t = rnn.load_weight @table : tensor<7x12xf32>
  %e = rnn.embedding %ids, %t : (tensor<?x?xi32>, tensor<7x12xf32>) -> tensor<?x?x12xf32>
  return %e : tensor<?x?x12xf32>
}

// Rows that are no multiple of anything go element by element.
// CHECK-LABEL: tile.kernel @odd_embedding
// CHECK: %[[V:.*]] = tile.read %{{.*}} : memref<?xf32> -> f32
// CHECK: tile.write %[[V]] -> %{{.*}} : f32 -> memref<?xf32>
func.func @odd(%ids: tensor<?x?xi32>) -> tensor<?x?x5xf32> {
  %t = rnn.load_weight @odd_table : tensor<7x5xf32>
  %e = rnn.embedding %ids, %t : (tensor<?x?xi32>, tensor<7x5xf32>) -> tensor<?x?x5xf32>
  return %e : tensor<?x?x5xf32>
}

// Two long rows are enough for a workgroup, of more threads.
// CHECK: tile.dispatch @norm_rms_norm groups(<ceil(TB / 2)>, <1>, <1>)
// CHECK-LABEL: tile.kernel @norm_rms_norm
// CHECK-SAME: subgroup_size = 256
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %{{.*}} to %c512 step %c256
// CHECK: tile.read %{{.*}} -> f32, f32, f32, f32
// CHECK: tile.reduce add
// CHECK: scf.for %{{.*}} = %{{.*}} to %c512 step %c256
// CHECK: tile.write
func.func @norm(%x: tensor<?x?x2048xf32>) -> tensor<?x?x2048xf32> {
  %s = rnn.load_weight @scale : tensor<2048xf32>
  %n = rnn.rms_norm %x, %s : tensor<?x?x2048xf32>, tensor<2048xf32>
  return %n : tensor<?x?x2048xf32>
}
