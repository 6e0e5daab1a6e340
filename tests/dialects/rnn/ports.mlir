// RUN: rung-opt %s --verify-roundtrip | FileCheck %s

// CHECK: module attributes {rung.name = "g2p"}
module attributes {rung.name = "g2p"} {
  // CHECK: @step(%{{.*}}: tensor<?x8xf32> {rnn.name = "h", rnn.state = "h"}) -> (tensor<?x8xf32> {rnn.name = "h_next", rnn.state = "h"})
  func.func @step(%h: tensor<?x8xf32> {rnn.name = "h", rnn.state = "h"})
      -> (tensor<?x8xf32> {rnn.name = "h_next", rnn.state = "h"}) {
    return %h : tensor<?x8xf32>
  }
}
