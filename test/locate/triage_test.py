#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The inputs for triage are always the same, and its groups are judged by the errors that are in them."""

import importlib.util
import sys
import unittest
from collections import Counter, defaultdict
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

sys.dont_write_bytecode = True
FOLDER = Path(__file__).resolve().parent / "triage"
sys.path.insert(0, str(FOLDER))

import frames
import generate

SPECIFICATION = importlib.util.spec_from_file_location("triage_run", FOLDER / "run.py")
run = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(run)

TRUTH = {name: bug for name, _, bug in generate.inputs()}


def document(change=lambda groups: None):
    """What triage would say if all were right, and then a change."""
    groups = defaultdict(list)
    for name, bug in TRUTH.items():
        groups[bug].append("crashes/" + name)
    made = [{"first_corruption": {"file": "depot.c", "line": run.answers()[bug]}, "inputs": names, "crashes": []}
            for bug, names in groups.items()]
    change(made)
    return {"groups": made, "unresolved": []}


def problems(change=lambda groups: None):
    """What run.py finds wrong with it."""
    with redirect_stdout(StringIO()):
        return list(run.problems(document(change), TRUTH))


class Inputs(unittest.TestCase):
    def test_there_are_300_and_the_names_tell_nothing(self):
        self.assertEqual(len(TRUTH), 300)
        self.assertFalse([name for name in TRUTH if any(bug in name for bug in generate.BUGS)])

    def test_they_are_the_same_each_time(self):
        self.assertEqual(list(generate.inputs()), list(generate.inputs()))

    def test_each_error_has_many(self):
        self.assertGreaterEqual(min(Counter(TRUTH.values()).values()), 30)


class Groups(unittest.TestCase):
    def test_six_right_ones_are_right(self):
        self.assertEqual(problems(), [])

    def test_an_input_in_the_wrong_group_is_a_miss(self):
        self.assertIn("errors in it", problems(lambda groups: groups[0]["inputs"].append(
            groups[1]["inputs"].pop()))[0])

    def test_a_wrong_line_is_a_miss(self):
        self.assertIn("located in line 1", problems(lambda groups: groups[2]["first_corruption"].update(line=1))[0])

    def test_an_error_in_two_groups_is_a_miss(self):
        def split(groups):
            groups.append(groups[0] | {"inputs": [groups[0]["inputs"].pop()]})
        self.assertTrue(any("makes 2 groups" in problem for problem in problems(split)))

    def test_a_lost_input_is_a_miss(self):
        self.assertTrue(problems(lambda groups: groups[3]["inputs"].pop()))


class Page(unittest.TestCase):
    def test_has_a_row_for_each_group_of_both(self):
        made = document()
        for group in made["groups"]:
            group |= {"id": "0", "errors": [{"error": "wild-access"}]}
            group["first_corruption"] = [group["first_corruption"] | {"function": "f"}]
        names = list(TRUTH)
        text = run.page(made, {(("f", 1),): names[:100], (): names[100:]}, TRUTH)
        self.assertEqual(text.count("depot.c:"), 6)
        self.assertIn("2 groups", text)
        self.assertIn("| f:1 | 100 |", text)


class Frames(unittest.TestCase):
    def test_frames_of_the_c_library_do_not_count(self):
        text = ("== id:1\n#0  __pthread_kill_implementation (...) at ./nptl/pthread_kill.c:44\n"
                "#1  0x0000555 in set_label (...) at /src/depot.c:115\n#2  0x00 in main (...) at depot.c:3\n")
        self.assertEqual(frames.frames_of(text), {"id:1": [("set_label", 115), ("main", 3)]})


if __name__ == "__main__":
    unittest.main()
