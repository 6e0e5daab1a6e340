// RUN: rung-opt %s --rnn-to-tile --canonicalize | FileCheck %s

rnn.weight @factor : tensor<8xi32> = dense<3>
rnn.weight @table : tensor<5xi32> = dense<[0, 1, 4, 9, 16]>

// CHECK: tile.program @map
// CHECK: tile.packed count 8 {{.*}}@factor{{.*}} : <i32>
// CHECK: tile.packed count 5 {{.*}}@table{{.*}} : <i32>
// CHECK: tile.dispatch @map_map groups(<ceil(TB / 16)>, <1>, <1>)

// A row of factors is read by column, a table by the place of the element. A
// thread takes four neighbours, 16 bytes of the f32.
// CHECK-LABEL: tile.kernel @map_map
// CHECK-SAME: (%[[X:[a-z0-9_]+]]: memref<?xf32> read, %[[F:[a-z0-9_]+]]: memref<?xi32> read,
// CHECK-SAME: %[[T:[a-z0-9_]+]]: memref<?xi32> read, %[[A:[a-z0-9_]+]]: memref<?xi8> write,
// CHECK-SAME: %[[B:[a-z0-9_]+]]: memref<?xi32> write)
// CHECK: scf.for %[[I:[a-z0-9_]+]] =
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.divui %[[I]], %[[GROUPS:[a-z0-9_]+]]
// CHECK: %[[GROUP:[a-z0-9_]+]] = arith.remui %[[I]], %[[GROUPS]]
// CHECK: %[[COLUMN:[a-z0-9_]+]] = arith.muli %[[GROUP]], %c4
// CHECK: %[[AT:[a-z0-9_]+]] = arith.addi %{{.*}}, %[[COLUMN]]
// CHECK: %[[V:[a-z0-9_]+]]:4 = tile.read %[[X]][%[[AT]]] : memref<?xf32>
// CHECK: %[[W:[a-z0-9_]+]]:4 = tile.read %[[F]][%[[COLUMN]]] : memref<?xi32>
// CHECK: %[[Q:[a-z0-9_]+]] = arith.fptosi %[[V]]#0 : f32 to i32
// CHECK: %{{.*}}, %[[HIGH:[a-z0-9_]+]] = arith.mulsi_extended %[[Q]], %[[W]]#0 : i32
// CHECK: %[[R:[a-z0-9_]+]] = arith.shrsi
// CHECK: arith.maxsi %[[R]]
// CHECK: memref.load %[[T]][%{{.*}}] : memref<?xi32>
// CHECK: %[[N:[a-z0-9_]+]] = arith.trunci %[[R]] : i32 to i8
// CHECK: arith.fptosi %[[V]]#3 : f32 to i32
// CHECK: tile.write %[[N]], %{{.*}}, %{{.*}}, %{{.*}} -> %[[A]][%[[AT]]] : i8, i8, i8, i8 -> memref<?xi8>
// CHECK: tile.write %{{.*}} -> %[[B]][%[[AT]]] : i32, i32, i32, i32 -> memref<?xi32>
func.func @map(%x: tensor<?x?x8xf32>) -> tensor<?x?x8xi32> {
  %f = rnn.load_weight @factor : tensor<8xi32>
  %t = rnn.load_weight @table : tensor<5xi32>
  %a, %b = rnn.map inputs(%x) weights(%f, %t) {
  ^bb0(%p: tensor<8xf32>, %w: tensor<8xi32>, %k: tensor<5xi32>):
    %q = arith.fptosi %p : tensor<8xf32> to tensor<8xi32>
    %r = rnn.requantize %q, %w shift(40) : tensor<8xi32>
    %l = rnn.lookup %r, %k low(-2) shift(0) : tensor<8xi32>, tensor<5xi32>
    %n = arith.trunci %r : tensor<8xi32> to tensor<8xi8>
    rnn.yield outputs(%n, %l : tensor<8xi8>, tensor<8xi32>) states()
  } : (tensor<?x?x8xf32>, tensor<8xi32>, tensor<5xi32>)
      -> (tensor<?x?x8xi8>, tensor<?x?x8xi32>)
  %c = rnn.concat %a : (tensor<?x?x8xi8>) -> tensor<?x?x8xi8>
  return %b : tensor<?x?x8xi32>
}

// A kernel for the random states: a row's steps grow by T, its seed stays.
// CHECK-LABEL: tile.kernel @advance_advance_random
// CHECK-SAME: (%{{[a-z0-9_]+}}: memref<?xi32> read,
// CHECK-SAME: %[[L:[a-z0-9_]+]]: memref<?xi32> read,
// CHECK-SAME: push(%{{[a-z0-9_]+}}, %[[STEPS:[a-z0-9_]+]])
// CHECK: memref.load %[[L]]
// CHECK: arith.minsi %{{.*}}, %[[STEPS]] : index
func.func @advance(%r: tensor<?x3xi32>, %x: tensor<?x?x8xf32>,
                   %n: tensor<?xi32>) -> tensor<?x3xi32> {
  %next = rnn.advance_random %r, %x lengths(%n)
      : tensor<?x3xi32>, tensor<?x?x8xf32>, tensor<?xi32>
  return %next : tensor<?x3xi32>
}
