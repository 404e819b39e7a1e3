# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py CULPRIT WORK: a program, its source, its folder, its inputs and its arguments have names that are markup, escape
sequences, line ends, reversed writing and no UTF-8. Every command that reports is run on it, in every form: nothing of
it reaches a terminal, breaks a document or becomes an element.
"""
import html.parser
import json
import os
import pathlib
import shutil
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree

EVIL = b"<script>alert(1)</script>&\"'>\x1b[31m\x1b]0;owned\x07\n\r\xc2\x9b31m\xe2\x80\xae]]>"
BAD = b"\xff\xc0"  # no UTF-8
NAME = EVIL.replace(b"/", b"_") + BAD
PROGRAM = b"""#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; int value; };
static struct item *first;
static __attribute__((noinline)) void add(int value) {
  struct item *item = malloc(sizeof *item);
  item->next = first;
  item->value = value;
  first = item;
}
static __attribute__((noinline)) void forget(void) {
  if (first)
    free(first);
}
static struct item spare;
static __attribute__((noinline)) void wipe(struct item *item) {
  item->value = 1;
}
static __attribute__((noinline)) int sum(void) {
  int all = 0;
  for (struct item *item = first; item; item = item->next)
    all += item->value;
  return all;
}
int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  int c = 0;
  while (file && (c = fgetc(file)) != EOF)
    if (c == 'f')
      forget();
    else if (c == 'w')
      add(-1000);
    else if (c == 'z')
      wipe(first);
    else if (c == 'y')
      wipe(&spare);
    else
      add(c);
  int all = sum();
  printf("%d\\n", all);
  return all < 0 ? 3 : 0;
}
"""


def expect(truth, message):
    if not truth:
        sys.exit(message)


def harmless(data, what):
    """Bytes for a terminal."""
    text = data.decode("utf-8", "strict")
    for character in text:
        expect(character == "\n" or (ord(character) >= 0x20 and not 0x7f <= ord(character) < 0xa0 and character != "\u202e"),
               f"{what}: {character!r} in {text[:2000]!r}")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.scripts = 0

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        expect(tag not in ("img", "iframe"), f"a name is the element {tag}")
        expect(not any(name.startswith("on") for name, _ in attributes), "a name is a handler")


def strings(value):
    if isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


class Trial:
    def __init__(self, culprit, folder):
        self.culprit, self.folder = os.path.abspath(culprit).encode(), folder

    def run(self, *arguments):
        done = subprocess.run([self.culprit, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=200)
        what = b" ".join(arguments[:1]).decode()
        harmless(done.stdout, what + ", standard output")
        harmless(done.stderr, what + ", standard error")
        return done

    def report(self, command, *arguments, code=1, findings=True):
        """In all forms, beside the terminal's; those of findings, if it has any."""
        forms = [b"--json", b"r.json", b"--html", b"r.html"]
        if findings:
            forms += [b"--sarif", b"r.sarif", b"--junit", b"r.xml"]
        done = self.run(command, *forms, *arguments)
        expect(done.returncode == code, f"{command}: exit code {done.returncode}: {done.stderr}")
        document = json.loads((self.folder / "r.json").read_bytes().decode("utf-8", "strict"))
        page = Page()
        data = (self.folder / "r.html").read_bytes()
        page.feed(data.decode("utf-8", "strict"))
        expect(page.scripts == 1, f"{command}: {page.scripts} scripts in the page")
        harmless(data.replace(b"\t", b" "), f"{command}: HTML")
        self.run(b"show", b"r.json")
        self.run(b"show", b"-v", b"r.json")
        if findings:
            self.check_findings(command)
        return document

    def check_findings(self, command):
        log = json.loads((self.folder / "r.sarif").read_bytes().decode("utf-8", "strict"))
        for text in strings(log):
            harmless(text.encode(), f"{command}: SARIF")
        self.check_uris(log)
        cases = xml.etree.ElementTree.parse(self.folder / "r.xml").getroot()
        expect({each.tag for each in cases.iter()} <= {"testsuites", "testsuite", "testcase", "failure", "error", "system-out"},
               f"{command}: a name is an element of the XML")

    def check_uris(self, log):
        """They name the source still; its debug information has no bytes that are no UTF-8."""
        found = set()
        for result in log["runs"][0]["results"]:
            uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            found.add(urllib.parse.unquote_to_bytes(uri))
        expect(any(each.endswith((NAME + b".c").decode("utf-8", "replace").encode()) for each in found), f"no URI names the source: {found}")


def main():
    culprit, work = sys.argv[1], pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    folder = pathlib.Path(os.fsdecode(os.fsencode(work) + b"/d" + NAME))
    folder.mkdir(parents=True)
    (folder / os.fsdecode(NAME + b".c")).write_bytes(PROGRAM)
    inputs = folder / os.fsdecode(b"i" + NAME)
    inputs.mkdir()
    (inputs / os.fsdecode(b"bad" + NAME)).write_bytes(b"abcfdef")
    (folder / "good").write_bytes(b"abcd")
    trial = Trial(culprit, folder)
    program = b"./p" + NAME
    made = trial.run(b"cc", b"-g", b"-O1", b"./" + NAME + b".c", b"-o", program)
    expect(made.returncode == 0, f"cannot be built: {made.stderr}")

    bad = b"i" + NAME + b"/bad" + NAME
    located = trial.report(b"locate", b"--", program, bad)
    expect(located["outcome"] == "located", "nothing was located: the test proves nothing")
    trial.report(b"triage", b"--inputs", b"i" + NAME, b"--", program, b"@@")

    # What made the input fail, and where it parts from one that does not; both have such names.
    good = b"i" + NAME + b"/good" + NAME
    wrong = b"i" + NAME + b"/wrong" + NAME
    (folder / os.fsdecode(good)).write_bytes(b"abcd")
    (folder / os.fsdecode(wrong)).write_bytes(b"abwd")
    explained = trial.report(b"explain", b"--pass", good, b"--fail", wrong, b"--", program, b"@@", code=0)
    expect(explained["transitions"], "nothing was explained: the test proves nothing")
    compared = trial.report(b"diff", good, wrong, b"--", program, b"@@", findings=False)
    expect(compared["first_divergence"], "the runs do not part: the test proves nothing")

    # Who writes what never wrote it; trained on inputs with such names.
    inputs = folder / os.fsdecode(b"t" + NAME)
    inputs.mkdir()
    for number in range(12):
        (inputs / os.fsdecode(b"%d" % number + NAME)).write_bytes(b"abcdey" * (2000 + 300 * number))
    trained = trial.run(b"train", b"--json", b"t.json", b"--html", b"t.html", b"--inputs", b"t" + NAME, b"--", program, b"@@")
    expect(trained.returncode == 0, f"cannot be trained: {trained.stderr}")
    last = b"i" + NAME + b"/last" + NAME
    (folder / os.fsdecode(last)).write_bytes(b"abcdey" * 2000 + b"z")
    checked = trial.report(b"check", b"--timeout", b"20", b"--", program, last)
    expect(checked["runs"][0]["findings"], "nothing was found: the test proves nothing")


main()
