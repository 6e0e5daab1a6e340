#!/usr/bin/env bash
# Measures speed: the tables of docs/performance.md.
#
#   bench/speed.sh prepare FOLDER [OPTION of speed_models.py]...
#   bench/speed.sh run FOLDER [OPTION of rung-bench speed]...
#
# `prepare` writes the models, compiles them and puts beside them all that
# another machine needs: rung-bench, the hand-written kernels and the scripts
# that time peers. There, FOLDER/speed.sh run FOLDER does what `run` does: time
# the peers (PyTorch, where it is there; the hand-written kernels), then
# rung-bench speed, in one call. FOLDER/results gets everything as JSON and
# speed.svg.
#
#   RUNG_TOOLS=DIR      where the tools are (default build/bin)
#   RUNG_TARGETS="A B"  which profiles besides generic (default: nvidia-hopper)
#   RUNG_PEERS=""       which peers are timed (default: "torch hand")
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tools=${RUNG_TOOLS:-$here/../build/bin}
targets=${RUNG_TARGETS:-nvidia-hopper}
peers=${RUNG_PEERS-torch hand}
usage() {
  sed -n '2,/^set/p' "${BASH_SOURCE[0]}" | sed '$d; s/^# \{0,1\}//' >&2
  exit 2
}
[ $# -ge 2 ] || usage
command=$1 folder=$2
shift 2

# Compiles MODEL for a precision, unless its bundle is newer than the model and
# the compiler.
compile() {
  local model=$folder/$1 precision=$2 options=() target
  local bundle=$model.$precision.rung source=$model.yaml
  if [ -e "$model.mlir" ]; then source=$model.mlir; fi
  if [ "$bundle" -nt "$source" ] && [ "$bundle" -nt "$tools/rung-compile" ]
  then return; fi
  for target in $targets; do options+=(--target "$target"); done
  if [ -e "$model.transform" ]; then
    options+=(--transform "$(cat "$model.transform")")
  fi
  # Integers need to know how large the numbers get: once a model.
  case $precision in int8*)
    if [ -e "$model.ranges.json" ]; then
      options+=(--calibrate "$model.ranges.json")
    else
      options+=(--calibrate "$model.npz"
        --calibration-out "$model.ranges.json")
    fi ;;
  esac
  "$tools/rung-compile" "$source" --precision "$precision" \
    "${options[@]}" -o "$bundle"
}

prepare() {
  mkdir -p "$folder"
  python3 "$here/speed_models.py" --out "$folder" "$@"
  cp "$here/speed.sh" "$here/peers/torch_rows.py" "$here/peers/glsl.py" \
    "$tools/rung-bench" "$folder/"
  if [ -d "$tools/../glsl" ]; then cp -r "$tools/../glsl" "$folder/"; fi
  local model precision
  python3 -c "
import json, sys
for bundle in json.load(open(sys.argv[1]))['bundles']: print(*bundle)" \
    "$folder/speed.json" | while read -r model precision; do
    compile "$model" "$precision" </dev/null
  done
}

run() {
  local out=$folder/results options=()
  mkdir -p "$out"
  case " $peers " in *" torch "*)
    if python3 "$folder/torch_rows.py" "$folder/speed.json" >"$out/torch.json"
    then options+=(--peers "$out/torch.json"); fi ;;
  esac
  case " $peers " in *" hand "*)
    if python3 "$folder/glsl.py" --kernels "$folder/glsl" \
      --bench "$folder/rung-bench" --json >"$out/hand.json"
    then options+=(--hand "$out/hand.json"); fi ;;
  esac
  "$folder/rung-bench" speed "$folder" "${options[@]}" \
    --svg "$out/speed.svg" "$@"
}

case $command in
prepare) prepare "$@" ;;
run) run "$@" ;;
*) usage ;;
esac
