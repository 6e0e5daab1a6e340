//===- RnnAttrs.td - attributes of the rnn dialect ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNATTRS_TD
#define RUNG_DIALECTS_RNN_RNNATTRS_TD

include "dialects/rnn/RnnDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Rnn_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::rung::rnn";
  let genSpecializedAttr = 0;
}

class Rnn_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Rnn_Dialect, info, mnemonic>;

//===----------------------------------------------------------------------===//
// Choices of a cell
//===----------------------------------------------------------------------===//

def Rnn_Reset : Rnn_Enum<"Reset", "where the reset gate acts", [
  I32EnumAttrCase<"Before", 0, "before">, // on the state, before its product
  I32EnumAttrCase<"After", 1, "after">    // on the product
]>;
def Rnn_ResetAttr : Rnn_EnumAttr<Rnn_Reset, "reset">;

def Rnn_Update : Rnn_Enum<"Update", "what the update gate is a share of", [
  I32EnumAttrCase<"Keep", 0, "keep">, // of the old state
  I32EnumAttrCase<"Take", 1, "take">  // of the candidate
]>;
def Rnn_UpdateAttr : Rnn_EnumAttr<Rnn_Update, "update">;

def Rnn_Direction : Rnn_Enum<"Direction", "order of the time steps", [
  I32EnumAttrCase<"Forward", 0, "forward">,
  I32EnumAttrCase<"Reverse", 1, "reverse">,
  I32EnumAttrCase<"Bidirectional", 2, "bidirectional">
]>;
def Rnn_DirectionAttr : Rnn_EnumAttr<Rnn_Direction, "direction">;

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

def Rnn_Function : Rnn_Enum<"Function", "pointwise function", [
  I32EnumAttrCase<"Sigmoid", 0, "sigmoid">,
  I32EnumAttrCase<"Tanh", 1, "tanh">,
  I32EnumAttrCase<"Relu", 2, "relu">,
  I32EnumAttrCase<"Affine", 3, "affine">,
  I32EnumAttrCase<"LeakyRelu", 4, "leaky_relu">,
  I32EnumAttrCase<"ThresholdedRelu", 5, "thresholded_relu">,
  I32EnumAttrCase<"ScaledTanh", 6, "scaled_tanh">,
  I32EnumAttrCase<"HardSigmoid", 7, "hard_sigmoid">,
  I32EnumAttrCase<"Elu", 8, "elu">,
  I32EnumAttrCase<"Softsign", 9, "softsign">,
  I32EnumAttrCase<"Softplus", 10, "softplus">,
  I32EnumAttrCase<"Identity", 11, "identity">
]>;

def Rnn_ActivationAttr : AttrDef<Rnn_Dialect, "Activation"> {
  let mnemonic = "activation";
  let summary = "a pointwise function with its parameters";
  let description = [{
    ONNX's recurrent activations, with ONNX's default parameters; `identity`
    stands for `affine` with 1 and 0.

    | name | value at x | defaults |
    | --- | --- | --- |
    | `sigmoid` | 1 / (1 + exp(-x)) | |
    | `tanh` | tanh x | |
    | `relu` | max(0, x) | |
    | `affine` | alpha x + beta | alpha 1, beta 0 |
    | `leaky_relu` | x if x >= 0, else alpha x | alpha 0.01 |
    | `thresholded_relu` | x if x >= alpha, else 0 | alpha 1 |
    | `scaled_tanh` | alpha tanh(beta x) | alpha 1, beta 1 |
    | `hard_sigmoid` | min(1, max(0, alpha x + beta)) | alpha 0.2, beta 0.5 |
    | `elu` | x if x >= 0, else alpha (exp(x) - 1) | alpha 1 |
    | `softsign` | x / (1 + abs x) | |
    | `softplus` | log(1 + exp x) | |
    | `identity` | x | |

    ```mlir
    #rnn.activation<tanh>
    #rnn.activation<hard_sigmoid, alpha = 1.6666666666666666e-01>
    ```

    A parameter is given only to a function that has it, and is finite.
  }];
  let parameters = (ins
    EnumParameter<Rnn_Function>:$function,
    "::mlir::FloatAttr":$alphaValue,
    "::mlir::FloatAttr":$betaValue
  );
  let builders = [
    AttrBuilder<(ins "Function":$function,
      CArg<"std::optional<double>", "std::nullopt">:$alpha,
      CArg<"std::optional<double>", "std::nullopt">:$beta)>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    double getAlpha() const { return getAlphaValue().getValueAsDouble(); }
    double getBeta() const { return getBetaValue().getValueAsDouble(); }

    /// The parameters a function takes: none, alpha, or alpha and beta.
    static unsigned parameterCount(Function function);
    static double defaultAlpha(Function function);
    static double defaultBeta(Function function);
  }];
}

def Rnn_ActivationArrayAttr
    : TypedArrayAttrBase<Rnn_ActivationAttr, "array of rnn activations">;

//===----------------------------------------------------------------------===//
// Precision
//===----------------------------------------------------------------------===//

def Rnn_Format : Rnn_Enum<"Format", "format of numbers", [
  I32EnumAttrCase<"F32", 0, "f32">,
  I32EnumAttrCase<"F16", 1, "f16">,
  I32EnumAttrCase<"BF16", 2, "bf16">,
  I32EnumAttrCase<"F16x2", 3, "f16x2">, // a pair: high and low half
  I32EnumAttrCase<"S8", 4, "s8">,
  I32EnumAttrCase<"S16", 5, "s16">,     // on the grid of 2^-15
  I32EnumAttrCase<"S32", 6, "s32">      // on the grid of 2^-24
]>;

def Rnn_Round : Rnn_Enum<"Round", "how the state is rounded", [
  I32EnumAttrCase<"Nearest", 0, "nearest">,
  I32EnumAttrCase<"Stochastic", 1, "stochastic">
]>;

def Rnn_PrecisionAttr : AttrDef<Rnn_Dialect, "Precision"> {
  let mnemonic = "precision";
  let summary = "how wide every number of a layer is";
  let description = [{
    Four independent choices: the format of the operands of products, of the
    sums of products (and all pointwise arithmetic on them), of the carried
    state, and how the state is rounded to its format.

    ```mlir
    #rnn.precision<operand = f16, accumulate = f32, state = f32, round = nearest>
    ```

    `f16x2` is an unevaluated sum of two f16, the low half at most half a unit
    of the high one. `s16` and `s32` are integers that stand for multiples of
    2^-15 and of 2^-24, `s8` for multiples of a scale that each matrix, or each
    of its rows, has for itself.

    Constraints:
    - (C1) operand is f32, f16, bf16 or s8.
    - (C2) accumulate is s32 for operands of s8, f16 or f32 for f16, and f32 for
      f32 and bf16.
    - (C3) state is s16 or s32 if sums are s32, f16 or f16x2 if they are f16,
      and f32 if they are f32.
    - (C4) integers round to nearest.
  }];
  let parameters = (ins
    EnumParameter<Rnn_Format>:$operand,
    EnumParameter<Rnn_Format>:$accumulate,
    EnumParameter<Rnn_Format>:$state,
    EnumParameter<Rnn_Round>:$round
  );
  let assemblyFormat = [{
    `<` `operand` `=` $operand `,` `accumulate` `=` $accumulate `,`
        `state` `=` $state `,` `round` `=` $round `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True if layers of this precision compute on integers alone.
    bool isInteger() const { return getAccumulate() == Format::S32; }
  }];
}

#endif // RUNG_DIALECTS_RNN_RNNATTRS_TD
