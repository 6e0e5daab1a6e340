// RUN: rung-opt %s --tile-distribute --split-input-file --verify-diagnostics

tile.kernel @arithmetic(%x: memref<?xbf16> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<?xbf16>
  // expected-error@+1 {{has bf16 operands or results; bf16 can only be loaded, stored, selected and converted}}
  %d = arith.addf %v, %v : bf16
}

// -----

tile.kernel @loop(%x: memref<?xf32> read) push()
    layout(<instruction = [8, 8, 8], subgroups = 1, subgroup_size = 8,
            cooperative = false>) {
  %true = arith.constant true
  // expected-error@+1 {{can't stand in a tile.kernel}}
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
}
