# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""roundtrip.py [options] COMMAND...: the claims every program built with culprit must meet.

The shell COMMANDs build `prog` (and what it needs) in the current folder with $CC, $CXX and $AR. They are run
twice in the same place, with plain clang and with culprit; then
  - the loaded sections of both executables are equal;
  - after the build tree is gone, the identity and base flavours can be made from the executable alone;
  - identity's loaded sections are equal too;
  - all four print the same and end the same way.
"""
import argparse
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from elf_sections import differing  # noqa: E402 (beside the folders of tests that share it)

PLAIN = {"CC": "clang-19", "CXX": "clang++-19", "AR": "llvm-ar-19"}
CULPRIT = {"CC": "culprit-cc", "CXX": "culprit-c++", "AR": "culprit-ar"}


def build(commands, compilers):
    """Builds in ./work and moves it away under the compiler's name, so both builds see the same paths."""
    shutil.copytree("source", "work")
    for command in commands:
        subprocess.run(command, shell=True, check=True, cwd="work", env={**os.environ, **compilers})
    shutil.move("work", compilers["CC"])
    return compilers["CC"]


def run(executable, options, place):
    """Runs from `place`, so that RUNPATHs and dlopen'ed files relative to it are found."""
    stdin = options.stdin.encode() if options.stdin is not None else b""
    done = subprocess.run([os.path.abspath(executable), *options.run], cwd=place, input=stdin,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return done.returncode, done.stdout, done.stderr


def compare(left, right):
    return differing(open(left, "rb").read(), open(right, "rb").read())


def expect(condition, message):
    if not condition:
        sys.exit(f"roundtrip: {message}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("commands", nargs="+", metavar="COMMAND")
    parser.add_argument("--run", action="append", default=[], help="an argument of the program")
    parser.add_argument("--stdin")
    parser.add_argument("--keep", action="append", default=[],
                        help="a built file that stays beside the executable (a shared object)")
    parser.add_argument("--identity-differs", action="store_true",
                        help="identity need not be equal section by section, with the reason in the test")
    parser.add_argument("--flavours", default="identity,base")
    options = parser.parse_args()

    names = os.listdir(".")
    os.mkdir("source")
    for name in names:
        shutil.move(name, "source")
    plain, ours = build(options.commands, PLAIN), build(options.commands, CULPRIT)
    different = compare(f"{plain}/prog", f"{ours}/prog")
    expect(not different, f"clang's and culprit's executables differ in {different}")

    os.mkdir("installed")
    for name in ["prog", *options.keep]:
        shutil.move(f"{ours}/{name}", "installed")
    shutil.rmtree(ours)

    wanted = run(f"{plain}/prog", options, plain)
    got = run("installed/prog", options, "installed")
    expect(got == wanted, f"clang's executable gave {wanted}, culprit's {got}")
    for flavour in options.flavours.split(","):
        made = subprocess.run(["culprit", "flavour", flavour, "installed/prog"], text=True,
                              stdout=subprocess.PIPE)
        expect(made.returncode == 0, f"no {flavour} flavour")
        # Beside the shared objects, as the launcher would put it by a mount: $ORIGIN is the program's folder.
        path = shutil.copy(made.stdout.strip(), f"installed/prog.{flavour}")
        got = run(path, options, "installed")
        expect(got == wanted, f"clang's executable gave {wanted}, the {flavour} flavour {got}")
        if flavour == "identity" and not options.identity_differs:
            different = compare(f"{plain}/prog", path)
            expect(not different, f"the identity flavour differs in {different}")


main()
