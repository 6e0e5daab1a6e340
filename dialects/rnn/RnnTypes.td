//===- RnnTypes.td - type constraints of the rnn dialect ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNNTYPES_TD
#define RUNG_DIALECTS_RNN_RNNTYPES_TD

include "dialects/rnn/RnnDialect.td"

class Rnn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Rnn_Dialect, mnemonic, traits>;

def HasRankAtLeast1 : CPred<
    "::llvm::cast<::mlir::ShapedType>($_self).getRank() >= 1">;

// Any tensor of floats: a sequence, a state or a weight.
def Rnn_Tensor : RankedTensorOf<[F32, F16, BF16], [HasRankAtLeast1],
                                "tensor of rank 1 or more">;
def Rnn_IntegerTensor : RankedTensorOf<[I32], [], "tensor">;
def Rnn_Ids : RankedTensorOf<[I32], [HasAnyRankOfPred<[1, 2]>],
                             "[T, B] or [B] tensor of ids">;
def Rnn_Sequence : RankedTensorOf<[F32, F16, BF16], [HasAnyRankOfPred<[3]>],
                                  "[T, B, N] sequence">;
def Rnn_State : RankedTensorOf<[F32, F16, BF16], [HasAnyRankOfPred<[2]>],
                               "[B, H] state">;
def Rnn_Lengths : RankedTensorOf<[I32], [HasAnyRankOfPred<[1]>],
                                 "[B] tensor of lengths">;

// Values of a cell's body.
def Rnn_Row : RankedTensorOf<[F32, F16, BF16], [HasAnyRankOfPred<[1]>],
                             "row of one step">;
def Rnn_HeadMatrices : RankedTensorOf<[F32, F16, BF16],
    [HasAnyRankOfPred<[3]>], "[heads, out, in] matrices">;

#endif // RUNG_DIALECTS_RNN_RNNTYPES_TD
