//===- RnnDialect.td - the rnn dialect ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNDIALECT_TD
#define RUNG_DIALECTS_RNN_RNNDIALECT_TD

include "mlir/IR/OpBase.td"

def Rnn_Dialect : Dialect {
  let name = "rnn";
  let cppNamespace = "::rung::rnn";
  let summary = "recurrent models as dataflow on tensors";
  let description = [{
    Says what a recurrent model computes, not how. A module holds the weights
    (`rnn.weight`) and one `func.func` for each function of the model; functions
    share the weights. Values are time-major tensors:

    | value | type |
    | --- | --- |
    | sequence of vectors | `tensor<?x?xNxf32>`, `[T, B, N]` |
    | sequence of token ids | `tensor<?x?xi32>`, `[T, B]` |
    | state | `tensor<?xHxf32>`, `[B, H]` |
    | row lengths | `tensor<?xi32>`, `[B]` |

    where T is the number of steps and B the number of rows (the batch).

    ```mlir
    module attributes {rung.name = "tagger"} {
      rnn.weight @table : tensor<30x8xf32> = dense_resource<table>
      func.func @step(%ids: tensor<?x?xi32> {rnn.name = "ids"},
                      %h: tensor<?x8xf32> {rnn.name = "h", rnn.state = "h"})
          -> (tensor<?x?x8xf32> {rnn.name = "y"},
              tensor<?x8xf32> {rnn.name = "h", rnn.state = "h"}) {
        %w = rnn.load_weight @table : tensor<30x8xf32>
        %x = rnn.embedding %ids, %w
            : (tensor<?x?xi32>, tensor<30x8xf32>) -> tensor<?x?x8xf32>
        ...
      }
    }
    ```

    `rnn.name` on an argument or a result names a port. `rnn.state = "s"` on an
    argument and on a result says that the result is what the argument must be
    given in the next call, to continue a sequence.

    A recurrent cell is a region: `rnn.gru` is a named cell, and
    `rnn-expand-cells` turns it into `rnn.recurrence`, whose body is one step
    of one row on plain ops.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // RUNG_DIALECTS_RNN_RNNDIALECT_TD
