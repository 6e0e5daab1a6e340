#!/usr/bin/env bash
# Builds runtime, reference, rung-run and front end with AddressSanitizer and
# UBSan and runs their unit tests: sanitize.sh FOLDER
set -euo pipefail
folder=$1
suites=(RungBaseTests RungBundleTests RungReferenceTests RungRunTests
  RungApiTests RungApiDeviceTests RungVulkanTests RungVulkanDeviceTests
  RungFrontendTests)
"$(dirname "$0")/build.sh" asan "$folder" "${suites[@]}"
lavapipe=(/usr/share/vulkan/icd.d/lvp_icd*.json)
export VK_DRIVER_FILES=${VK_DRIVER_FILES:-${lavapipe[0]}}
# MLIR's packaged library is not instrumented, so that containers that cross
# its boundary look overrun, and memory that it takes from an allocator whose
# slab instrumented code has made looks poisoned.
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0
passed=0 failed=0
for suite in "${suites[@]}"; do
  if "$folder/bin/$suite" >"$folder/$suite.log" 2>&1; then
    passed=$((passed + 1))
    echo "sanitized $suite: $(tail -1 "$folder/$suite.log")"
  else
    failed=$((failed + 1))
    echo "sanitized $suite: failed"
    tail -60 "$folder/$suite.log"
  fi
done
echo "sanitized suites: $passed passed, $failed failed"
[ "$failed" = 0 ]
