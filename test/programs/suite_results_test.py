# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Claims about suite_results.py."""

import unittest

import suite_results as results


class Parsers(unittest.TestCase):
    def test_automake_counts_expected_failures_as_passed_and_errors_as_failed(self):
        text = "PASS: a\nXFAIL: b\nSKIP: c\nERROR: d.sh (exit status: 1)\n# PASS: 1\n"
        self.assertEqual(
            results.automake(text), {"a": "pass", "b": "pass", "c": "skip", "d.sh": "fail"}
        )

    def test_autotest_tells_tests_of_the_same_title_apart(self):
        text = ("  1: extract      ok\n 12: extract      FAILED (e.at:3)\n"
                "230: tar --one      skipped (x.at:28)\n\n206 tests were successful.\n")
        self.assertEqual(
            results.autotest(text),
            {"1: extract": "pass", "12: extract": "fail", "230: tar --one": "skip"},
        )

    def test_gawk_takes_names_from_the_run_and_failures_from_the_differences(self):
        text = ("make[1]\nword\n======== Starting basic tests ========\nadd\nnl: x\nsub-2\n"
                "======== Done with basic tests ========\nafter\n"
                "============== _sub-2 =============\n--- sub-2.ok\n")
        self.assertEqual(results.gawk(text), {"add": "pass", "sub-2": "fail"})

    def test_make_notices_a_category_that_ran_fewer_checks(self):
        before = results.make_perl("features/load ......... ok     (5 passed)\n")
        after = results.make_perl("features/load ......... ok     (4 passed)\n")
        self.assertTrue(results.differences(before, after))

    def test_make_reads_failures_and_categories_that_do_not_apply(self):
        text = "targets/X .... FAILED (3/4 passed)\nvms/library .... N/A\n"
        self.assertEqual(results.make_perl(text), {"targets/X": "fail", "vms/library": "skip"})

    def test_sqlite_reads_failures_and_a_test_cut_short_by_a_crash(self):
        text = ("a-1.1... Ok\na-1.2...\n! a-1.2 expected: [1]\n! a-1.2 got:      [2]\n"
                "a-1.3... Omitted\na-1.4...")
        self.assertEqual(
            results.sqlite(text),
            {"a-1.1": "pass", "a-1.2": "fail", "a-1.3": "skip", "a-1.4": "fail"},
        )

    def test_ninja_blames_the_test_started_last(self):
        text = "[1/3] A.X\n[2/3] A.Y\n*** Failure in src/a.cc:7\nx == y\n[3/3] A.Z\nfailed\n"
        self.assertEqual(results.ninja(text), {"A.X": "pass", "A.Y": "fail", "A.Z": "pass"})

    def test_unittest_reads_names_and_outcomes(self):
        text = "test_a (__main__.Output.test_a) ... ok\ntest_b (__main__.Output) ... FAIL\n"
        self.assertEqual(results.unittest(text), {"test_a": "pass", "test_b": "fail"})

    def test_a_repeated_test_keeps_its_worst_outcome(self):
        self.assertEqual(results.automake("PASS: a\nFAIL: a\nPASS: a\n"), {"a": "fail"})


class Comparison(unittest.TestCase):
    def test_the_exit_code_is_a_test(self):
        self.assertEqual(results.read("exit", "", 1, "check"), {"check/exit": "fail"})

    def test_a_test_that_is_absent_differs(self):
        self.assertEqual(results.differences({"a": "pass"}, {}), [("a", "pass", "absent")])

    def test_ignored_tests_do_not_differ(self):
        self.assertEqual(results.differences({"a": "pass"}, {"a": "fail"}, {"a": "why"}), [])

    def test_pairs_count_as_passed_unless_they_hang(self):
        counted = results.counts({"p": "exit 1, output 12", "q": "timed out", "r": "skip"})
        self.assertEqual(counted, {"pass": 1, "fail": 1, "skip": 1})


if __name__ == "__main__":
    unittest.main()
