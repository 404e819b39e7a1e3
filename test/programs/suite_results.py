# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the outcome of each test from the text that a test suite prints.

Every parser is a pure function from text to {test name: outcome}; outcomes are `pass`, `fail` and
`skip` (expected failures count as `pass`: the suite is content with them). A test that appears
twice keeps its worst outcome, so a repetition can never hide a failure.

The exit code of a suite is a test too (`exit`): a suite that died half-way shows no failed test.
"""

import re
from collections import Counter

_RANK = {"pass": 0, "skip": 1, "fail": 2}

_AUTOMAKE = {
    "PASS": "pass", "XFAIL": "pass", "SKIP": "skip",
    "FAIL": "fail", "XPASS": "fail", "ERROR": "fail",
}


def _collect(pairs):
    results = {}
    for name, outcome in pairs:
        if name not in results or _RANK[outcome] > _RANK[results[name]]:
            results[name] = outcome
    return results


def automake(text):
    """`PASS: name`, the protocol of automake's test driver."""
    found = re.findall(r"^(PASS|XFAIL|SKIP|FAIL|XPASS|ERROR): (\S+)", text, re.M)
    return _collect((name, _AUTOMAKE[word]) for word, name in found)


def autotest(text):
    """` 12: title   ok`, the protocol of GNU Autotest; titles repeat, numbers do not."""
    line = re.compile(
        r"^\s*(\d+): (.*?)\s+(ok|FAILED|skipped|expected failure|UNEXPECTED PASS)(?: \(.*)?$",
        re.M,
    )
    outcomes = {"ok": "pass", "expected failure": "pass", "skipped": "skip"}
    return _collect((f"{n}: {title}", outcomes.get(word, "fail"))
                    for n, title, word in line.findall(text))


def gawk(text):
    """gawk prints each test's name when it starts, and the failed ones' differences at the end."""
    results, running = {}, False
    for line in text.splitlines():
        if re.match(r"=+ Starting .* tests =+$", line):
            running = True
        elif re.match(r"=+ Done with .* tests =+$", line):
            running = False
        elif match := re.match(r"=+ _(\S+) =+$", line):
            results[match[1]] = "fail"
        elif running and re.fullmatch(r"[A-Za-z][\w-]*", line):
            results.setdefault(line, "pass")
    return results


def make_perl(text):
    """`features/load ..... ok     (5 passed)`, the protocol of GNU make's Perl driver.

    The count is part of the name: a category that ran fewer checks than before did not pass.
    """
    line = re.compile(r"^(\w+/\S+) \.{2,} (ok|FAILED|N/A)\s*(?:\(([^)]*)\))?", re.M)
    results = []
    for name, word, count in line.findall(text):
        if word == "N/A":
            results.append((name, "skip"))
        elif word == "ok":
            results.append((f"{name} ({count})", "pass"))
        else:
            results.append((name, "fail"))
    return _collect(results)


def sqlite(text):
    """`name... Ok`; a failure adds `! name expected: [...]`, an abort leaves the name open."""
    results = [(n, "pass") for n in re.findall(r"^(\S+)\.\.\. ?Ok$", text, re.M)]
    results += [(n, "skip") for n in re.findall(r"^(\S+)\.\.\. ?Omitted", text, re.M)]
    results += [(n, "fail") for n in re.findall(r"^! (\S+) expected:", text, re.M)]
    results += [(n, "fail") for n in re.findall(r"^(\S+)\.\.\.\s*$", text, re.M)]
    return _collect(results)


def ninja(text):
    """`[7/385] Suite.Name` when a test starts; `*** Failure in` belongs to the last one started."""
    results, current = [], None
    for line in text.splitlines():
        if match := re.match(r"\[\d+/\d+\] (\S+)", line):
            current = match[1]
            results.append((current, "pass"))
        elif line.startswith("*** Failure in") and current:
            results.append((current, "fail"))
    return _collect(results)


def unittest(text):
    """`test_name (module.Case...) ... ok`, Python's verbose runner."""
    line = re.compile(r"^(\w+) \([\w.]+\)(?:.*?) \.\.\. (ok|FAIL|ERROR|skipped|expected failure)",
                      re.M | re.S)
    outcomes = {"ok": "pass", "expected failure": "pass", "skipped": "skip"}
    return _collect((name, outcomes.get(word, "fail")) for name, word in line.findall(text))


def exit_code(_text):
    """For suites that report nothing but their exit code."""
    return {}


PARSERS = {
    "automake": automake,
    "autotest": autotest,
    "exit": exit_code,
    "gawk": gawk,
    "make": make_perl,
    "ninja": ninja,
    "sqlite": sqlite,
    "unittest": unittest,
}


def read(parser, text, code, suite):
    """All outcomes of one suite, each test's name preceded by the suite's."""
    results = {f"{suite}/{name}": out for name, out in PARSERS[parser](text).items()}
    results[f"{suite}/exit"] = "pass" if code == 0 else "fail"
    return results


def counts(results):
    """{'pass': n, 'fail': n, 'skip': n}; a pair passes by giving a result to compare."""
    bad = {"fail": "fail", "timed out": "fail", "skip": "skip"}
    found = Counter(bad.get(outcome, "pass") for outcome in results.values())
    return {word: found.get(word, 0) for word in ("pass", "fail", "skip")}


def differences(expected, actual, ignored=()):
    """The tests whose outcome differs: [(name, outcome expected, outcome seen)]."""
    names = sorted(set(expected) | set(actual))
    return [
        (name, expected.get(name, "absent"), actual.get(name, "absent"))
        for name in names
        if expected.get(name) != actual.get(name) and name not in ignored
    ]
