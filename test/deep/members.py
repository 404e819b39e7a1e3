#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A name runs over into the next member of the same heap block (test/deep/programs/members.c).

The program is built by gcc and clang, optimised and not, with debug information; trained and checked with --deep. Held-out good
runs are silent; bad ones name the guilty function and the member that it should not have written, first in rank.

Exit codes: 0 all as expected; 1 something is not; 2 wrong use.
"""

import argparse
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "heap"))

import tool

SOURCE = ROOT / "test" / "deep" / "programs" / "members.c"
BUILDS = (("gcc", "-O2"), ("gcc", "-O0"), ("clang-19", "-O2"))
TRAINING, HELD, BAD = 12, 3, 2
MEMBER = "member 'balance'"


def script(draw, letters):
    """Lines of one run; letters: how long a new name is."""
    names = [f"n{i}" for i in range(draw.randint(3, 6))]
    lines = [f"open {name} {draw.randint(1, 90)}" for name in names]
    lines += [f"pay {draw.choice(names)} {draw.randint(1, 90)}" for _ in range(draw.randint(3, 9))]
    lines += [f"pay {names[0]} 100", f"rename {names[-1]} {'x' * letters}", "list", f"pay {names[0]} 1", "list"]
    return "\n".join(lines) + "\n"


def write_inputs(folder):
    """Folders train, held and bad."""
    draw = random.Random(8)
    for kind, count, letters in (("train", TRAINING, (3, 15)), ("held", HELD, (3, 15)), ("bad", BAD, (18, 22))):
        (folder / kind).mkdir(parents=True)
        for i in range(count):
            (folder / kind / f"{i}.txt").write_text(script(draw, draw.randint(*letters)))


def judge(culprit, words):
    """What is wrong, as lines."""
    guilty = re.search(r"// guilty: (\w+) ", SOURCE.read_text()).group(1)
    title = " ".join(words)
    folder = culprit.work / "_".join(words)
    folder.mkdir()
    program, model = folder / "members", folder / "model"
    subprocess.run([*words, "-g", SOURCE, "-o", program], check=True)
    inputs = culprit.work / "inputs"
    trained = culprit.ask("train", "--deep", "-m", model, "--inputs", inputs / "train", program=(program, "@@"))
    if trained.code != 0:
        return [f"{title}: training ends with {trained.code}\n{trained.output}"]
    held = culprit.ask("check", "--deep", "-m", model, "--inputs", inputs / "held", program=(program, "@@"))
    reported = [run for run in held.runs if run["findings"]]
    wrong = [f"{title}: {len(reported)} of {len(held.runs)} good runs are reported\n{held.output[-2000:]}"] if reported else []
    bad = culprit.ask("check", "--deep", "-m", model, "--inputs", inputs / "bad", program=(program, "@@"))
    firsts = [min(run["findings"], key=lambda finding: finding["rank"]) for run in bad.runs if run["findings"]]
    right = [finding for finding in firsts if finding["location"]["function"] == guilty and MEMBER in finding["message"]]
    print(f"{title}: {len(right)} of {len(bad.runs)} bad runs: {right[0]['message'] if right else 'not found'}")
    if len(right) != BAD:
        wrong.append(f"{title}: {len(right)} of {len(bad.runs)} bad runs name {guilty} and {MEMBER} first\n{bad.output[-3000:]}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--culprit", type=Path, required=True, help="the culprit to test")
    parser.add_argument("--work", type=Path, required=True, help="folder for what is built")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    write_inputs(arguments.work / "inputs")
    culprit = tool.Tool(arguments.culprit, arguments.work, jobs=2)
    wrong = [line for words in BUILDS for line in judge(culprit, words)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
