#!/usr/bin/env bash
# Measures what the model cat_chat does in each rung, on chats that it has not
# seen: the table of docs/precision.md.
#
#   bench/chat_rungs.sh prepare FOLDER [OPTION of held_out.py]...
#   bench/chat_rungs.sh run FOLDER [OPTION of rung-bench chat-model]...
#
# `prepare` compiles the model for every rung and writes the chats, so that
# FOLDER is all that another machine needs for `run`. The variables of
# bench/errors.sh hold here, too.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tools=${RUNG_TOOLS:-$here/build/bin}
rungs=${RUNG_RUNGS:-"fp32 fp16-mixed bf16-mixed fp16 fp16-sr fp16x2 fp16x2-sr
  int8 int8,state=s16"}
targets=${RUNG_TARGETS:-"lavapipe nvidia-hopper"}
model=$here/models/cat_chat
usage() {
  sed -n '2,/^set/p' "${BASH_SOURCE[0]}" | sed '$d; s/^# \{0,1\}//' >&2
  exit 2
}
[ $# -ge 2 ] || usage
command=$1 folder=$2
shift 2

prepare() {
  mkdir -p "$folder"
  rm -f "$folder"/*.rung "$folder/ranges.json"
  echo "$rungs" | xargs -n1 >"$folder/rungs"
  cp "$tools/rung-bench" "$folder/"
  python3 "$model/held_out.py" --out "$folder/chats.npz" "$@"
  # Chats of the training's grammar and seeds, none of the held-out ones.
  python3 "$model/corpus.py" --chats 6 --seed 1000000 >"$folder/chats.txt" \
    2>/dev/null
  local rung target options
  for rung in $rungs; do
    options=()
    for target in $targets; do options+=(--target "$target"); done
    case $rung in int8*)
      if [ -e "$folder/ranges.json" ]; then
        options+=(--calibrate "$folder/ranges.json")
      else
        options+=(--calibrate "$folder/chats.txt"
          --calibration-out "$folder/ranges.json")
      fi ;;
    esac
    "$tools/rung-compile" "$model/cat_chat.yaml" --precision "$rung" \
      "${options[@]}" -o "$folder/$rung.rung"
  done
}

run() {
  local bundles=() rung
  while read -r rung; do bundles+=("$folder/$rung.rung"); done <"$folder/rungs"
  "$folder/rung-bench" chat-model "${bundles[@]}" --chats "$folder/chats.npz" \
    "$@"
}

case $command in
prepare) prepare "$@" ;;
run) run "$@" ;;
*) usage ;;
esac
