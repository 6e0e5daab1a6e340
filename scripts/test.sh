#!/usr/bin/env bash
# Runs every test of a build folder: test.sh FOLDER [CTEST ARGUMENT]...
set -euo pipefail
folder=$1
shift
# lavapipe is the device that every machine has; another can be named.
lavapipe=(/usr/share/vulkan/icd.d/lvp_icd*.json)
export VK_DRIVER_FILES=${VK_DRIVER_FILES:-${lavapipe[0]}}
exec ctest --test-dir "$folder" --output-on-failure --no-tests=error \
  -j "${RUNG_JOBS:-2}" "$@"
