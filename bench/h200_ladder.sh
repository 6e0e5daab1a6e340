#!/usr/bin/env bash
# Checks and measures the rungs on a device, in one run:
#
#   bench/h200_ladder.sh FOLDER PART...
#
# FOLDER holds rung-run; ladder/ (tests/e2e/run_ladder.py --prepare); drift/
# (bench/errors.sh prepare); chat/ with bundles of the chat model and chats.npz
# (models/cat_chat/held_out.py); block/ with block.RUNG.rung, made from a model
# of bench/make_model.py. PARTs are bits, chat, drift and time. Files go to
# $OUT, or to FOLDER/results.
set -u
folder=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd)
out=${OUT:-$folder/results}
mkdir -p "$out"
run=$folder/rung-run bench=$folder/drift/rung-bench

bits() {
  python3 "$here/tests/e2e/run_ladder.py" --compile /bin/true --run "$run" \
    --device 0 --bundles "$folder/ladder"
}
chat() {
  "$bench" chat-model "$folder"/chat/*.rung --chats "$folder/chat/chats.npz" \
    --device 0 -q
}
drift() {
  "$bench" errors "$folder/drift" --steps 16384 --batch 1 --device 0 --jobs 4 \
    --json --svg "$out/arithmetic.svg" --svg-total "$out/total.svg" \
    >"$out/errors.json" && echo "wrote errors.json"
  "$bench" errors "$folder/drift" --steps 4096 --batch 1 --device 0 --jobs 4 -q
}
# One layer of 64 heads of 64, on the device's clock, with cuDNN beside it.
time_rungs() {
  local batch bundle
  for batch in 32 1; do
    python3 -c "
import numpy as np
np.save('$out/x.npy', np.random.default_rng(0).standard_normal(
    (1024, $batch, 64)).astype(np.float32))"
    for bundle in "$folder"/block/block.*.rung; do
      echo "== $(basename "$bundle") batch $batch"
      "$run" "$bundle" --input x=@"$out/x.npy" --device 0 --time 20 \
        --on-device --json
    done
    python3 "$here/bench/peers/cudnn_gru.py" --hidden 4096 --input 64 \
      --batch "$batch" --steps 1024
  done
  rm -f "$out/x.npy"
}

status=0
for part in "$@"; do
  echo "==== $part"
  case $part in
  time) time_rungs || status=1 ;;
  bits | chat | drift) "$part" || status=1 ;;
  *) echo "error: part '$part' is none of bits, chat, drift, time" >&2; exit 2 ;;
  esac
done
exit $status
