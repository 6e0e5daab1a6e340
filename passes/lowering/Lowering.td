//===- Lowering.td - from graphs to kernels ----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_PASSES_LOWERING_LOWERING_TD
#define RUNG_PASSES_LOWERING_LOWERING_TD

include "mlir/Pass/PassBase.td"

defvar profileOption = [
  Option<"profile", "profile", "std::string", /*default=*/"\"generic\"",
         "name of a device profile, or path of its JSON file">];

def ExpandFma : Pass<"tile-expand-fma", "::mlir::ModuleOp"> {
  let summary = "write f16 multiply-adds for devices that round them twice";
  let description = [{
    `math.fma` on f16 rounds once. Where the profile's `float16` does not promise
    that of a device, it becomes the product p, its exact error e, found by
    integer arithmetic and rounded once where it is below the last subnormal, and
    the sum (p + c) + e. That is a * b + c, rounded once, wherever p + c is an
    f16 and a * b + c another: in remainders such as fma(a, b, -(a * b)) and
    fma(-q, d, x) with q near x / d. One that is marked `fastmath<contract>`, to
    which either rounding will do, becomes its product and its sum.

    Before:
    ```mlir
    %e = math.fma %a, %b, %minus_p : f16
    ```
    After `tile-expand-fma{profile=lavapipe}`:
    ```mlir
    %p = arith.mulf %a, %b : f16
    ... // integers: the bits of a, b and p
    %s = arith.addf %p, %minus_p : f16
    %r = arith.addf %s, %error : f16
    ```

    Requires: `tile.kernel`s of `rnn-to-tile`.
    Leaves: no f16 `math.fma`, unless the profile promises one rounding.
  }];
  let options = profileOption;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FuseInputProduct : Pass<"rnn-fuse-input-product", "::mlir::ModuleOp"> {
  let summary = "multiply by the input's weights inside the recurrence";
  let description = [{
    Where a recurrence's sequence is the result of an `rnn.linear` of few inputs
    and nothing else reads that, each slice of it becomes an `rnn.input_dot` of
    the linear's own input, and a row of its bias: the gates of all steps are
    then never written to memory. This is done where a workgroup of the profile
    holds a head's input weights beside its recurrent ones, in cooperative
    matrices. Operands and sums keep their formats.

    A cast or a map between linears and recurrence goes in with them: the
    rounding of gates to f16 or to pairs of f16, what joins two bytes' products.
    So does the one cast or map that makes f32 of outputs of f16 or i32. All
    sequences are taken, or, where that can't be, one of them. What only counts
    steps counts those of a linear's input.

    Before:
    ```mlir
    %xp = rnn.linear %x, %w, %b
        : (tensor<?x?x5xf16>, tensor<16x5xf16>, tensor<16xf32>)
        -> tensor<?x?x16xf32>
    %y, %hn = rnn.recurrence ... sequences(%xp) weights(%u) initial(%h) {
    ^bb0(%px: tensor<16xf32>, %pu: tensor<2x4x4xf16>, %ph: tensor<8xf32>):
      %xz = tensor.extract_slice %px[8] [8] [1] : ...
      ...
    ```
    After `rnn-fuse-input-product{profile=nvidia-hopper}`:
    ```mlir
    %y, %hn = rnn.recurrence ... sequences(%x) weights(%u, %w, %b) initial(%h) {
    ^bb0(%px: tensor<5xf16>, %pu: tensor<2x4x4xf16>, %pw: tensor<16x5xf16>,
         %pb: tensor<16xf32>, %ph: tensor<8xf32>):
      %d = rnn.input_dot %px, %pw first(8)
          : (tensor<5xf16>, tensor<16x5xf16>) -> tensor<8xf32>
      %bz = tensor.extract_slice %pb[8] [8] [1] : ...
      %xz = arith.addf %d, %bz : tensor<8xf32>
      ...
    ```

    Requires: no `rnn.gru`. A recurrence with a strategy or tiles of its author's
    choice stays as it is, and so does one of f16 or i32 in a function that asks
    for one dispatch, whose kernel may hold no f32 at all.
    In a function with `rung.stream` it is done on every profile, since a
    stream's step is one kernel.

    Leaves: bodies that only `resident-head` or a stream can run, where it fused.
  }];
  let options = profileOption;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SelectStrategy : Pass<"rnn-select-strategy", "::mlir::ModuleOp"> {
  let summary = "choose how each recurrence runs on a device profile";
  let description = [{
    Sets `rung.strategy` on each `rnn.recurrence` that has none; one that has
    was chosen by the model's author and stays. In a function with `rung.stream`
    it is `resident-grid`, for its tiles; the kernel is the stream's own.

    | strategy | when | kernels |
    | --- | --- | --- |
    | `resident-head` | a head's recurrent weights and its step's rows fit one workgroup | one, with the time loop inside |
    | `resident-grid` | the profile promises joint progress; all its compute units together hold the weights, a workgroup each; 16-bit or narrower operands, cooperative matrices, no lengths, no random bits | one that publishes the first operands, one with the time loop inside, whose workgroups exchange operands as tagged words |
    | `step` | otherwise | one dispatch a step and phase |

    Before:
    ```mlir
    %y, %hn = rnn.recurrence direction(forward) heads(4) ...
    ```
    After `rnn-select-strategy{profile=nvidia-hopper}`:
    ```mlir
    %y, %hn = rnn.recurrence direction(forward) heads(4) ...
        attributes {rung.strategy = "resident-head"} ...
    ```

    Requires: no `rnn.gru` (see `rnn-expand-cells`).
    Leaves: every recurrence with a strategy.
  }];
  let options = profileOption;
}

def SelectTiles : Pass<"rnn-select-tiles", "::mlir::ModuleOp"> {
  let summary = "choose tiles for each product and each recurrence";
  let description = [{
    Sets `rung.tiles` on each `rnn.linear` and `rnn.recurrence` that has none:
    the tile of one workgroup and how matrices are spread over its threads.
    Cooperative matrices are used wherever the profile lists a shape for the
    operation's formats.

    After `rnn-select-tiles{profile=nvidia-hopper}`:
    ```mlir
    rung.tiles = {columns = 64 : i64, depth = 64 : i64,
      layout = #tile.layout<instruction = [16, 16, 16], subgroups = 4,
                            subgroup_size = 32, cooperative = true>,
      rows = 16 : i64, stages = 2 : i64}
    ```

    An author who pins tiles may say for which profile, `profile = "lavapipe"`;
    others then choose their own. A linear may have more:

    | key | says |
    | --- | --- |
    | `stage_weights` | weights come through shared memory as the input does, sums leave without it where a tile is whole |
    | `panel` | workgroups with neighbouring numbers take so many column tiles before the next rows |
    | `narrow_first` | a kernel before the product narrows its input; else each workgroup does |

    Tiles that the key "tiles" of a profile's file has for an operation, because
    they were measured to be the best, go before the rule's; `rnn-verify-tiles`
    checks them like all others. The number "candidate" there is for
    `rung-bench tune`: with the candidates of the module's operations counted
    one after another, that one is given to its operation, with `rung.problem`,
    the name of what it was offered for; the others are as without it. Past the
    last one is an error that says how many there are.

    Requires: a `rung.strategy` on every recurrence.
    Leaves: every linear and every recurrence with tiles.
  }];
  let options = profileOption;
  let dependentDialects = ["::rung::tile::TileDialect"];
}

def VerifyTiles : Pass<"rnn-verify-tiles", "::mlir::ModuleOp"> {
  let summary = "refuse tiles that a device profile cannot run";
  let description = [{
    Checks, for each `rnn.linear` and `rnn.recurrence`, that the workgroup has
    no more threads, its kernels no more shared memory and its matrix
    instruction no other shape and subgroup than the profile offers.

    Requires: `rung.tiles` on every linear and recurrence.
    Leaves: the module as it is.
  }];
  let options = profileOption;
}

def RnnToTile : Pass<"rnn-to-tile", "::mlir::ModuleOp"> {
  let summary = "lower graphs to kernels and schedules";
  let description = [{
    Each function becomes a `tile.program`, the schedule of its kernels, and the
    `tile.kernel`s that it dispatches. A recurrence's kernels are made from its
    body, whatever that is, inside the time loop, data movement and
    synchronization of its strategy. They hold rows, sums and states in one
    format, the carrier: that of the states if this is f16 or i32, else f32.
    `rung.forbid` on a kernel says which float its precision keeps out of it:
    "f32" where sums are f16, "float" where they are integers. `rung.edges` beside
    it says that f32 enters or leaves the kernel (see `verify-formats`).

    A function with `rung.stream` becomes one dispatch in a repeat over T, of one
    row, and its outputs that are no states buffers with `rung.words`.

    Before:
    ```mlir
    func.func @f(%x: tensor<?x?x5xf32>) -> tensor<?x?x8xf32> {
      %w = rnn.load_weight @w : tensor<8x5xf32>
      %y = rnn.linear %x, %w ... {rung.tiles = {...}}
      return %y
    }
    ```
    After:
    ```mlir
    tile.kernel @f_linear(%0: memref<?xf32> read, ...) push(...) layout(...) {
      ...
    }
    tile.program @f {
      %0 = tile.buffer input 0 size <TB * 20> : !tile.buffer<f32>
      %1 = tile.packed count 64 [#tile.piece<weight = @w, ...>]
      %2 = tile.buffer output 0 size <TB * 32> : !tile.buffer<f32>
      tile.dispatch @f_linear groups(...) (%0, %1, %2) push [TB]
    }
    ```

    Requires: strategies and tiles (`rnn-select-strategy`, `rnn-select-tiles`).
    Leaves: no function; weights as they were.
  }];
  let dependentDialects = ["::rung::tile::TileDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def SetFloatControls : Pass<"spirv-set-float-controls", "::mlir::ModuleOp"> {
  let summary = "ask a device for its promises about f16 arithmetic";
  let description = [{
    Gives the entry point of every kernel with f16 the execution modes that the
    profile's `float16` promises, and the capabilities that these need: rounding
    to the nearest even, and, where f16 are added, multiplied or compared,
    subnormals that are kept. A kernel that asks for a promise runs on no device
    that does not make it.

    After `spirv-set-float-controls{profile=nvidia-hopper}`:
    ```mlir
    spirv.ExecutionMode @head "RoundingModeRTE", 16
    spirv.ExecutionMode @head "DenormPreserve", 16
    ```

    Requires: `spirv.module`s of `tile-to-spirv`.
    Leaves: kernels without f16 as they were.
  }];
  let options = profileOption;
  let dependentDialects = ["::mlir::spirv::SPIRVDialect"];
}

#endif // RUNG_PASSES_LOWERING_LOWERING_TD
