//===- Rnn.td - the whole rnn dialect ----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_DIALECTS_RNN_RNN_TD
#define RUNG_DIALECTS_RNN_RNN_TD

include "dialects/rnn/RnnOps.td"
include "dialects/rnn/RnnCells.td"
include "dialects/rnn/RnnBody.td"

#endif // RUNG_DIALECTS_RNN_RNN_TD
