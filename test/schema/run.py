# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py CULPRIT ROOT WORK: what every command writes with --json, and every golden report, before docs/report.schema.json.

Two ways: as users read it (unknown keys are ignored), and strictly, where a key that the schema does not have is an error,
so that no key is written without being described. Reports that break the schema must be refused, else it would say nothing.
"""
import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys

import jsonschema


def expect(truth, message):
    if not truth:
        sys.exit(message)


def strict(schema):
    """The same, without room for unknown keys."""
    made = copy.deepcopy(schema)
    commands = set(made["properties"]["command"]["enum"])
    def close(part):
        if isinstance(part, dict):
            if isinstance(part.get("properties"), dict) and "type" in part and "additionalProperties" not in part:
                part["unevaluatedProperties"] = False
            for key, inner in part.items():
                close(inner)
        elif isinstance(part, list):
            for inner in part:
                close(inner)
    for name, part in made["$defs"].items():
        if name in commands:  # these are one object with the head of every report, which is closed below
            for inner in part["properties"].values():
                close(inner)
        else:
            close(part)
    # Keys that differ from detector to detector are described in words.
    made["unevaluatedProperties"] = False
    return made


class Judge:
    def __init__(self, schema):
        jsonschema.Draft202012Validator.check_schema(schema)
        self.loose, self.strict = jsonschema.Draft202012Validator(schema), jsonschema.Draft202012Validator(strict(schema))
        self.commands = set()

    def accept(self, document, name):
        self.commands.add(document["command"])
        for validator in (self.loose, self.strict):
            error = jsonschema.exceptions.best_match(validator.iter_errors(document))
            expect(error is None, f"{name}: {error.json_path if error else ''}: {error.message[:300] if error else ''}")

    def refuse(self, document, name):
        expect(not self.loose.is_valid(document), f"{name}: a broken report is accepted")


class Workshop:
    """Runs culprit in a copy of an example, and reads what it writes."""

    def __init__(self, culprit, folder, judge):
        self.culprit, self.folder, self.judge = culprit, folder, judge

    def run(self, *arguments, codes=(0,), stdin=""):
        done = subprocess.run([self.culprit, *arguments], cwd=self.folder, input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=300)
        expect(done.returncode in codes, f"culprit {' '.join(arguments)}: exit code {done.returncode}: {done.stderr}")

    def report(self, command, *arguments, codes=(0,), stdin=""):
        self.run(command, "--json", "report.json", *arguments, codes=codes, stdin=stdin)
        document = json.loads((self.folder / "report.json").read_text())
        self.judge.accept(document, f"culprit {command} {' '.join(arguments)}")
        return document


def reports(culprit, root, work, judge):
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(root / "examples", work, ignore=shutil.ignore_patterns("generated"))
    shop = Workshop(culprit, work / "heap/missing_prev", judge)
    subprocess.run(["/usr/bin/python3", "-B", "../generate.py", "missing_prev", "inputs"], cwd=shop.folder, check=True)
    shop.run("cc", "-O2", "assets.c", "-o", "assets")
    shop.report("info", "assets")
    shop.report("run", "--", "./assets", "inputs/bad/00.txt")
    shop.report("train", "--verify", "--inputs", "inputs/train", "--", "./assets", "@@")
    shop.report("show", "assets.model")
    found = shop.report("check", "--save", "bad.run", "--", "./assets", "inputs/bad/00.txt", codes=(1,))
    (shop.folder / "known.json").write_text(json.dumps(found))
    (shop.folder / "x.supp").write_text("heap-*:nowhere\n")
    shop.report("check", "--baseline", "known.json", "--suppressions", "x.supp", "--", "./assets", "inputs/bad/00.txt")
    shop.report("check", "--run", "bad.run", "--", "./assets", codes=(1,))
    shop.report("watch", "-q", "--", "./assets", "inputs/bad/00.txt", codes=(1,))
    shop.report("show", "bad.run")
    shop.report("info", "bad.run")
    (shop.folder / "report.json").write_text("")
    shop.run("show", "--settings", "--json", "report.json")
    shop.judge.accept(json.loads((shop.folder / "report.json").read_text()), "culprit show --settings")
    shop.report("doctor")

    shop = Workshop(culprit, work / "access/copy_paste", judge)
    subprocess.run(["/usr/bin/python3", "-B", "../generate.py", "copy_paste", "inputs"], cwd=shop.folder, check=True)
    shop.run("cc", "-O2", "regions.c", "-o", "regions")
    shop.run("train", "-q", "--only", "access", "--inputs", "inputs/train", "--", "./regions", "@@")
    shop.report("check", "--only", "access", "--inputs", "inputs/bad", "--", "./regions", "@@", codes=(1,))

    shop = Workshop(culprit, work / "triage", judge)
    shop.run("cc", "-O2", "rooms.c", "-o", "rooms")
    shop.report("triage", "--inputs", "crashes", "--", "./rooms", "@@", codes=(1,))
    shop.report("locate", "--inputs", "crashes", "--", "./rooms", "@@", codes=(1,))
    one = sorted(name for name in os.listdir(shop.folder / "crashes") if name.startswith("id"))[0]
    shop.report("locate", "--", "./rooms", "crashes/" + one, codes=(1,))

    shop = Workshop(culprit, work / "explain/leap_year", judge)
    shop.run("cc", "-O2", "days.c", "-o", "days")
    shop.report("explain", "--pass", "1996-12-31", "--fail", "2000-12-31", "--", "./days", codes=(0, 1))
    shop.report("diff", "--mutate", "2", "1996-12-31", "2000-12-31", "--", "./days", codes=(1,))
    return found


def main():
    culprit, root, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    schema = json.loads((root / "docs/report.schema.json").read_text())
    judge = Judge(schema)
    for path in sorted((root / "test/report").glob("*.json")):
        judge.accept(json.loads(path.read_text()), path.name)
    found = reports(os.path.abspath(culprit), root, work, judge)
    missing = set(schema["properties"]["command"]["enum"]) - judge.commands
    expect(not missing, f"no report of {missing} was looked at")

    for key in ("tool", "version", "command", "program", "runs"):
        judge.refuse({name: value for name, value in found.items() if name != key}, f"without {key}")
    for change in ({"confidence": 1.5}, {"detector": "nose"}, {"message": None}, {"location": "a.c:1"}):
        broken = copy.deepcopy(found)
        broken["runs"][0]["findings"][0].update(change)
        judge.refuse(broken, str(change))
    extra = copy.deepcopy(found)
    extra["runs"][0]["findings"][0]["undescribed"] = 1
    expect(judge.loose.is_valid(extra) and not judge.strict.is_valid(extra), "an undescribed key is not noticed")


main()
