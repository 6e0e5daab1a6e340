#!/usr/bin/env bash
# Checks and times a device beside cuDNN, in one run: h200.sh FOLDER
#
# FOLDER holds rung-run, bundles of models made by make_model.py (block,
# block12, dense: see docs/performance.md), bundles of the vectors
# (vectors/<precision>/CASE.rung, made by tests/e2e/run_vectors.py --bundles),
# those of the cells and the real cases (models/<precision>/NAME.rung) with the
# real cases' data (data/), and those of the cells in f16 and i32 (carriers/,
# made by tests/e2e/run_carriers.py --bundles).
set -u
folder=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
here=$(cd "$(dirname "$0")/.." && pwd)
run=$folder/rung-run
"$run" --list-devices
time_model() { # NAME BATCH STEPS WIDTH
  python3 - "$4" "$3" "$2" "$scratch" <<'PY'
import sys, numpy as np
width, steps, batch = map(int, sys.argv[1:4])
x = np.random.default_rng(0).standard_normal((steps, batch, width))
np.save(sys.argv[4] + "/x.npy", x.astype(np.float32))
PY
  echo "== $1 batch $2 steps $3"
  "$run" "$folder/$1.rung" --input x=@"$scratch/x.npy" --device 0 --time 50 --on-device --json
}
check_model() { # NAME BATCH WIDTH: 64 steps against the reference
  python3 -c "
import numpy as np
np.save('$scratch/x.npy', np.random.default_rng(1).standard_normal((64, $2, $3)).astype(np.float32))"
  "$run" "$folder/$1.rung" --input x=@"$scratch/x.npy" --device reference \
    --output y=@"$scratch/y.npy" 2>/dev/null
  echo "== check $1"
  "$run" "$folder/$1.rung" --input x=@"$scratch/x.npy" --device 0 \
    --expect y=@"$scratch/y.npy" --atol 5e-3 --rtol 5e-3
}
check_model block12.fp16-mixed 16 64
check_model block.fp16-mixed 4 64
check_model dense.fp16-mixed 1 64
time_model block.fp16-mixed 32 1024 64
time_model block.fp16-mixed 1 1024 64
time_model block12.fp16-mixed 16 1024 64
time_model dense.fp16-mixed 1 1024 64
for shape in "4096 32" "4096 1" "768 16" "2048 1"; do
  set -- $shape
  python3 "$here/bench/peers/cudnn_gru.py" --hidden "$1" --input 64 --batch "$2" --steps 1024
done
for precision in fp32 fp16-mixed bf16-mixed; do
  echo "== cells and real cases $precision"
  for script in run_cells "run_real_cases --data $folder/data"; do
    set -- $script
    script=$here/tests/e2e/$1.py
    shift
    python3 "$script" "$@" --compile /bin/true --run "$run" --device 0 \
      --precision "$precision" --bundles "$folder/models" | grep -v ^passed
  done
done
echo "== cells in f16 and i32, to the bit"
python3 "$here/tests/e2e/run_carriers.py" --compile /bin/true --run "$run" \
  --device 0 --bundles "$folder/carriers" | grep -v ^passed
for precision in fp32 fp16-mixed bf16-mixed; do
  echo "== vectors $precision"
  # Bundles are taken as they are: the compiler is not on this machine.
  touch "$folder"/vectors/"$precision"/*.rung
  python3 "$here/tests/e2e/run_vectors.py" --compile /bin/true --run "$run" \
    --device 0 --precision "$precision" --bundles "$folder/vectors" --jobs 14 |
    grep -v ^passed
done
