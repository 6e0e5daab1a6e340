module attributes {rung.name = "normed"} {
  rnn.weight @table : tensor<7x4xf32> = dense<0.5>
  rnn.weight @scale : tensor<4xf32> = dense<1.0>
  rnn.weight @w : tensor<24x4xf32> = dense<0.25>
  rnn.weight @u : tensor<2x12x4xf32> = dense<0.125>
  rnn.weight @head : tensor<7x8xf32> = dense<0.5>
  func.func @run(%ids: tensor<?x?xi32> {rnn.name = "ids"},
                 %h: tensor<?x8xf32> {rnn.name = "h", rnn.state = "h"})
      -> (tensor<?x?x7xf32> {rnn.name = "y"},
          tensor<?x8xf32> {rnn.name = "h", rnn.state = "h"}) {
    %table = rnn.load_weight @table : tensor<7x4xf32>
    %scale = rnn.load_weight @scale : tensor<4xf32>
    %w = rnn.load_weight @w : tensor<24x4xf32>
    %u = rnn.load_weight @u : tensor<2x12x4xf32>
    %head = rnn.load_weight @head : tensor<7x8xf32>
    %x = rnn.embedding %ids, %table
        : (tensor<?x?xi32>, tensor<7x4xf32>) -> tensor<?x?x4xf32>
    %n = rnn.rms_norm %x, %scale : tensor<?x?x4xf32>, tensor<4xf32>
    %s, %hn = rnn.gru %n weights(%w) recurrent(%u) initial(%h)
        reset(after) update(keep) direction(forward)
        activations([#rnn.activation<sigmoid>, #rnn.activation<tanh>])
        : (tensor<?x?x4xf32>, tensor<24x4xf32>, tensor<2x12x4xf32>,
           tensor<?x8xf32>) -> (tensor<?x?x8xf32>, tensor<?x8xf32>) loc("gru")
    %y = rnn.linear %s, %head
        : (tensor<?x?x8xf32>, tensor<7x8xf32>) -> tensor<?x?x7xf32> loc("scores")
    return %y, %hn : tensor<?x?x7xf32>, tensor<?x8xf32>
  }
}
