#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Downloads Debian source packages by name and unpacks them with Debian's patches applied.

apt does the work, with its state, cache and source list moved to a private folder: no privilege is
needed and the machine's own lists stay as they are. What was downloaded once is used again without
asking the network.

Exit codes: 0 done; 2 a package could not be had or unpacked; 77 skipped (no network, or a machine
whose package list names no archive of Debian's).
"""

import argparse
import fcntl
import getpass
import glob
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import apt_sources
import recipe as recipes

SKIPPED = 77


class Skip(Exception):
    """The machine cannot do this at all; not a fault of what is under test."""


class FetchError(Exception):
    """The machine could, but the package was not to be had."""


def default_cache():
    """The folder kept between runs."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "culprit-test" / "sources"


def machine_lists():
    """(name, content) of the machine's own apt lists."""
    names = ["/etc/apt/sources.list"]
    names += sorted(glob.glob("/etc/apt/sources.list.d/*.list"))
    names += sorted(glob.glob("/etc/apt/sources.list.d/*.sources"))
    return [(n, Path(n).read_text(errors="replace")) for n in names if os.path.exists(n)]


def codename():
    """The running release, from os-release."""
    for line in Path("/etc/os-release").read_text().splitlines():
        if line.startswith("VERSION_CODENAME="):
            return line.split("=", 1)[1].strip('"')
    return ""


@contextmanager
def locked(folder):
    """One process at a time in a folder: two tests may want the same package."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Apt:
    """apt-get with everything it writes moved below one folder."""

    def __init__(self, folder):
        self.folder = folder
        self.updated = False

    def run(self, *arguments, cwd=None):
        """Runs apt-get; returns (exit code, its messages)."""
        options = {
            "Dir::State": self.folder / "state",
            "Dir::Cache": self.folder / "cache",
            "Dir::Etc::sourcelist": self.folder / "debian.sources",
            "Dir::Etc::sourceparts": "-",
            # Without this, root's apt downloads as a user who cannot enter a private folder.
            "APT::Sandbox::User": getpass.getuser(),
            # By default an archive that cannot be reached is a warning and exit code 0.
            "APT::Update::Error-Mode": "any",
            "Acquire::Retries": 2,
        }
        command = ["apt-get", "-q"]
        for name, value in options.items():
            command += ["-o", f"{name}={value}"]
        done = subprocess.run(
            command + list(arguments), cwd=cwd, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "LC_ALL": "C"}, check=False,
        )
        return done.returncode, done.stdout

    def update(self):
        """Brings the list of sources up to date, once per process."""
        if self.updated:
            return
        sources = apt_sources.debian_sources(machine_lists(), codename())
        if not sources:
            raise Skip("this machine's package list names no archive of Debian's")
        for below in ("state/lists/partial", "cache/archives/partial"):
            (self.folder / below).mkdir(parents=True, exist_ok=True)
        (self.folder / "debian.sources").write_text(apt_sources.as_deb_src(sources))
        code, messages = self.run("update")
        if code != 0:
            raise Skip("the package archive cannot be reached: " + first_error(messages))
        self.updated = True


def first_error(messages):
    """The line of apt's output that says what went wrong."""
    for line in messages.splitlines():
        if line.startswith(("E:", "Err:", "W:")):
            return line
    return messages.strip().splitlines()[-1] if messages.strip() else "no message"


def cached_dsc(cache, name):
    """The package's description file if every file of the package is there."""
    found = sorted((cache / name).glob("*.dsc"))
    return found[-1] if found else None


def fetch(name, cache, apt=None):
    """Makes sure that the package is in the cache; returns the path of its .dsc file."""
    cache = Path(cache)
    with locked(cache):
        dsc = cached_dsc(cache, name)
        if dsc:
            return dsc
        apt = apt or Apt(cache / ".apt")
        apt.update()
        partial = cache / f".{name}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        code, messages = apt.run("source", "--only-source", "--download-only", name, cwd=partial)
        if code != 0:
            error = first_error(messages)
            if "Failed to fetch" in messages:
                raise Skip("the package archive cannot be reached: " + error)
            raise FetchError(f"{name}: {error}")
        # Renamed when whole, so that a broken download is never taken for a package.
        shutil.rmtree(cache / name, ignore_errors=True)
        partial.rename(cache / name)
        return cached_dsc(cache, name)


def missing_packages(recipe):
    """The Debian packages that the recipe needs and the machine lacks."""
    wanted = recipes.BASE_PACKAGES + recipe.packages
    found = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *wanted],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
    ).stdout
    installed = {line.split()[0] for line in found.splitlines() if line.endswith(" installed")}
    return [name for name in wanted if name not in installed]


def source_of(recipe, cache):
    """The source package that a recipe builds. Skip, by name, if what it builds with is not there: half-way through a
    build that would only be a command not found."""
    missing = missing_packages(recipe)
    if missing:
        raise Skip(f"needs the Debian packages {' '.join(missing)}")
    return fetch(recipe.source, cache)


def unpack(dsc, into):
    """Unpacks a source package, patches applied, as the folder `into`, which must not exist."""
    into = Path(into)
    into.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["dpkg-source", "--no-check", "--no-copy", "-x", str(dsc), str(into)], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False,
    )
    if done.returncode != 0:
        raise FetchError(f"{dsc.name} does not unpack: {done.stdout.strip()}")
    return into


def version_of(dsc):
    """The package's version, from the name of its .dsc file."""
    return dsc.name.removesuffix(".dsc").split("_", 1)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="+", metavar="NAME", help="a Debian source package")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="kept between runs")
    parser.add_argument("--into", type=Path, help="unpack below this folder (default: the cache)")
    arguments = parser.parse_args()
    apt = Apt(arguments.cache / ".apt")
    try:
        for name in arguments.names:
            dsc = fetch(name, arguments.cache, apt)
            into = (arguments.into or arguments.cache / "unpacked") / name
            shutil.rmtree(into, ignore_errors=True)
            print(unpack(dsc, into))
    except Skip as skip:
        print(f"skipped: {skip}")
        return SKIPPED
    except FetchError as error:
        print(f"fetch: error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
