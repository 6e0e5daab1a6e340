// RUN: rung-opt %s --rnn-request-stream='function=step' --rnn-select-stream='profile=nvidia-hopper' --rnn-fuse-input-product='profile=nvidia-hopper' --rnn-select-strategy='profile=nvidia-hopper' --rnn-select-tiles='profile=nvidia-hopper' --rnn-to-tile | FileCheck %s
// RUN: rung-opt %s --rnn-request-stream='function=step' --rnn-select-stream='profile=lavapipe' 2>&1 | FileCheck %s --check-prefix=SOFTWARE
// RUN: rung-opt %s --rnn-request-stream='function=chain' --rnn-select-stream='profile=nvidia-hopper' 2>&1 | FileCheck %s --check-prefix=CHAIN
// RUN: rung-opt %s --rnn-request-stream='function=loose' --rnn-select-stream='profile=nvidia-hopper' 2>&1 | FileCheck %s --check-prefix=LOOSE
// RUN: not rung-opt %s --rnn-request-stream='function=stop' 2>&1 | FileCheck %s --check-prefix=NONE

// A step is one dispatch, of one row, that is given its number. Its outputs are
// words: two for each f32.
// CHECK-LABEL: tile.program @step {
// CHECK-DAG: tile.buffer output 0 size <64> {rung.words} : <i32>
// CHECK-DAG: tile.buffer progress size <8> : <i32>
// CHECK: tile.repeat T {
// CHECK-NEXT: tile.dispatch @step_stream groups(<2>, <1>, <1>)
// CHECK-SAME: push [T, B, step]

// Products with states come before the wait, those with inputs behind it.
// CHECK-LABEL: tile.kernel @step_stream(
// CHECK: tile.split_mma
// CHECK: %[[GIVEN:.*]] = tile.atomic or
// CHECK: %{{.*}}, %[[LEFT:.*]] = tile.await
// CHECK: tile.reduce min %[[LEFT]] : i32
// CHECK-NEXT: tile.barrier global
// CHECK: scf.if
// CHECK: tile.split_mma
// CHECK-COUNT-2: tile.publish
// CHECK: tile.deliver

// SOFTWARE: remark: function 'step' is no stream: profile 'lavapipe' does not promise that a running kernel sees what others write
// SOFTWARE-NOT: rung.stream

// CHAIN: remark: function 'chain' is no stream: it has an 'rnn.activation'

// LOOSE: remark: function 'loose' is no stream: a state is not handed on from a call to the next

// NONE: there is no function 'stop'
rnn.weight @w : tensor<16x5xf16> = dense<0.5>
rnn.weight @u : tensor<2x4x4xf16> = dense<0.5>
func.func @step(%x: tensor<?x?x5xf16> {rnn.name = "x"},
                %h0: tensor<?x8xf32> {rnn.name = "h", rnn.state = "h"})
    -> (tensor<?x?x8xf32> {rnn.name = "y"},
        tensor<?x8xf32> {rnn.name = "h", rnn.state = "h"}) {
  %w = rnn.load_weight @w : tensor<16x5xf16>
  %u = rnn.load_weight @u : tensor<2x4x4xf16>
  %xp = rnn.linear %x, %w
      : (tensor<?x?x5xf16>, tensor<16x5xf16>) -> tensor<?x?x16xf32>
  %y, %hn = rnn.recurrence direction(forward) heads(2)
      sequences(%xp) weights(%u) initial(%h0) {
  ^bb0(%px: tensor<16xf32>, %pu: tensor<2x4x4xf16>, %h: tensor<8xf32>):
    %a = arith.truncf %h : tensor<8xf32> to tensor<8xf16>
    %d = rnn.dot %a, %pu
        : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf32>
    %xz = tensor.extract_slice %px[8] [8] [1]
        : tensor<16xf32> to tensor<8xf32>
    %xn = tensor.extract_slice %px[0] [8] [1]
        : tensor<16xf32> to tensor<8xf32>
    %z = arith.addf %xz, %d : tensor<8xf32>
    %n = arith.mulf %xn, %z : tensor<8xf32>
    rnn.yield outputs(%n : tensor<8xf32>) states(%n : tensor<8xf32>)
  } : (tensor<?x?x16xf32>, tensor<2x4x4xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn : tensor<?x?x8xf32>, tensor<?x8xf32>
}
func.func @loose(%x: tensor<?x?x5xf16> {rnn.name = "x"},
                %h0: tensor<?x8xf32> {rnn.name = "h0"})
    -> (tensor<?x?x8xf32> {rnn.name = "y"},
        tensor<?x8xf32> {rnn.name = "h"}) {
  %w = rnn.load_weight @w : tensor<16x5xf16>
  %u = rnn.load_weight @u : tensor<2x4x4xf16>
  %xp = rnn.linear %x, %w
      : (tensor<?x?x5xf16>, tensor<16x5xf16>) -> tensor<?x?x16xf32>
  %y, %hn = rnn.recurrence direction(forward) heads(2)
      sequences(%xp) weights(%u) initial(%h0) {
  ^bb0(%px: tensor<16xf32>, %pu: tensor<2x4x4xf16>, %h: tensor<8xf32>):
    %a = arith.truncf %h : tensor<8xf32> to tensor<8xf16>
    %d = rnn.dot %a, %pu
        : (tensor<8xf16>, tensor<2x4x4xf16>) -> tensor<8xf32>
    %xz = tensor.extract_slice %px[8] [8] [1]
        : tensor<16xf32> to tensor<8xf32>
    %xn = tensor.extract_slice %px[0] [8] [1]
        : tensor<16xf32> to tensor<8xf32>
    %z = arith.addf %xz, %d : tensor<8xf32>
    %n = arith.mulf %xn, %z : tensor<8xf32>
    rnn.yield outputs(%n : tensor<8xf32>) states(%n : tensor<8xf32>)
  } : (tensor<?x?x16xf32>, tensor<2x4x4xf16>, tensor<?x8xf32>)
      -> (tensor<?x?x8xf32>, tensor<?x8xf32>)
  return %y, %hn : tensor<?x?x8xf32>, tensor<?x8xf32>
}
func.func @chain(%x: tensor<?x?x8xf32> {rnn.name = "x"})
    -> (tensor<?x?x8xf32> {rnn.name = "y"}) {
  %y = rnn.activation %x {function = #rnn.activation<tanh>} : tensor<?x?x8xf32>
  return %y : tensor<?x?x8xf32>
}
