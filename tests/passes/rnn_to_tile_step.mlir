// RUN: rung-opt %s --rnn-to-tile --canonicalize --cse | FileCheck %s --implicit-check-not=func.func

// A kernel to begin, then each step one dispatch a phase, all columns of a head
// spread over workgroups. The operand of the first phase has two halves; the
// state is where the final state goes.
// CHECK-LABEL: tile.program @gru {
// CHECK: %[[X:.*]] = tile.buffer input 0
// CHECK: %[[LENGTHS:.*]] = tile.buffer input 1 size <B * 4> : <i32>
// CHECK: %[[H0:.*]] = tile.buffer input 2
// CHECK: %[[U:.*]] = tile.packed count 1024
// CHECK: %[[FIRST:.*]] = tile.buffer scratch size <B * 64, 2> : <f16>
// CHECK: %[[SECOND:.*]] = tile.buffer scratch size <B * 32, 2> : <f16>
// CHECK: %[[H:.*]] = tile.buffer output 1
// CHECK: %[[Y:.*]] = tile.buffer output 0
// CHECK: tile.dispatch @gru_initial groups(<2>, <ceil(B / 8)>, <2>) (%[[U]], %[[H0]], %[[H]], %[[FIRST]]) push [T, B] :
// CHECK-NEXT: tile.repeat T {
// CHECK-NEXT: tile.dispatch @gru_step groups(<2>, <ceil(B / 8)>, <2>) (%[[X]], %[[LENGTHS]], %[[U]], %[[H]], %[[FIRST]], %[[SECOND]]) push [T, B, step]
// CHECK-NEXT: tile.dispatch @gru_step_1 groups(<2>, <ceil(B / 8)>, <2>) (%[[X]], %[[LENGTHS]], %[[U]], %[[H]], %[[Y]], %[[SECOND]], %[[FIRST]]) push [T, B, step]
// CHECK-NEXT: }

// The initial state goes to where it lives, and rounded to the first operand.
// CHECK-LABEL: tile.kernel @gru_initial(
// CHECK-SAME: %[[H0:[^:]*]]: memref<?xf32> read, %[[H:[^:]*]]: memref<?xf32> write, %[[FIRST:[^:]*]]: memref<?xf16> write)
// CHECK: tile.fetch %[[H0]]
// CHECK: %[[STATE:.*]] = tile.load
// CHECK: tile.drain {{.*}} -> %[[H]]
// CHECK: tile.convert %[[STATE]]
// CHECK: tile.drain {{.*}} -> %[[FIRST]]

// The first phase reads the half of its operand that the step's parity names,
// a piece of 8 at a time while the next is on its way, and leaves the second
// operand; it writes no state.
// CHECK-LABEL: tile.kernel @gru_step(
// CHECK-SAME: %[[H:[^:]*]]: memref<?xf32> read, %[[FIRST:[^:]*]]: memref<?xf16> read, %[[SECOND:[^:]*]]: memref<?xf16> write) push(%{{.*}}, %[[B:.*]], %[[STEP:.*]]) layout
// CHECK: %[[PARITY:.*]] = arith.remui %[[STEP]], %c2
// CHECK-NEXT: arith.muli %[[PARITY]], %[[B]]
// CHECK: tile.fetch %[[FIRST]]
// CHECK: %[[R:.*]]:2 = scf.for %[[AT:.*]] = %c0 to %c16 step %c8 iter_args(%[[SUM:.*]] = %{{[^,]*}}, %[[PIECE:.*]] = %{{.*}}) ->
// CHECK: tile.land %[[PIECE]]
// CHECK-NEXT: tile.barrier
// CHECK: %[[AHEAD:.*]] = tile.fetch %[[FIRST]]
// CHECK: %[[D:.*]] = tile.mma %[[SUM]],
// CHECK-NEXT: scf.yield %[[D]], %[[AHEAD]]
// CHECK: tile.fetch %[[H]]
// CHECK: %[[RH:.*]] = tile.map(%[[R]]#0, %{{.*}}) {
// CHECK: arith.mulf
// CHECK: tile.convert %[[RH]]
// CHECK-NOT: -> %[[H]]
// CHECK: tile.drain {{.*}} -> %[[SECOND]]
// CHECK-NOT: tile.drain

// The last phase writes outputs, the state and the other half of the operand;
// past its length a row's output is zero and its state stays.
// CHECK-LABEL: tile.kernel @gru_step_1(
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf32> read, %[[LENGTHS:[^:]*]]: memref<?xi32> read, %{{[^:]*}}: memref<?xf16> read, %[[H:[^:]*]]: memref<?xf32> read_write, %[[Y:[^:]*]]: memref<?xf32> write, %[[SECOND:[^:]*]]: memref<?xf16> read, %[[FIRST:[^:]*]]: memref<?xf16> write) push(%[[T:.*]], %[[B:.*]], %[[STEP:.*]]) layout
// CHECK: tile.fetch %[[SECOND]]
// CHECK: tile.fetch %[[X]]
// CHECK: arith.cmpi slt, %[[STEP]], %{{.*}}
// CHECK: tile.fetch %[[H]]
// CHECK: %[[OLD:.*]] = tile.load
// CHECK: %[[NEW:.*]] = tile.map(
// CHECK: arith.addf
// CHECK: tile.drain {{.*}} -> %[[Y]]
// CHECK: memref.load %[[LENGTHS]]
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[STEP]],
// CHECK: tile.yield %{{.*}}, %[[IN]] : index, i1
// CHECK: %[[ACTIVE:.*]] = tile.broadcast_column
// CHECK: %[[KEPT:.*]] = tile.map(%[[ACTIVE]], %[[NEW]], %[[OLD]])
// CHECK: tile.store %[[KEPT]]
// CHECK: tile.drain {{.*}} -> %[[H]]
// CHECK: %[[AFTER:.*]] = arith.addi %[[STEP]], %c1
// CHECK-NEXT: arith.remui %[[AFTER]], %c2
// CHECK: tile.convert %[[KEPT]]
// CHECK: tile.drain {{.*}} -> %[[FIRST]]

module {
  rnn.weight @u : tensor<2x32x16xf32> = dense<0.5>
  func.func @gru(%x: tensor<?x?x32xf32>, %n: tensor<?xi32>,
                 %h0: tensor<?x32xf32>)
      -> (tensor<?x?x32xf32>, tensor<?x32xf32>) {
    %w = rnn.load_weight @u : tensor<2x32x16xf32>
    %u = rnn.cast %w : tensor<2x32x16xf32> to tensor<2x32x16xf16>
    %y, %hn = rnn.recurrence direction(forward) heads(2)
        sequences(%x) weights(%u) initial(%h0) lengths(%n)
        attributes {rung.strategy = "step",
          rung.tiles = {rows = 8 : i64, columns = 8 : i64, depth = 8 : i64,
            stages = 1 : i64,
            layout = #tile.layout<instruction = [8, 8, 8], subgroups = 1,
                                  subgroup_size = 8, cooperative = true>}} {
    ^bb0(%px: tensor<32xf32>, %pu: tensor<2x32x16xf16>, %h: tensor<32xf32>):
      %ur = tensor.extract_slice %pu[0, 0, 0] [2, 16, 16] [1, 1, 1]
          : tensor<2x32x16xf16> to tensor<2x16x16xf16>
      %un = tensor.extract_slice %pu[0, 16, 0] [2, 16, 16] [1, 1, 1]
          : tensor<2x32x16xf16> to tensor<2x16x16xf16>
      %a = arith.truncf %h : tensor<32xf32> to tensor<32xf16>
      %r = rnn.dot %a, %ur
          : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf32>
      %rh = arith.mulf %r, %h : tensor<32xf32>
      %b = arith.truncf %rh : tensor<32xf32> to tensor<32xf16>
      %d = rnn.dot %b, %un
          : (tensor<32xf16>, tensor<2x16x16xf16>) -> tensor<32xf32>
      %s = arith.addf %px, %d : tensor<32xf32>
      rnn.yield outputs(%s : tensor<32xf32>) states(%s : tensor<32xf32>)
    } : (tensor<?x?x32xf32>, tensor<2x32x16xf16>, tensor<?x32xf32>,
         tensor<?xi32>) -> (tensor<?x?x32xf32>, tensor<?x32xf32>)
    return %y, %hn : tensor<?x?x32xf32>, tensor<?x32xf32>
  }
}
