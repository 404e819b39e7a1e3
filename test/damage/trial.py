# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one command on one damaged input and says what is wrong with how it went, if anything."""
import dataclasses
import os
import shlex
import signal
import subprocess
import tempfile
import threading

MEMORY = 1 << 30  # bytes, the most a command may use at its peak
SANITIZER = ("AddressSanitizer", "LeakSanitizer", "runtime error:", "UndefinedBehaviorSanitizer")


@dataclasses.dataclass
class Outcome:
    code: int
    out: str
    err: str
    timed_out: bool
    peak: int


def execute(argv, folder, environment, timeout, stdin=subprocess.DEVNULL):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(argv, cwd=folder, env=environment, stdin=stdin, stdout=out, stderr=err,
                                   start_new_session=True)
        expired = threading.Event()

        def end():
            expired.set()
            os.killpg(process.pid, signal.SIGKILL)
        timer = threading.Timer(timeout, end)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
    return Outcome(process.returncode, *texts, expired.is_set(), usage.ru_maxrss * 1024)


def listing(folder):
    """All names below a folder, but not the cache's lock files, which stay."""
    found = set()
    for path, folders, files in os.walk(folder):
        if os.path.basename(path) == "locks":
            continue
        found.update(os.path.join(path, name) for name in folders + files if name != "locks")
    return found


def is_clear_error(text):
    """One line that says what, and at most one that says what to do."""
    lines = text.splitlines()
    return (1 <= len(lines) <= 2 and lines[0].startswith("culprit: error: ")
            and len(lines[0]) > len("culprit: error: ") and lines[0].isprintable()
            and (len(lines) == 1 or (lines[1].startswith("  ") and lines[1].isprintable())))


def ill_manners(outcome, before, after):
    """What no command may do, whatever it is given."""
    if outcome.timed_out:
        return "it hangs"
    if outcome.code < 0:
        return f"it dies of signal {-outcome.code}"
    if any(word in outcome.err for word in SANITIZER):
        return "a sanitizer complains"
    if outcome.peak > MEMORY:
        return f"it takes {outcome.peak >> 20} MiB"
    if before != after:
        return f"it leaves {sorted(after - before) or 'less than there was: ' + str(sorted(before - after))}"
    return None


def judge(outcome, expected, may_differ=False):
    """The contract: the undamaged result, or 2 with one clear line."""
    if outcome.code == 2:
        return None if is_clear_error(outcome.err) else "exit code 2 without one clear line"
    if outcome.code != 0:
        return f"exit code {outcome.code}"
    if not may_differ and (outcome.out, outcome.err) != (expected.out, expected.err):
        return "exit code 0, but another result than with the undamaged file"
    return None


def command_text(argv, folder, environment, names):
    settings = " ".join(f"{name}={shlex.quote(environment[name])}" for name in names)
    return f"cd {shlex.quote(str(folder))} && {settings} {shlex.join(map(str, argv))}"
