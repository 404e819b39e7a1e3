#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What counts as located, what another tool's report is worth, and that the examples are marked."""

import sys
import unittest

sys.dont_write_bytecode = True

import example
import locating
import other_tools
from example import Place

ANSWER = example.Answer(Place("a.c", 10), (Place("a.c", 12),), (Place("a.c", 3),))


def located(lines, executions=2, outcome="located", code=1):
    """A call that reported these lines of a.c."""
    document = {"outcome": outcome, "executions": executions,
                "first_corruption": [{"file": "/src/a.c", "line": line} for line in lines]}
    return locating.Located(("culprit",), code, document, "", 0.1)


def problems(*given, most=2):
    """What is wrong with it."""
    return locating.judged(located(*given), ANSWER, most, "bad")[1]


class Judged(unittest.TestCase):
    def test_the_marked_line_first_is_right(self):
        self.assertEqual(problems([10, 99]), [])

    def test_the_other_marked_line_is_as_right(self):
        self.assertEqual(problems([12]), [])

    def test_the_right_line_second_is_a_miss_that_says_its_rank(self):
        self.assertIn("2th", problems([99, 10])[0])

    def test_the_line_of_the_error_is_a_miss(self):
        self.assertEqual(len(problems([3])), 1)

    def test_one_execution_too_many_is_a_miss(self):
        self.assertIn("3 executions", problems([10], 3)[0])

    def test_executions_of_silent_ones_are_not_judged(self):
        self.assertEqual(problems([10], 30, most=None), [])

    def test_unresolved_is_a_miss(self):
        self.assertEqual(len(problems([], 1, "unresolved", 2)), 1)

    def test_no_document_is_a_miss(self):
        nothing = locating.Located(("culprit",), 2, {}, "error", 0.1)
        self.assertEqual(len(locating.judged(nothing, ANSWER, 2, "bad")[1]), 1)

    def test_all_errors_are_each_marked_line_and_no_other(self):
        def wrong(*lines):
            findings = [{"first_corruption": [{"file": "/src/a.c", "line": line}]} for line in lines]
            return locating.judged_all(locating.Located(("culprit",), 1, {"findings": findings}, "", 0.1), ANSWER, "bad")
        self.assertEqual(wrong(12, 10), [])
        self.assertTrue(wrong(10))
        self.assertTrue(wrong(10, 12, 3))

    def test_a_good_run_is_one_without_corruption_and_exit_code_0(self):
        self.assertEqual(locating.judged_good(located([], 1, "no-corruption", 0), "good"), [])
        self.assertEqual(len(locating.judged_good(located([10]), "good")), 1)


class Verdict(unittest.TestCase):
    MEMCHECK = ("==7== Invalid write of size 8\n==7==    at 0x1: strcpy (in memcheck.so)\n"
                "==7==    by 0x2: f (a.c:{})\n==7==  Address 0x4 is 8 bytes inside a block free'd\n"
                "==7==    by 0x3: g (a.c:{})\n==7== \n==7== Invalid read\n==7==   at 0x4: h (a.c:10)\n")

    def said(self, *lines):
        return other_tools.verdict(self.MEMCHECK.format(*lines), 9, ANSWER, {"a.c"})

    def test_the_first_frame_of_ours_decides(self):
        self.assertEqual(self.said(10, 50), "the line: Invalid write of size 8")

    def test_a_right_line_further_down_is_named(self):
        self.assertEqual(self.said(50, 12), "named: Invalid write of size 8")

    def test_a_second_report_does_not_count(self):
        self.assertEqual(self.said(50, 51), "elsewhere: Invalid write of size 8")

    def test_a_signal_alone_is_a_crash(self):
        self.assertEqual(other_tools.verdict("out\n", -11, ANSWER, {"a.c"}), "crash, SIGSEGV")

    def test_a_run_that_was_given_up_has_its_report_or_none(self):
        self.assertEqual(other_tools.verdict("out\n", example.ENDLESS, ANSWER, {"a.c"}), "does not end")
        report = self.MEMCHECK.format(50, 12)
        self.assertEqual(other_tools.verdict(report, example.ENDLESS, ANSWER, {"a.c"}),
                         "named: Invalid write of size 8")


class Examples(unittest.TestCase):
    def test_each_has_one_answer_inputs_and_a_known_ending(self):
        for name, entry in example.manifest().items():
            with self.subTest(name):
                example.answer(entry)
                self.assertTrue(entry["bad"] and entry["good"])
                self.assertRegex(entry["crash"], r"^(SIG[A-Z]+|exit \d+|silent|endless)$")

    def test_there_are_as_many_as_the_table_promises(self):
        entries = list(example.manifest().values())
        self.assertGreaterEqual(len(entries), 34)
        self.assertGreaterEqual(sum(entry["language"] == "C++" for entry in entries), 10)
        self.assertGreaterEqual(sum(map(example.is_silent, entries)), 6)
        self.assertGreaterEqual(sum(bool(entry.get("long")) for entry in entries), 7)
        self.assertEqual(sum(bool(entry.get("quick")) for entry in entries), 7)


if __name__ == "__main__":
    unittest.main()
