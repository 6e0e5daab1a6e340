#!/usr/bin/env bash
# Compiles the project's own model and lets it write a chat: demo.sh FOLDER
set -euo pipefail
folder=$1
model=models/cat_chat
bundle=$folder/cat_chat.rung
lavapipe=(/usr/share/vulkan/icd.d/lvp_icd*.json)
export VK_DRIVER_FILES=${VK_DRIVER_FILES:-${lavapipe[0]}}
if [ ! -e "$bundle" ] || [ -n "$(find "$model" "$folder/bin/rung-compile" -newer "$bundle" -print -quit)" ]; then
  echo "Compiling $model/cat_chat.yaml to $bundle" >&2
  "$folder/bin/rung-compile" "$model/cat_chat.yaml" -o "$bundle" --precision fp16-mixed
fi
echo "A chat with a cat, one character a step:" >&2
exec "$folder/bin/rung-run" generate "$bundle" --echo --max-steps 700 \
  --prompt "${RUNG_PROMPT:-Ada: Oh, a cat! I am Ada, and you?}"
