#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""exits.py CODE COMMAND...: runs the command and fails unless it exits with
CODE. lit's `not` tells failures from successes, but not one failure from
another."""

import subprocess
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
code = subprocess.run(command).returncode
if code != wanted:
    sys.exit(f"exit code {code}, not {wanted}: {' '.join(command)}")
