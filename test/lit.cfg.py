# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests that need two worlds. Each is one small file; its RUN lines say what is claimed. CMake passes the
# places as parameters, so that the same files test the built and the installed culprit.
import os
import lit.formats

config.name = "culprit"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".cpp", ".ll", ".test"]
config.excludes = ["Inputs"]

places = lit_config.params
config.test_source_root = places["source"]
config.test_exec_root = places["work"]

llvm = "/usr/lib/llvm-19/bin"
config.environment["PATH"] = os.pathsep.join([places["bin"], llvm, os.environ["PATH"]])
config.environment["XDG_CACHE_HOME"] = os.path.join(places["work"], "cache")
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

python = "/usr/bin/python3"
config.substitutions += [
    ("%roundtrip", f"{python} {places['source']}/cc/roundtrip.py"),
    ("%tables", f"{python} {places['source']}/pass/tables.py"),
    ("%build", places["build"]),
    ("%plugin", places["plugin"]),
    ("%source_root", os.path.dirname(places["source"])),
]
