# SPDX-License-Identifier: Apache-2.0
"""Configuration of all lit suites.

Features, each from what the machine really has:
  compiler           rung-compile was built
  vulkan             rung-run lists a device
  coopmat            one of them has cooperative matrices
  peer-kernels       the hand-written baselines were compiled
  spirv-val-coopmat  spirv-val knows SPV_KHR_cooperative_matrix
A test that needs one says REQUIRES and is UNSUPPORTED without it. CI_REQUIRE, a
comma-separated list of features, turns absence into failure.
"""

import json
import os
import re
import subprocess

import lit.formats

config.name = "Rung"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unit", "vectors"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.rung_build, "tests")

path = [config.rung_tools, config.llvm_tools, os.environ.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)
for name in ("VK_ICD_FILENAMES", "VK_DRIVER_FILES", "HOME", "XDG_RUNTIME_DIR",
             "XDG_CACHE_HOME", "LP_NUM_THREADS", "RUNG_COOPMAT"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%python", config.python))
config.substitutions.append(("%rung_source", config.rung_source))
config.substitutions.append(("%rung_tools", config.rung_tools))
config.substitutions.append(("%rung_build", config.rung_build))


def output_of(*command):
    """What a command says, or nothing if it fails or is not there."""
    try:
        return subprocess.run(
            command, capture_output=True, text=True, timeout=120, check=True,
            env=config.environment).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def values_of(tree, key):
    """Every value of a key, however deep."""
    if isinstance(tree, dict):
        for name, value in tree.items():
            if name == key:
                yield value
            yield from values_of(value, key)
    elif isinstance(tree, list):
        for item in tree:
            yield from values_of(item, key)


if os.path.exists(os.path.join(config.rung_tools, "rung-compile")):
    config.available_features.add("compiler")
if os.path.exists(os.path.join(config.rung_build, "glsl", "copy.spv")):
    config.available_features.add("peer-kernels")
listing = output_of(os.path.join(config.rung_tools, "rung-run"),
                    "--list-devices", "--json")
cooperative = list(values_of(json.loads(listing), "cooperative")) if listing else []
if cooperative:
    config.available_features.add("vulkan")
if any(cooperative):
    config.available_features.add("coopmat")
version = re.search(r"v(\d{4})\.", output_of("spirv-val", "--version"))
if version and int(version.group(1)) >= 2024:
    config.available_features.add("spirv-val-coopmat")

for feature in filter(None, os.environ.get("CI_REQUIRE", "").split(",")):
    if feature not in config.available_features:
        lit_config.fatal(f"CI_REQUIRE names '{feature}', which is not here")
