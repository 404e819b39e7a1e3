# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py CULPRIT ROOT [--write]: what the commands write of the examples, to the byte.

Every command that reports is executed once, and what it prints and its files (JSON, SARIF, JUnit) are compared with those in
test/golden. Nothing is filtered: it is done in a folder of one name on every machine, with a cache of its own, and
a report of the same program and input is the same; the time that explain took is the one thing that is measured, and is taken out of
its report by its value. The answers are in the source of the examples, and are looked for, too. With --write they are made anew; the difference is to be reviewed.
"""
import difflib
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys

WORK = pathlib.Path("/tmp/culprit-golden")  # reports name files in full

FORMS = {"--json": ".json", "--sarif": ".sarif", "--junit": ".xml"}


def expect(truth, message):
    if not truth:
        sys.exit(message)


class Workshop:
    def __init__(self, culprit, folder):
        self.culprit, self.folder = culprit, folder
        self.written = {}  # by name: what a command wrote

    def run(self, *arguments, code=0):
        environment = {**os.environ, "XDG_CACHE_HOME": str(WORK / "cache")}
        environment.pop("TMPDIR", None)
        done = subprocess.run([self.culprit, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment, timeout=300)
        expect(done.returncode == code, f"culprit {' '.join(arguments)}: exit code {done.returncode}: {done.stderr.decode()}")
        return done.stdout

    def report(self, name, command, *arguments, code=0, forms=("--json", "--sarif", "--junit")):
        files = [word for form in forms for word in (form, "report" + FORMS[form])]
        self.written[name + ".txt"] = self.run(command, *files, *arguments, code=code)
        for form in forms:
            self.written[name + FORMS[form]] = (self.folder / ("report" + FORMS[form])).read_bytes()


    def leave_out_time(self, name):
        seconds = json.loads(self.written[name + ".json"])["seconds"]
        for extension, old, new in ((".json", f'"seconds": {seconds}', '"seconds": 0'), (".txt", f", {seconds:.1f} s\n", ", 0 s\n")):
            data = self.written[name + extension].decode()
            expect(data.count(old) == 1, f"{name}{extension}: where is {old!r}?")
            self.written[name + extension] = data.replace(old, new).encode()


def check_answers(written, source):
    """Each analysis names the line that says it is guilty."""
    lines = source.read_text().splitlines()
    check, locate, explain = (json.loads(written[name + ".json"]) for name in ("check", "locate", "explain"))
    for name, mark, places in (("check", "culprit: heap", [check["runs"][0]["findings"][0]["location"]]),
                               ("locate", "culprit: first corruption", locate["first_corruption"]),
                               ("explain", "culprit: cause", [each["location"] for each in explain["transitions"]])):
        named = [lines[place["line"] - 1] for place in places]
        expect(any(mark in line for line in named), f"{name} names {named}, not the line marked {mark!r}")


def build(shop, source, program):
    shop.run("cc", "-g", "-O2", source, "-o", program)


def reports(culprit, root, work):
    shutil.rmtree(work / "cache", ignore_errors=True)
    for name, example in (("demo", "demo"), ("triage", "triage"), ("access", "access/copy_paste")):
        shutil.rmtree(work / name, ignore_errors=True)
        shutil.copytree(root / "examples" / example, work / name)
    shop = Workshop(culprit, work / "demo")
    build(shop, "kitchen.c", "kitchen")
    shop.report("info", "info", "kitchen", forms=("--json",))
    shop.report("train", "train", "-q", "-m", "kitchen.model", "--cases", "good.cases", "--", "./kitchen", forms=("--json",))
    shop.report("show_model", "show", "kitchen.model", forms=("--json",))
    bad = ("-q", "-m", "kitchen.model", "--save", "bad.run", "--", "./kitchen", "evening", "33", "1200", "45")
    shop.report("check", "check", *bad, code=1)
    shop.report("check_nothing", "check", "-q", "-m", "kitchen.model", "--", "./kitchen", "evening", "77", "900", "0")
    shop.report("check_run", "check", "-q", "-m", "kitchen.model", "--run", "bad.run", "--", "./kitchen", code=1)
    shop.report("show_run", "show", "bad.run", forms=("--json",))
    shop.report("locate", "locate", "-q", "--", "./kitchen", *"order 3 cake order 7 soup cancel 7 pay 3 pay 7".split(), code=1)
    shop.report("locate_nothing", "locate", "-q", "--", "./kitchen", *"order 3 cake pay 3".split())
    cases = ("order 9 soup split 9 2", "order 9 soup split 9 4")
    shop.report("explain", "explain", "-q", "--pass", cases[0], "--fail", cases[1], "--", "./kitchen")
    lines = (shop.folder / "kitchen.c").read_text().splitlines()
    at = next(number for number, line in enumerate(lines, 1) if "culprit: cause" in line)
    shop.report("diff", "diff", "-q", "--at", f"kitchen.c:{at}", *cases, "--", "./kitchen", code=1, forms=("--json",))
    other = Workshop(culprit, work / "triage")
    build(other, "rooms.c", "rooms")
    other.report("triage", "triage", "-q", "--inputs", "crashes", "--", "./rooms", "@@", code=1)
    table = Workshop(culprit, work / "access")
    subprocess.run([sys.executable, "-B", root / "examples/access/generate.py", "copy_paste", "inputs"], cwd=table.folder, check=True)
    build(table, "regions.c", "regions")
    table.run("train", "-q", "--only", "access", "--inputs", "inputs/train", "--", "./regions", "@@")
    table.report("check_access", "check", "-q", "--only", "access", "--", "./regions", "inputs/bad/00.txt", code=1)
    shop.leave_out_time("explain")
    written = {**shop.written, **other.written, **table.written}
    check_answers(written, shop.folder / "kitchen.c")
    access = json.loads(written["check_access.json"])["runs"][0]["findings"][0]["location"]
    expect(f"guilty: {access['function']} " in (table.folder / "regions.c").read_text(), f"check_access names {access}")
    return written


def main():
    culprit, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    WORK.mkdir(exist_ok=True)
    lock = os.open(WORK / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)  # another build tree may be tested, too
    golden = root / "test/golden"
    written = reports(culprit, root, WORK)
    if "--write" in sys.argv:
        for path in golden.iterdir():
            if path.suffix in (".txt", ".json", ".sarif", ".xml") and path.name != "CMakeLists.txt":
                path.unlink()
        for name, data in written.items():
            (golden / name).write_bytes(data)
        return
    wrong = []
    for name, data in written.items():
        known = (golden / name).read_bytes() if (golden / name).exists() else b""
        if data != known:
            lines = difflib.unified_diff(known.decode().splitlines(), data.decode().splitlines(), name, "now", lineterm="", n=1)
            wrong.append("\n".join(list(lines)[:40]))
    known = {path.name for path in golden.iterdir() if path.suffix in (".txt", ".json", ".sarif", ".xml")} - {"CMakeLists.txt"}
    expect(not known - set(written), f"nobody writes {known - set(written)}")
    expect(not wrong, "\n".join(wrong) + "\nif that is meant: the target `golden` writes them anew")


main()
