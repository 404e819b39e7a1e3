#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""live_blocks.py [--culprit PATH] [--blocks N] [--out TABLE]: peak memory of N blocks that live at once (live_blocks.c), plain,
in the base flavour, in the index flavours and with the index tree. Exit code: 0 all take less than 4 GiB, 1 one does not, 2 could not run."""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ASKED_KIB = 4 << 20
FLAVOURS = ("base", "index", "index-whole")
TREE = ("index, with the index tree", "index", "tree=1")


def peak_of(command, runtime):
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, env={**os.environ, "LC_ALL": "C", "CULPRIT_RUNTIME": runtime})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        if process.returncode != 0:
            raise RuntimeError(f"{command[0]}: exit code {process.returncode}")
        return out.read(), usage.ru_maxrss, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--culprit", default=str(HERE.parent / "build/release/bin/culprit"))
    parser.add_argument("--blocks", default="10000000")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        plain, made = Path(scratch) / "plain", Path(scratch) / "made"
        source = str(HERE / "live_blocks.c")
        subprocess.run(["clang-19", "-O2", source, "-o", plain], check=True)
        subprocess.run([options.culprit, "cc", "-O2", source, "-o", made], check=True)
        executables = [("plain", str(plain), "")] + [
            (name, subprocess.run([options.culprit, "flavour", flavour, str(made)], check=True, text=True,
                                  stdout=subprocess.PIPE).stdout.strip(), runtime)
            for name, flavour, runtime in [*((name, name, "") for name in FLAVOURS), TREE]]
        lines, fits, expected = [], True, None
        for name, executable, runtime in executables:
            output, peak, seconds = peak_of([executable, options.blocks], runtime)
            expected = expected or output
            if output != expected:
                raise RuntimeError(f"{name}: another output")
            fits = fits and peak <= ASKED_KIB
            lines.append(f"| {name} | {peak / 1024:,.0f} | {peak * 1024 / int(options.blocks):.1f} | {seconds:.2f} |")
    table = ["# Blocks that live at once", "",
             f"Peak memory of {int(options.blocks):,} blocks of 16 bytes, each with an index of its own (`bench/live_blocks.py`). "
             "Asked: less than 4 GiB.", "",
             "| configuration | peak memory, MiB | bytes a block | seconds |", "|---|---:|---:|---:|", *lines]
    print("\n".join(table))
    if options.out:
        options.out.write_text("\n".join(table) + "\n")
    return 0 if fits else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RuntimeError, subprocess.CalledProcessError, OSError) as error:
        print(f"live_blocks: {error}", file=sys.stderr)
        sys.exit(2)
