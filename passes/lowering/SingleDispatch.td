//===- SingleDispatch.td - programs of one dispatch --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_SINGLEDISPATCH_TD
#define RUNG_PASSES_LOWERING_SINGLEDISPATCH_TD

include "mlir/Pass/PassBase.td"

// Keep alphabetical.

defvar singleDispatchProfile = [
  Option<"profile", "profile", "std::string", /*default=*/"\"generic\"",
         "name of a device profile, or path of its JSON file">];

def RequestSingleDispatch : Pass<"rnn-request-single-dispatch",
                                 "::mlir::ModuleOp"> {
  let summary = "ask that a function run in one dispatch";
  let description = [{
    Sets `rung.single_dispatch` on the function of that name, or on all. It is
    meant for functions whose runs have few rows, such as one step of a stream:

        rung-compile MODEL --transform 'rnn-request-single-dispatch{function=step}'

    After it:
    ```mlir
    func.func @step(...) ... attributes {rung.single_dispatch}
    ```

    Leaves: the functions as they were, but for the attribute.
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"",
           "name of the function; all functions if empty">];
}

def SelectSingleDispatch : Pass<"rnn-select-single-dispatch",
                                "::mlir::ModuleOp"> {
  let summary = "decide what a function's one dispatch may have";
  let description = [{
    Where workgroups of the profile's device can wait for each other, a function
    with `rung.single_dispatch` gets the number of workgroups and the bytes of
    shared memory that its dispatch may have. On other profiles it loses the
    attribute, with a remark, and runs as others do.

    After `rnn-select-single-dispatch{profile=nvidia-hopper}`:
    ```mlir
    func.func @step(...) ... attributes {rung.single_dispatch =
        {groups = 132 : i64, shared_bytes = 49152 : i64}}
    ```

    Leaves: no `rung.single_dispatch` without a value.
  }];
  let options = singleDispatchProfile;
}

def TileFuseDispatches : Pass<"tile-fuse-dispatches", "::mlir::ModuleOp"> {
  let summary = "run a whole program in one dispatch";
  let description = [{
    A program with `rung.single_dispatch` becomes one dispatch of a kernel that
    does the work of all its kernels. Workgroups share out each part's groups,
    and wait for each other wherever a part needs what another wrote; a repeat
    becomes a loop. Parts that need nothing of each other stand in one stage and
    share one wait. There are `groups` workgroups, or fewer where no stage has
    work for so many in a run of 16 rows. All run with the threads of the
    largest kernel: the others' surplus threads do what some thread does, but
    write nothing. Shared arrays of parts lie in the same memory. An output that
    a part reads is copied from scratch in the end, so that no kernel reads it.

    Before:
    ```mlir
    tile.program @step attributes {rung.single_dispatch = {...}} {
      ...
      tile.dispatch @linear groups(<ceil(TB / 16)>, <8>, <1>) (%x, %w, %s) ...
      tile.repeat T {
        tile.dispatch @step_1 groups(<1>, <ceil(B / 16)>, <4>) (%s, %u, %y) ...
      }
    }
    ```
    After:
    ```mlir
    tile.program @step attributes {...} {
      %p = tile.buffer progress size <4> : !tile.buffer<i32>
      ...
      tile.dispatch @step_2 groups(<8>, <1>, <1>) (%x, %w, %s, %u, %y, %p)
          push [T, B] : ...
    }
    ```

    A program whose kernels together need more than its `shared_bytes`, or one of
    whose kernels has few threads and counts them, keeps its dispatches and loses
    the attribute, with a remark. What a kernel forbids (`rung.forbid`) is proven
    before it becomes a part.

    Requires: kernels after `tile-distribute`.
    Leaves: each program with `rung.single_dispatch` with one dispatch.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::spirv::SPIRVDialect"];
}

def VerifySingleDispatch : Pass<"tile-verify-single-dispatch",
                                "::mlir::ModuleOp"> {
  let summary = "refuse single dispatches that a device profile cannot run";
  let description = [{
    Checks that each program with `rung.single_dispatch` is one dispatch, of no
    more workgroups than it says, and that the profile promises joint progress to
    so many and has the shared memory.

    Requires: programs after `tile-fuse-dispatches`.
    Leaves: the module as it is.
  }];
  let options = singleDispatchProfile;
}

#endif // RUNG_PASSES_LOWERING_SINGLEDISPATCH_TD
