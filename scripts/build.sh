#!/usr/bin/env bash
# Configures (once) and builds a preset: build.sh PRESET FOLDER [TARGET]...
# Quiet while all is well; the whole log when something fails.
set -euo pipefail
preset=$1 folder=$2
shift 2
log=$folder/build.log
mkdir -p "$folder"
if [ ! -e "$folder/build.ninja" ]; then
  cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
fi
if [ -t 2 ]; then
  ninja -C "$folder" -j "${RUNG_JOBS:-2}" "$@" >&2
else
  ninja -C "$folder" -j "${RUNG_JOBS:-2}" "$@" >"$log" 2>&1 ||
    { grep -v '^\[' "$log" | head -200 >&2; exit 1; }
fi
