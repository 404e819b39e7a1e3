# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one shell command of a recipe: fixed environment, log file, time limit, processor time.

Rules: the environment is built here, not inherited, so that a recipe gives the same result from a
terminal, from ctest and from make; a command that hangs, or is still running when we are told to
end, is ended together with all it started. Each command is a session of its own for that: test
suites put their tests into process groups, so a group would miss them.
"""

import os
import resource
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

# sed, perl and autoconf of a fresh machine; never a wrapper that the user has put in front of them.
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


_running = set()  # session ids of the commands under way
_lock = threading.Lock()


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int  # the exit code; 128 + number when a signal ended it
    cpu_seconds: float  # user and system time of the command and all it waited for
    seconds: float
    timed_out: bool


def environment(home, **more):
    """What every command sees."""
    fixed = {
        "PATH": _PATH,
        "HOME": str(home),
        "LC_ALL": "C",
        "TZ": "UTC",
        "TERM": "dumb",
        "SHELL": "/bin/sh",
        # Dates that a program compiles into itself must not differ between two builds of it.
        "SOURCE_DATE_EPOCH": "1700000000",
        # tar's configure refuses to run as root without it.
        "FORCE_UNSAFE_CONFIGURE": "1",
    }
    return fixed | {name: str(value) for name, value in more.items()}


def run(script, cwd, env, log, limit=1800, separate_errors=None):
    """Runs shell text; output and messages go to `log` (messages to `separate_errors` if given)."""
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with open(log, "wb") as out, open(separate_errors or os.devnull, "wb") as err:
        process = subprocess.Popen(
            ["/bin/sh", "-e", "-c", script], cwd=cwd, env=env, stdin=subprocess.DEVNULL,
            stdout=out, stderr=err if separate_errors else subprocess.STDOUT,
            start_new_session=True, preexec_fn=_like_a_fresh_login,
        )
        with _lock:
            _running.add(process.pid)
        timed_out = threading.Event()
        timer = threading.Timer(limit, _end_late, (process.pid, timed_out))
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        with _lock:
            _running.discard(process.pid)
    code = os.waitstatus_to_exitcode(status)
    process.returncode = code  # reaped above; Popen must not wait for it again
    return Outcome(
        code=code if code >= 0 else 128 - code,
        cpu_seconds=used.ru_utime + used.ru_stime,
        seconds=time.monotonic() - started,
        timed_out=timed_out.is_set(),
    )


def _like_a_fresh_login():
    # A background shell starts us with SIGINT ignored, and so would the tests of make and gzip be
    # that send themselves one.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_late(session, timed_out):
    timed_out.set()
    _end(session)


def end_all():
    """Ends every command under way."""
    with _lock:
        sessions = list(_running)
    for session in sessions:
        _end(session)


def _end(session):
    # Twice: a process may start another one while we look.
    for _ in range(2):
        for entry in os.listdir("/proc"):
            if entry.isdigit() and _session_of(int(entry)) == session:
                try:
                    os.kill(int(entry), signal.SIGKILL)
                except ProcessLookupError:
                    pass


def _session_of(pid):
    try:
        return os.getsid(pid)
    except (ProcessLookupError, PermissionError):
        return None
