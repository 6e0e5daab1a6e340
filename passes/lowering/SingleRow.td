//===- SingleRow.td - runs of a single row -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_SINGLEROW_TD
#define RUNG_PASSES_LOWERING_SINGLEROW_TD

include "mlir/Pass/PassBase.td"

def SelectSingleRow : Pass<"rnn-select-single-row", "::mlir::ModuleOp"> {
  let summary = "give functions a schedule of their own for a single row";
  let description = [{
    A run with T and B 1, such as a token that is fed back, multiplies weights
    by one row: all that counts is how fast weights are read, and how many
    dispatches follow each other. Where the profile has subgroup sums and
    products of packed bytes, and all of a function's products are of i8, which
    any order sums to the same bits, the function gets `rung.single_row`:
    lanes of a subgroup, compute units, and shared memory. `rnn-to-tile` then
    makes a second program of it. What that can't run - lengths, random bits,
    several heads, rows that are no whole units of 16 bytes - has none.

    After `rnn-select-single-row{profile=nvidia-hopper}`:
    ```mlir
    func.func @run(...) ... attributes {rung.single_row =
        {lanes = 32 : i64, shared_bytes = 49152 : i64, units = 132 : i64}}
    ```

    Requires: no `rnn.gru`.
    Leaves: the functions as they were, but for the attribute.
  }];
  let options = [
    Option<"profile", "profile", "std::string", /*default=*/"\"generic\"",
           "name of a device profile, or path of its JSON file">];
}

#endif // RUNG_PASSES_LOWERING_SINGLEROW_TD
