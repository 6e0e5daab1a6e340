#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""chat_at_terminal.py COMMAND...: runs a chat at a terminal, says two lines,
each when it is asked for one, then ends the input, and prints what the terminal
shows. Fails where the command does not ask, or does not end well."""

import os
import pty
import select
import sys

LINES = ["Hello, I am Ada. Who are you?", "I must go now."]
PROMPT, PATIENCE = "Ada: ", 300

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
shown, answered = "", 0


def read():
    """What the terminal shows next; nothing at its end."""
    ready, _, _ = select.select([terminal], [], [], PATIENCE)
    if not ready:
        sys.exit(f"nothing came for {PATIENCE} s after:\n{shown}")
    try:
        return os.read(terminal, 4096).decode()
    except OSError:  # how Linux says that the other side is closed
        return ""


for line in LINES + ["\x04"]:
    while not shown.replace("\r", "")[answered:].endswith("\n" + PROMPT):
        piece = read()
        if not piece:
            sys.exit(f"ends without asking for '{line}':\n{shown}")
        shown += piece
    answered = len(shown.replace("\r", ""))
    os.write(terminal, (line if line == "\x04" else line + "\n").encode())
while piece := read():
    shown += piece
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(shown.replace("\r", ""))
sys.exit(code)
