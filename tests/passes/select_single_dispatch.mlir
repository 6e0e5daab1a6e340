// RUN: rung-opt %s --rnn-request-single-dispatch='function=step' --rnn-select-single-dispatch='profile=nvidia-hopper' | FileCheck %s
// RUN: rung-opt %s --rnn-request-single-dispatch='function=step' --rnn-select-single-dispatch='profile=lavapipe' 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: rung-opt %s --rnn-request-single-dispatch --rnn-select-single-dispatch='profile=nvidia-hopper' --rnn-select-tiles='profile=nvidia-hopper' --rnn-to-tile | FileCheck %s --check-prefix=TILE
// RUN: not rung-opt %s --rnn-request-single-dispatch='function=stop' 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: func.func @run(
// CHECK-NOT: rung.single_dispatch
// CHECK: func.func @step(
// CHECK-SAME: rung.single_dispatch = {groups = 132 : i64, shared_bytes = 49152 : i64}

// SEVERAL: remark: function 'step' runs in several dispatches: workgroups wait for each other; profile 'lavapipe' does not promise that they progress together
// SEVERAL-NOT: rung.single_dispatch

// TILE: tile.program @run attributes {rung.single_dispatch = {groups = 132
// TILE: tile.program @step attributes {rung.single_dispatch = {groups = 132

// NONE: there is no function 'stop'
rnn.weight @w : tensor<8x4xf32> = dense<1.0>
func.func @run(%x: tensor<?x?x4xf32> {rnn.name = "x"})
    -> (tensor<?x?x8xf32> {rnn.name = "y"}) {
  %w = rnn.load_weight @w : tensor<8x4xf32>
  %y = rnn.linear %x, %w
      : (tensor<?x?x4xf32>, tensor<8x4xf32>) -> tensor<?x?x8xf32>
  return %y : tensor<?x?x8xf32>
}
func.func @step(%x: tensor<?x?x4xf32> {rnn.name = "x"})
    -> (tensor<?x?x8xf32> {rnn.name = "y"}) {
  %w = rnn.load_weight @w : tensor<8x4xf32>
  %y = rnn.linear %x, %w
      : (tensor<?x?x4xf32>, tensor<8x4xf32>) -> tensor<?x?x8xf32>
  return %y : tensor<?x?x8xf32>
}
