//===- RnnTypes.td - type constraints of the rnn dialect ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNTYPES_TD
#define RUNG_DIALECTS_RNN_RNNTYPES_TD

include "dialects/rnn/RnnDialect.td"

class Rnn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Rnn_Dialect, mnemonic, traits>;

def HasRankAtLeast1 : CPred<
    "::llvm::cast<::mlir::ShapedType>($_self).getRank() >= 1">;

// A float format rounds; an integer rung computes on i32 and multiplies i8.
def Rnn_IntegerAttr : TypedSignlessIntegerAttrBase<I32, "int32_t",
                                                   "32-bit integer">;

// Any tensor of a graph: a sequence, a state or a weight.
def Rnn_Tensor : RankedTensorOf<[F32, F16, BF16, I8, I32], [HasRankAtLeast1],
                                "tensor of rank 1 or more">;
def Rnn_FloatTensor : RankedTensorOf<[F32, F16, BF16], [HasRankAtLeast1],
                                     "tensor of rank 1 or more">;
def Rnn_WordTensor : RankedTensorOf<[I32], [HasRankAtLeast1],
                                    "tensor of rank 1 or more">;
def Rnn_IntegerTensor : RankedTensorOf<[I32], [], "tensor">;
def Rnn_Ids : RankedTensorOf<[I32], [HasAnyRankOfPred<[1, 2]>],
                             "[T, B] or [B] tensor of ids">;
def Rnn_Sequence : RankedTensorOf<[F32, F16, BF16, I32],
                                  [HasAnyRankOfPred<[3]>],
                                  "[T, B, N] sequence">;
def Rnn_StepSequence : RankedTensorOf<[F32, F16, BF16, I32, I8],
                                      [HasAnyRankOfPred<[3]>],
                                      "[T, B, N] sequence">;
def Rnn_FloatSequence : RankedTensorOf<[F32, F16, BF16],
                                       [HasAnyRankOfPred<[3]>],
                                       "[T, B, N] sequence">;
def Rnn_State : RankedTensorOf<[F32, F16, BF16, I32], [HasAnyRankOfPred<[2]>],
                               "[B, H] state">;
def Rnn_FloatState : RankedTensorOf<[F32, F16, BF16], [HasAnyRankOfPred<[2]>],
                                    "[B, H] state">;
def Rnn_Lengths : RankedTensorOf<[I32], [HasAnyRankOfPred<[1]>],
                                 "[B] tensor of lengths">;
def Rnn_RandomState : RankedTensorOf<[I32], [HasAnyRankOfPred<[2]>],
                                     "[B, 3] tensor of random states">;

// Values of a cell's body.
def Rnn_Row : RankedTensorOf<[F32, F16, BF16, I8, I32],
                             [HasAnyRankOfPred<[1]>], "row of one step">;
def Rnn_FloatRow : RankedTensorOf<[F32, F16, BF16], [HasAnyRankOfPred<[1]>],
                                  "row of one step">;
def Rnn_HalfRow : RankedTensorOf<[F16], [HasAnyRankOfPred<[1]>],
                                 "row of one step">;
def Rnn_WordRow : RankedTensorOf<[I32], [HasAnyRankOfPred<[1]>],
                                 "row of one step">;
def Rnn_HeadMatrices : RankedTensorOf<[F32, F16, BF16, I8],
    [HasAnyRankOfPred<[3]>], "[heads, out, in] matrices">;
def Rnn_FloatHeadMatrices : RankedTensorOf<[F32, F16, BF16],
    [HasAnyRankOfPred<[3]>], "[heads, out, in] matrices">;

#endif // RUNG_DIALECTS_RNN_RNNTYPES_TD
