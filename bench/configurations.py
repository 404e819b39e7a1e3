# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The configurations a program is measured in: one row each, the first is the baseline.

A row says how the executable comes to be and how it is started; run.py does the rest. A flavour is made
from the executable of another row's build, by `culprit flavour NAME PROG`, which prints its path; the
harness then starts that path itself, so that no launcher is inside the measured time.
`{culprit}` stands for the culprit binary, `{scratch}` (in the environment and before the program) for the folder of one execution, `{parts}` for that of culprit's parts,
`{names}` for the table of the executable's variables that the Valgrind tool reads. Rows that share `cc`, `cxx` and `flags` share one build.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Configuration:
    name: str
    about: str
    cc: tuple = ("clang-19",)
    cxx: tuple = ("clang++-19",)
    flags: tuple = ("-O2",)
    flavour: str = ""
    prefix: tuple = ()
    environment: dict = field(default_factory=dict)
    needs: tuple = ()  # programs or shared libraries that must be there
    default: bool = True  # part of a run that names no configurations
    c_only: bool = False  # C++ programs are left out, with a line
    real: str = "plain"  # folder of --real-dir that holds this configuration's real programs


CULPRIT = {"cc": ("{culprit}", "cc"), "cxx": ("{culprit}", "c++"), "real": "culprit"}

CONFIGURATIONS = [
    Configuration("plain", "clang 19 -O2"),
    Configuration("culprit", "plain executable built by culprit cc -O2", **CULPRIT),
    Configuration("identity", "identity flavour", flavour="identity", **CULPRIT),
    Configuration("base", "base flavour: runtime and its allocator, no instrumentation",
                  flavour="base", **CULPRIT),
    # With its run file, as train and check have it: writing it is part of the cost.
    Configuration("monitor", "monitor flavour: heap graph, default pacing, writing its run file",
                  flavour="monitor", environment={"CULPRIT_RUNTIME": "run={scratch}/run"}, **CULPRIT),
    Configuration("access", "access flavour: who writes which object, writing its run file",
                  flavour="access", environment={"CULPRIT_RUNTIME": "run={scratch}/run"}, **CULPRIT),
    Configuration("access-reads", "access flavour, reads too", flavour="access-reads",
                  environment={"CULPRIT_RUNTIME": "run={scratch}/run"}, **CULPRIT),
    Configuration("both", "heap graph and access sets in one run", flavour="both",
                  environment={"CULPRIT_RUNTIME": "run={scratch}/run"}, **CULPRIT),
    Configuration("access-count", "access flavour for training: every access counted",
                  flavour="access-count", environment={"CULPRIT_RUNTIME": "run={scratch}/run"},
                  default=False, **CULPRIT),
    Configuration("both-count", "both, every access counted: for training", flavour="both-count",
                  environment={"CULPRIT_RUNTIME": "run={scratch}/run"}, default=False, **CULPRIT),
    Configuration("access-events", "access flavour that tells every access, to nobody",
                  flavour="access-events", default=False, **CULPRIT),
    Configuration("trace", "locate's clean phase: every value has an id, nothing is suppressed",
                  flavour="trace", default=False, **CULPRIT),
    Configuration("suppress", "locate's armed phase before a target fires: nothing is corrupt yet",
                  flavour="suppress", default=False, **CULPRIT),
    Configuration("armed", "locate's armed phase behind that: every effect asks whether it is corrupt",
                  flavour="suppress", environment={"CULPRIT_RUNTIME": "armed=1"}, default=False,
                  **CULPRIT),
    Configuration("index", "part+lazy: allocation indexes, only what they need instrumented",
                  flavour="index", default=False, **CULPRIT),
    Configuration("index-tree", "part+lazy with the paper's index tree: a node for each part of an index, removed at free",
                  flavour="index", environment={"CULPRIT_RUNTIME": "tree=1"}, default=False, **CULPRIT),
    Configuration("index-whole", "full+lazy: the same with every function and cycle instrumented",
                  flavour="index-whole", default=False, **CULPRIT),
    Configuration("index-online", "part+online: index, and every pointer carries its region",
                  flavour="index-online", default=False, **CULPRIT),
    Configuration("index-whole-online", "full+online: both",
                  flavour="index-whole-online", default=False, **CULPRIT),
    # The same executable as plain's.
    Configuration("unmodified", "plain with the runtime preloaded: heap graph, written pages by PAGEMAP_SCAN", default=False,
                  environment={"LD_PRELOAD": "{parts}/libculprit_unmodified.so", "CULPRIT_RUNTIME": "run={scratch}/run"}),
    Configuration("unmodified-soft", "the same, soft-dirty bits at most", default=False,
                  environment={"LD_PRELOAD": "{parts}/libculprit_unmodified.so",
                               "CULPRIT_RUNTIME": "run={scratch}/run:written_pages=1"}),
    Configuration("unmodified-read", "the same, every block read at every metric point", default=False,
                  environment={"LD_PRELOAD": "{parts}/libculprit_unmodified.so",
                               "CULPRIT_RUNTIME": "run={scratch}/run:written_pages=2"}),
    # Leaks are not what is compared, and real programs leave memory to the system at exit.
    Configuration("asan", "clang 19 -O2 -fsanitize=address, leak check off",
                  flags=("-O2", "-fsanitize=address"), real="asan",
                  environment={"ASAN_OPTIONS": "detect_leaks=0"}),
    # A C++ program needs a C++ library built the same way, or it is told of errors it does not have.
    Configuration("msan", "clang 19 -O2 -fsanitize=memory with origins",
                  flags=("-O2", "-fsanitize=memory", "-fsanitize-memory-track-origins"), c_only=True,
                  default=False, real="msan"),
    Configuration("mimalloc", "plain with mimalloc 2 preloaded", needs=("libmimalloc.so.2",),
                  environment={"LD_PRELOAD": "libmimalloc.so.2"}),
    Configuration("memcheck", "plain under valgrind memcheck, leak check off", default=False,
                  prefix=("valgrind", "-q", "--leak-check=no", "--error-exitcode=99"),
                  needs=("valgrind",)),
    Configuration("deep", "plain under the Valgrind tool of --deep: who writes which object, writing its run file", default=False,
                  prefix=("{parts}/deep/culprit-amd64-linux", "--tool=culprit", "-q", "--vgdb=no", "--run-file={scratch}/run"),
                  environment={"VALGRIND_LIB": "{parts}/deep", "VALGRIND_LAUNCHER": "{parts}/deep/culprit-amd64-linux"}),
    Configuration("deep-count", "the same, every access counted: for training", default=False,
                  prefix=("{parts}/deep/culprit-amd64-linux", "--tool=culprit", "-q", "--vgdb=no", "--counts=yes",
                          "--run-file={scratch}/run"),
                  environment={"VALGRIND_LIB": "{parts}/deep", "VALGRIND_LAUNCHER": "{parts}/deep/culprit-amd64-linux"}),
    Configuration("deep-names", "deep, built with -g as well: members of structs and local variables have names", default=False,
                  flags=("-O2", "-g"), real="debug",
                  prefix=("{parts}/deep/culprit-amd64-linux", "--tool=culprit", "-q", "--vgdb=no", "--names={names}",
                          "--run-file={scratch}/run"),
                  environment={"VALGRIND_LIB": "{parts}/deep", "VALGRIND_LAUNCHER": "{parts}/deep/culprit-amd64-linux"}),
    Configuration("deep-names-count", "the same, every access counted: for training", default=False,
                  flags=("-O2", "-g"), real="debug",
                  prefix=("{parts}/deep/culprit-amd64-linux", "--tool=culprit", "-q", "--vgdb=no", "--counts=yes",
                          "--names={names}", "--run-file={scratch}/run"),
                  environment={"VALGRIND_LIB": "{parts}/deep", "VALGRIND_LAUNCHER": "{parts}/deep/culprit-amd64-linux"}),
]
