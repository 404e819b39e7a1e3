# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Claims about table.py."""

import json
import tempfile
import unittest

import table


def result(**changes):
    """A program about which nothing differs."""
    same = {"counts": {"pass": 7, "fail": 1, "skip": 2}, "differences": []}
    whole = {
        "program": "p", "version": "1.0-1", "language": "C", "sections_differing": [],
        "identity_sections_differing": [], "build_ratio": 1.04, "size_ratio": 3.1,
        "flavour_seconds": {"identity": 1.25, "base": 2.5, "trace": 3.5, "suppress": 4.5},
        "flavour_errors": {},
        "suites": {name: same for name in
                   ("plain", "culprit", "identity", "base", "trace", "suppress")},
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
            ["p", "1.0-1", "C", "7 / 1 / 2", "same", "same", "same", "same", "same", "equal",
             "equal", "1.04", "3.10", "1.2", "2.5", "3.5", "4.5"],
        )

    def test_differing_tests_and_sections_are_named_or_counted(self):
        suites = result()["suites"] | {
            "base": {"counts": {}, "differences": [("a", "pass", "fail")]}
        }
        cells = row(suites=suites, sections_differing=["p:.text"])
        self.assertEqual((cells[6], cells[9]), ("**1 differ**", "**p:.text**"))

    def test_a_flavour_that_could_not_be_made_leaves_its_cells_open(self):
        suites = {name: result()["suites"][name] for name in ("plain", "culprit")}
        cells = row(suites=suites, flavour_seconds={}, identity_sections_differing=None)
        self.assertEqual(cells[5:9] + cells[10:11] + cells[13:], ["not run"] * 4 + ["not made"] +
                         ["–"] * 4)

    def test_rows_of_programs_without_results_have_all_cells(self):
        for lost in ({"program": "p", "skipped": "x"}, {"program": "p", "error": "x"}):
            page = table.markdown(table.report_of([lost], "clang"))
            lines = page.strip().splitlines()
            self.assertEqual(lines[-1].count("|"), lines[-2].count("|"))


class Completed(unittest.TestCase):
    def completed(self, new):
        with tempfile.TemporaryDirectory() as folder:
            table.write(table.report_of([result(), result(program="q")], "clang"), folder)
            return table.with_earlier(table.report_of([new], "clang"), folder)["programs"]

    def test_what_was_not_examined_again_is_kept(self):
        differs = {"counts": {}, "differences": [("a", "pass", "fail")]}
        suites = result()["suites"]
        new = result(suites={"plain": suites["plain"], "suppress": differs},
                     flavour_seconds={"suppress": 9.0}, identity_sections_differing=None)
        first, second = self.completed(new)
        self.assertEqual(first["suites"]["suppress"]["differences"], [("a", "pass", "fail")])
        self.assertEqual(first["flavour_seconds"],
                         {"identity": 1.25, "base": 2.5, "trace": 3.5, "suppress": 9.0})
        self.assertEqual(second["program"], "q")

    def test_another_version_begins_anew(self):
        new = result(version="2.0-1", suites={}, flavour_seconds={})
        self.assertEqual(self.completed(new)[0]["suites"], {})


class Published(unittest.TestCase):
    def test_messages_with_paths_and_mirrors_stay_out(self):
        secret = "/home/someone/x"
        lost = [{"program": "p", "error": secret}, {"program": "q", "skipped": secret},
                result(flavour_errors={"base": secret})]
        report = table.report_of(lost, "clang")
        self.assertNotIn(secret, json.dumps(report) + table.markdown(report))


if __name__ == "__main__":
    unittest.main()
