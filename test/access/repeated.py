#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads that are not checked again where the same place checked them before (pass/access_repeats.h)
must still be told once the block may be another's: repeated.c, checked with --reads."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


def judge(culprit, folder, *arguments):
    """The findings of one execution."""
    report = pathlib.Path(folder) / "report.json"
    command = [culprit, "check", "--json", report, "--reads", "--only", "access", "--", "./repeated", *arguments]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return [finding for run in json.loads(report.read_text())["runs"] for finding in run["findings"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--culprit", required=True)
    culprit = parser.parse_args().culprit
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([culprit, "cc", "-O2", "-g", HERE / "repeated.c", "-o", "repeated"], cwd=folder, check=True)
        for limit in range(5, 13):
            subprocess.run([culprit, "train", "--reads", "--only", "access", "--", "./repeated", str(limit)],
                           cwd=folder, check=True, capture_output=True)
        good = judge(culprit, folder, "20")
        bad = judge(culprit, folder, "20", "bad")
    print("good:", good, "\nbad:", [(each["kind"], each["read"]) for each in bad])
    return 0 if not good and [(each["kind"], each["read"]) for each in bad] == [("dangling", True)] else 1


if __name__ == "__main__":
    sys.exit(main())
