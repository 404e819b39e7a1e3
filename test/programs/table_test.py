# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Claims about table.py."""

import json
import unittest

import table


def result(**changes):
    """A program about which nothing differs."""
    same = {"counts": {"pass": 7, "fail": 1, "skip": 2}, "differences": []}
    whole = {
        "program": "p", "version": "1.0-1", "language": "C", "sections_differing": [],
        "identity_sections_differing": [], "build_ratio": 1.04, "size_ratio": 3.1,
        "flavour_seconds": {"identity": 1.25, "base": 2.5}, "flavour_errors": {},
        "suites": {name: same for name in ("plain", "culprit", "identity", "base")},
    }
    return whole | changes


def row(**changes):
    """The cells of the only row."""
    page = table.markdown(table.report_of([result(**changes)], "clang"))
    return [cell.strip() for cell in page.strip().splitlines()[-1].strip("|").split("|")]


class Rows(unittest.TestCase):
    def test_a_program_that_agrees_says_so_everywhere(self):
        self.assertEqual(
            row(),
            ["p", "1.0-1", "C", "7 / 1 / 2", "same", "same", "same", "equal", "equal",
             "1.04", "3.10", "1.2", "2.5"],
        )

    def test_differing_tests_and_sections_are_named_or_counted(self):
        suites = result()["suites"] | {
            "base": {"counts": {}, "differences": [("a", "pass", "fail")]}
        }
        cells = row(suites=suites, sections_differing=["p:.text"])
        self.assertEqual((cells[6], cells[7]), ("**1 differ**", "**p:.text**"))

    def test_a_flavour_that_could_not_be_made_leaves_its_cells_open(self):
        suites = {name: result()["suites"][name] for name in ("plain", "culprit")}
        cells = row(suites=suites, flavour_seconds={}, identity_sections_differing=None)
        self.assertEqual(cells[5:7] + cells[8:9] + cells[11:], ["not run"] * 2 + ["not made"] +
                         ["–"] * 2)

    def test_rows_of_programs_without_results_have_all_cells(self):
        for lost in ({"program": "p", "skipped": "x"}, {"program": "p", "error": "x"}):
            page = table.markdown(table.report_of([lost], "clang"))
            lines = page.strip().splitlines()
            self.assertEqual(lines[-1].count("|"), lines[-2].count("|"))


class Published(unittest.TestCase):
    def test_messages_with_paths_and_mirrors_stay_out(self):
        secret = "/home/someone/x"
        lost = [{"program": "p", "error": secret}, {"program": "q", "skipped": secret},
                result(flavour_errors={"base": secret})]
        report = table.report_of(lost, "clang")
        self.assertNotIn(secret, json.dumps(report) + table.markdown(report))


if __name__ == "__main__":
    unittest.main()
