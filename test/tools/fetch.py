# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fetch.py FOLDER: the tools that tests need and Debian has not, from npm's registry, into FOLDER.

They are archives that need no npm. Each is named with its version and the digest the registry publishes for
it: what is not exactly that is not unpacked. What is there already is left alone.
"""
import base64
import hashlib
import io
import pathlib
import shutil
import sys
import tarfile
import time
import urllib.request

TOOLS = {
    # Microsoft's validator for SARIF, a program of its own.
    "sarif-multitool": (
        "https://registry.npmjs.org/@microsoft/sarif-multitool-linux/-/sarif-multitool-linux-5.7.0.tgz",
        "NxUbpq6ISCWoTQ/NfOYEwEDKq1Heka/rMoJ5R5LMydcAZQX/X7g5mWHcgxDub+0M07LC96tZ5LZHvF1Qy3gjTA=="),
    # Finds what shuts people out of a page; a script for the browser.
    "axe-core": (
        "https://registry.npmjs.org/axe-core/-/axe-core-4.14.0.tgz",
        "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="),
    # Drives a browser; a library for node. The last that Debian 12's node 18 can run.
    "playwright-core": (
        "https://registry.npmjs.org/playwright-core/-/playwright-core-1.61.1.tgz",
        "h7Qlt6m4REp25qvIdvbDtVmD4LqVXfpRxhORv9L0jzETM05p4fuPJ3dKyuSXQxDSbXnmS79HAgi9589lGSpLkg=="),
}
TRIES = 4


def download(address):
    for attempt in range(TRIES):
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return answer.read()
        except OSError as error:
            if attempt + 1 == TRIES:
                sys.exit(f"{address}: {error}; the tests that need it will fail")
            time.sleep(3 << attempt)


def fetch(folder, name, address, digest):
    there = folder / name
    mark = there / ".complete"
    if mark.exists() and mark.read_text() == digest:
        return
    archive = download(address)
    if base64.b64encode(hashlib.sha512(archive).digest()).decode() != digest:
        sys.exit(f"{address}: is not what it was when this was written; nothing is unpacked")
    shutil.rmtree(there, ignore_errors=True)
    there.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            # Of the archive only plain files, without its own folder, and none outside of ours.
            path = pathlib.PurePosixPath(member.name)
            if member.isfile() and ".." not in path.parts and len(path.parts) > 1:
                target = there.joinpath(*path.parts[1:])
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(files.extractfile(member).read())
                if target.name == "Sarif.Multitool":
                    target.chmod(0o755)
    mark.write_text(digest)


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, (address, digest) in TOOLS.items():
        fetch(folder, name, address, digest)


main()
