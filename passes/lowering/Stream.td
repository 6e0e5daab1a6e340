//===- Stream.td - functions that run ahead of their input -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_STREAM_TD
#define RUNG_PASSES_LOWERING_STREAM_TD

include "mlir/Pass/PassBase.td"

// Keep alphabetical.

def RequestStream : Pass<"rnn-request-stream", "::mlir::ModuleOp"> {
  let summary = "ask that a function's steps wait for their input on the device";
  let description = [{
    Sets `rung.stream` on the function of that name, or on all: for streams
    whose steps come one at a time, and where the time from a step's input to
    its output is what counts.

        rung-compile MODEL --transform 'rnn-request-stream{function=run}'

    After it:
    ```mlir
    func.func @run(...) ... attributes {rung.stream}
    ```

    Leaves: the functions as they were, but for the attribute.
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"",
           "name of the function; all functions if empty">];
}

def SelectStream : Pass<"rnn-select-stream", "::mlir::ModuleOp"> {
  let summary = "decide which functions wait for their input on the device";
  let description = [{
    A function keeps `rung.stream` where a step of it can be one kernel that
    awaits its input: one forward recurrence without lengths or random bits,
    of f32 states, whose products need one phase and take f16 or bf16, whose sequences
    are the function's inputs or float products of them, and whose results are
    the function's; on a profile that promises joint progress, which here
    promises that a running kernel sees what the host writes into the device's
    memory. Elsewhere it loses the attribute, with a remark, and runs as others
    do.

    Leaves: `rung.stream` on functions for `rnn-to-tile` to make streams of.
  }];
  let options = [
    Option<"profile", "profile", "std::string", /*default=*/"\"generic\"",
           "name of a device profile, or path of its JSON file">];
}

#endif // RUNG_PASSES_LOWERING_STREAM_TD
