module attributes {rung.name = "whole_rows"} {
  rnn.weight @w : tensor<192x64xf32> = dense<0.01>
  rnn.weight @u : tensor<2x96x32xf32> = dense<0.02>
  func.func @run(%x: tensor<?x?x64xf32> {rnn.name = "x"},
                 %h: tensor<?x64xf32> {rnn.name = "h", rnn.state = "h"})
      -> (tensor<?x?x64xf32> {rnn.name = "y"},
          tensor<?x64xf32> {rnn.name = "h", rnn.state = "h"}) {
    %w = rnn.load_weight @w : tensor<192x64xf32>
    %u = rnn.load_weight @u : tensor<2x96x32xf32>
    %y, %hn = rnn.gru %x weights(%w) recurrent(%u) initial(%h)
        reset(after) update(keep) direction(forward)
        activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
        : (tensor<?x?x64xf32>, tensor<192x64xf32>, tensor<2x96x32xf32>,
           tensor<?x64xf32>) -> (tensor<?x?x64xf32>, tensor<?x64xf32>)
    return %y, %hn : tensor<?x?x64xf32>, tensor<?x64xf32>
  }
}
