# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py CULPRIT VALIDATOR DOCUMENTS OUT: SARIF logs of saved reports, before Microsoft's validator.

VALIDATOR is the program of the npm package @microsoft/sarif-multitool-linux (test/tools/fetch.py). It is asked for its rules
on SARIF and for those of GitHub code scanning. Of a log that it cannot read it says nothing at all (5.7.0), so it must have
said of each log what is true of all of ours, and each is also held against SARIF's JSON Schema, which the package has. Logs
that break the rules or the schema must be refused, else neither would prove anything. The limits that GitHub documents are
measured on a report of more findings than it takes.
"""
import gzip
import json
import pathlib
import subprocess
import sys

import jsonschema

# The one warning that is answered, and said of every log: culprit has no address of its own yet.
ANSWERED = "SARIF2005"
FINDINGS = ("check", "locate", "triage", "explain")
# https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
RESULTS, FLOW, PLACES, TAGS, BYTES = 25_000, 10_000, 1_000, 20, 10 << 20


def expect(truth, message):
    if not truth:
        sys.exit(message)


def validate(validator, logs, out):
    """The errors and warnings, as (log, rule, sentence)."""
    out.unlink(missing_ok=True)
    done = subprocess.run([validator, "validate", *logs, "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning",
                           "--output", out],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200)
    expect(out.exists(), f"the validator says nothing: {done.stdout[:500]}")
    expect(f"{len(logs)} files scanned" in done.stdout, f"the validator left something out: {done.stdout[-500:]}")
    said = json.loads(out.read_text(encoding="utf-8-sig"))["runs"][0]
    for invocation in said.get("invocations", []):
        expect(invocation.get("executionSuccessful", True), f"the validator failed: {invocation}")
    place = lambda result: result["locations"][0]["physicalLocation"]["artifactLocation"].get("uri", "?")
    return [(place(result), result["ruleId"], str(result["message"])) for result in said.get("results", [])]


def write_log(culprit, document, out):
    done = subprocess.run([culprit, "show", document, "--sarif", out], stderr=subprocess.PIPE, text=True)
    expect(done.returncode == 0 and not done.stderr, f"{document}: exit code {done.returncode}: {done.stderr}")
    return json.loads(out.read_text())


def many_findings(document, count):
    """As many different findings in one run, the first with a very long chain of places."""
    finding = document["runs"][0]["findings"][0]
    made = []
    for i in range(count):
        one = json.loads(json.dumps(finding))
        one["object"]["name"] = f"object{i}"
        one["confidence"] = 1 - i / count
        if i == 0:
            one["writers"] = one["writers"] * 1000
        made.append(one)
    document["runs"][0]["findings"] = made
    return document


def long_chain(document, count):
    document["transitions"] = document["transitions"][:1] * count
    return document


def check_limits(log):
    text = json.dumps(log).encode()
    expect(len(gzip.compress(text)) < BYTES, "more bytes than GitHub takes")
    expect(len(log["runs"]) <= 20, "more runs than GitHub takes")
    for run in log["runs"]:
        expect(len(run["results"]) <= RESULTS, "more results than GitHub takes")
        for rule in run["tool"]["driver"]["rules"]:
            expect(len(rule["properties"]["tags"]) <= TAGS, "more tags than GitHub takes")
        for result in run["results"]:
            places = len(result["locations"]) + len(result.get("relatedLocations", []))
            expect(0 < len(result["locations"]) and places <= PLACES, "more locations than GitHub takes, or none")
            for flow in result.get("codeFlows", []):
                steps = sum(len(thread["locations"]) for thread in flow["threadFlows"])
                expect(steps <= FLOW, "more steps than GitHub takes")


def main():
    culprit, validator, documents, out = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    expect(validator.exists(), f"{validator} is not there: `./setup test` fetches it")
    out.mkdir(parents=True, exist_ok=True)
    logs = []
    for path in sorted(documents.glob("*.json")):
        document = json.loads(path.read_text())
        if document["command"] in FINDINGS:
            logs.append(out / (path.stem + ".sarif"))
            check_limits(write_log(culprit, path, logs[-1]))
    expect(len(logs) > 8, "there are hardly any reports with findings: the documents' form has changed")

    big = out / "big.json"
    big.write_text(json.dumps(many_findings(json.loads((documents / "check_access.json").read_text()), 30_000)))
    log = write_log(culprit, big, out / "big.sarif")  # too big for the validator's patience
    check_limits(log)
    expect(log["runs"][0]["results"][0]["rank"] == 100, "the most confident is not first")
    said = log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    expect("left out" in said and "30,000" in said, f"what is left out is not said: {said}")
    long = out / "long.json"
    long.write_text(json.dumps(long_chain(json.loads((documents / "explain_crash.json").read_text()), 30_000)))
    logs.append(out / "long.sarif")
    log = write_log(culprit, long, logs[-1])
    check_limits(log)
    flow = log["runs"][0]["results"][0]["codeFlows"][0]
    expect("left out" in flow["message"]["text"], "a shortened chain does not say so")
    expect("the run fails" in flow["threadFlows"][0]["locations"][-1]["location"]["message"]["text"],
           "a shortened chain has lost its end")

    schema = json.loads((validator.parent / "sarif-2.1.0.json").read_text(encoding="utf-8-sig"))
    by_schema = jsonschema.validators.validator_for(schema)(schema)
    for log in logs:
        error = jsonschema.exceptions.best_match(by_schema.iter_errors(json.loads(log.read_text())))
        expect(error is None, f"{log}: {error}")
    said = validate(validator, logs, out / "validated.json")
    wrong = [each for each in said if each[1] != ANSWERED]
    expect(not wrong, f"{wrong[:5]}")
    read = {pathlib.PurePath(each[0]).name for each in said}
    expect(read == {log.name for log in logs}, f"the validator has not read {({log.name for log in logs} - read)}")

    broken = json.loads(logs[0].read_text())
    broken["runs"][0]["results"][0]["locations"] = []
    (out / "broken.sarif").write_text(json.dumps(broken))
    rules = {each[1] for each in validate(validator, [out / "broken.sarif"], out / "broken.json")}
    expect(rules - {ANSWERED}, "a log that breaks the rules passes: the validator proves nothing")
    broken["runs"][0]["results"][0]["level"] = "loud"
    expect(not by_schema.is_valid(broken), "a log that breaks the schema passes: it proves nothing")


main()
