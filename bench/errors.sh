#!/usr/bin/env bash
# Measures drift rung by rung: the tables and plots of docs/precision.md.
#
#   bench/errors.sh prepare FOLDER [OPTION of drift_models.py]...
#   bench/errors.sh run FOLDER [OPTION of rung-bench errors]...
#
# `prepare` writes the models of the four regimes, compiles each for every rung
# and puts rung-bench beside them: then FOLDER is all that another machine
# needs, and FOLDER/rung-bench errors FOLDER is what `run` does.
#
#   RUNG_TOOLS=DIR     where the tools are (default build/bin)
#   RUNG_RUNGS="A B"   which rungs (default: all)
#   RUNG_TARGETS="A B" which profiles besides generic (default: lavapipe,
#                      nvidia-hopper)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools=${RUNG_TOOLS:-$here/build/bin}
rungs=${RUNG_RUNGS:-"fp32 fp16-mixed bf16-mixed fp16 fp16-sr fp16x2 fp16x2-sr
  int8 int8,state=s16"}
targets=${RUNG_TARGETS:-"lavapipe nvidia-hopper"}
usage() {
  sed -n '2,/^set/p' "${BASH_SOURCE[0]}" | sed '$d; s/^# \{0,1\}//' >&2
  exit 2
}
[ $# -ge 2 ] || usage
command=$1 folder=$2
shift 2

prepare() {
  rm -f "$folder"/*.rung "$folder"/?.*.json
  python3 "$here/bench/drift_models.py" --out "$folder" "$@"
  cp "$tools/rung-bench" "$folder/"
  local description name rung target options
  for description in "$folder"/*.yaml; do
    name=${description%.yaml}
    for rung in $rungs; do
      options=()
      for target in $targets; do options+=(--target "$target"); done
      # Integers need to know how large the numbers get: once a model.
      case $rung in int8*)
        if [ -e "$name.json" ]; then options+=(--calibrate "$name.json")
        else options+=(--calibrate "$name.npz" --calibration-out "$name.json")
        fi ;;
      esac
      "$tools/rung-compile" "$description" --precision "$rung" \
        "${options[@]}" -o "$name.$rung.rung"
    done
  done
}

case $command in
prepare) prepare "$@" ;;
run) "$folder/rung-bench" errors "$folder" "$@" ;;
*) usage ;;
esac
