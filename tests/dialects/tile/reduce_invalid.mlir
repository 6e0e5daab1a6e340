// RUN: rung-opt %s --split-input-file --verify-diagnostics

// reduce_c1
tile.kernel @k() push()
    layout(<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>) {
  %f = arith.constant 1.0 : f16
  // expected-error@+1 {{operand #0 must be 32-bit float or 32-bit signless integer, but got 'f16'}}
  %0 = tile.reduce add %f : f16
  tile.return
}
