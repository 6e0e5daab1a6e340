// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -c "import json; p = json.load(open('%rung_source/compiler/target/profiles/lavapipe.json')); p['tiles'] = {'product f16 f32 5x96': '{rows = 8 : i64, columns = 16 : i64, depth = 16 : i64, stages = 2 : i64, layout = #tile.layout<instruction = [8, 8, 8], subgroups = 2, subgroup_size = 8, cooperative = true>}'}; json.dump(p, open('%t/tuned.json', 'w')); p['tiles'] = {'product f16 f32 5x96': 'rows'}; json.dump(p, open('%t/wrong.json', 'w')); p['tiles'] = {'product f16 f32 5x96': 8}; json.dump(p, open('%t/number.json', 'w')); [(p.update(tiles={'candidate': n}), json.dump(p, open('%t/candidate%d.json' % n, 'w'))) for n in (0, 1, 99)]"
// RUN: rung-opt %s --rnn-select-tiles=profile=%t/tuned.json --rnn-verify-tiles=profile=%t/tuned.json | FileCheck %s
// RUN: not rung-opt %s --rnn-select-tiles=profile=%t/wrong.json 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not rung-opt %s --rnn-select-tiles=profile=%t/number.json 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: rung-opt %s --rnn-select-tiles=profile=%t/candidate0.json | FileCheck %s --check-prefix=FIRST
// RUN: rung-opt %s --rnn-select-tiles=profile=%t/candidate1.json | FileCheck %s --check-prefix=SECOND
// RUN: not rung-opt %s --rnn-select-tiles=profile=%t/candidate99.json 2>&1 | FileCheck %s --check-prefix=LAST

// Measured tiles go before the rule's; another problem keeps those.
// CHECK: rnn.linear {{.*}}rung.tiles = {columns = 16 : i64, depth = 16 : i64, {{.*}}subgroups = 2, {{.*}}rows = 8 : i64
// CHECK: rnn.linear {{.*}}rung.tiles = {columns = 64 : i64, depth = 32 : i64, {{.*}}rows = 32 : i64
// WRONG: error: 'rnn.linear' op has measured tiles in profile '{{.*}}wrong.json' that are no attributes: rows
// NUMBER: error: tiles of 'product f16 f32 5x96' are no text

// Candidates are counted through the operations; the first is the rule's.
// FIRST: rnn.linear {{.*}}rung.problem = "product f16 f32 5x96", rung.tiles = {columns = 64 : i64, depth = 32 : i64
// FIRST-NOT: rung.problem
// SECOND: rnn.linear {{.*}}rung.problem = "product f16 f32 5x96", rung.tiles = {
// SECOND-NOT: rung.problem
// LAST: error: candidate 99 is wanted; there are {{[0-9]+$}}
func.func @two(%x: tensor<?x?x5xf16>, %w: tensor<96x5xf16>,
               %y: tensor<?x?x7xf16>, %u: tensor<96x7xf16>)
    -> (tensor<?x?x96xf32>, tensor<?x?x96xf32>) {
  %0 = rnn.linear %x, %w
      : (tensor<?x?x5xf16>, tensor<96x5xf16>) -> tensor<?x?x96xf32>
  %1 = rnn.linear %y, %u
      : (tensor<?x?x7xf16>, tensor<96x7xf16>) -> tensor<?x?x96xf32>
  return %0, %1 : tensor<?x?x96xf32>, tensor<?x?x96xf32>
}
