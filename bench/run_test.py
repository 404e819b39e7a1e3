# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the harness: its arithmetic, its verdicts and its files. Never how fast anything is.

CULPRIT in the environment names the culprit binary of this build; configurations that need it are
tried only if it is there.
"""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import real_inputs  # noqa: E402
import run  # noqa: E402
import table  # noqa: E402
from configurations import CONFIGURATIONS, Configuration  # noqa: E402

CULPRIT = os.environ.get("CULPRIT", "")


class Arithmetic(unittest.TestCase):
    def test_geomean_of_inverse_ratios_is_one(self):
        self.assertAlmostEqual(table.geomean([4.0, 0.25]), 1.0)
        self.assertAlmostEqual(table.geomean([2.0, 8.0]), 4.0)

    def test_geomean_of_nothing_is_nothing(self):
        self.assertIsNone(table.geomean([]))

    def test_ratio_with_a_missing_or_zero_side_is_nothing(self):
        self.assertEqual(table.ratio(3.0, 2.0), 1.5)
        for value, base in [(None, 1.0), (1.0, None), (1.0, 0.0), (0.0, 1.0)]:
            self.assertIsNone(table.ratio(value, base))

    def test_a_cell_takes_the_minimum_and_an_error_takes_it_away(self):
        cell = {"samples": [3.0, 1.0, 2.0], "error": None}
        self.assertEqual(table.finish_cell(cell)["seconds"], 1.0)
        cell["error"] = "wrong output"
        self.assertIsNone(table.finish_cell(cell)["seconds"])

    def test_memory_of_big_programs_has_a_mean_of_its_own(self):
        def row(name, plain, other):
            return {"name": name, "cells": {"a": {"peak_kib": plain, "error": None},
                                            "b": {"peak_kib": other, "error": None}}}
        rows = [row("small", 2000, 8000), row("big", 100000, 150000)]
        big = [each for each in rows if table.is_big(each, "a")]
        self.assertEqual([each["name"] for each in big], ["big"])
        means = table.add_ratios(big, "a", ["a", "b"], ["peak_kib"])
        self.assertAlmostEqual(means["b"]["peak_kib"], 1.5)

    def test_a_failed_program_is_left_out_of_the_mean(self):
        def cell(seconds, error=None):
            return {"seconds": seconds, "error": error}
        rows = [{"cells": {"a": cell(1.0), "b": cell(2.0)}},
                {"cells": {"a": cell(1.0), "b": cell(None, "crashed")}},
                {"cells": {"a": cell(1.0), "b": cell(8.0)}}]
        means = table.add_ratios(rows, "a", ["a", "b"], ["seconds"])
        self.assertAlmostEqual(means["b"]["seconds"], 4.0)
        self.assertEqual(means["b"]["programs"], 2)
        self.assertEqual(means["a"]["programs"], 3)


    def test_an_interrupted_table_says_how_many_samples_it_stands_on(self):
        def result(*counts):
            return {"programs": [{"cells": {"a": {"samples": [1.0] * count, "error": None}}}
                                 for count in counts]}
        self.assertEqual(table.repetitions(result(5, 5)), "5")
        self.assertEqual(table.repetitions(result(2, 1)), "1 to 2")


class Harness(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def bench(self, *arguments):
        """(exit code, result or None, standard error)"""
        out = self.folder / "result"
        with contextlib.redirect_stdout(io.StringIO()), \
                contextlib.redirect_stderr(io.StringIO()) as errors:
            code = run.main(["--size", "small", "--repeat", "1", "--work", str(self.folder / "work"),
                             "--out", str(out), *arguments])
        path = out.with_name("result.json")
        return code, json.loads(path.read_text()) if path.exists() else None, errors.getvalue()

    def with_row(self, row):
        patch = mock.patch.object(run, "CONFIGURATIONS", [*CONFIGURATIONS, row])
        patch.start()
        self.addCleanup(patch.stop)

    def test_every_other_repetition_takes_the_configurations_in_reverse(self):
        seen = []
        once = run.Bench.run_once

        def noted(bench, program, row, executable):
            seen.append(row.name)
            return once(bench, program, row, executable)

        with mock.patch.object(run.Bench, "run_once", noted):
            code, _, errors = self.bench("--programs", "treeadd", "--configurations", "plain,asan",
                                         "--repeat", "3")
        self.assertEqual(code, 0, errors)
        self.assertEqual(seen, ["plain", "asan", "asan", "plain", "plain", "asan"])

    def test_every_program_gives_its_expected_output_and_a_whole_table(self):
        names = ["plain"] + (["culprit"] if os.access(CULPRIT, os.X_OK) else [])
        code, result, errors = self.bench("--configurations", ",".join(names), "--culprit", CULPRIT)
        self.assertEqual(code, 0, errors)
        programs = json.loads((HERE / "programs.json").read_text())
        self.assertEqual([row["name"] for row in result["programs"]], list(programs))
        for row in result["programs"]:
            self.assertTrue((HERE / "programs" / row["name"] / "small.expected").exists())
            for name in names:
                self.assertEqual(len(row["cells"][name]["samples"]), 1)
                self.assertGreater(row["cells"][name]["peak_kib"], 0)
        text = (self.folder / "result.md").read_text()
        for line in [line for line in text.splitlines() if line.startswith("|")]:
            self.assertEqual(line.count("|"), len(names) + 2, line)
        self.assertNotIn(str(HERE), text + json.dumps(result))
        self.assertFalse(list(self.folder.glob("*.tmp")))

    def test_wrong_output_fails_the_run_and_is_shown_in_the_table(self):
        self.with_row(Configuration("wrong", "prints something else", prefix=("echo",)))
        code, result, _ = self.bench("--programs", "treeadd", "--configurations", "plain,wrong")
        self.assertEqual(code, 1)
        cells = result["programs"][0]["cells"]
        self.assertEqual(cells["wrong"]["error"], "wrong output")
        self.assertIsNone(cells["plain"]["error"])
        self.assertIn("**wrong output**", (self.folder / "result.md").read_text())

    def test_a_crash_and_an_exit_code_fail_the_run(self):
        self.with_row(Configuration("crash", "", prefix=("sh", "-c", "kill -SEGV $$")))
        code, result, _ = self.bench("--programs", "treeadd", "--configurations", "plain,crash")
        self.assertEqual(code, 1)
        self.assertEqual(result["programs"][0]["cells"]["crash"]["error"], "crashed (signal 11)")
        self.with_row(Configuration("refuse", "", prefix=("false",)))
        code, result, _ = self.bench("--programs", "treeadd", "--configurations", "refuse")
        self.assertEqual(code, 1)
        self.assertEqual(result["programs"][0]["cells"]["refuse"]["error"], "exit code 1")

    def test_a_build_that_fails_is_an_error_in_the_table(self):
        self.with_row(Configuration("broken", "", flags=("-no-such-flag",)))
        code, result, _ = self.bench("--programs", "treeadd", "--configurations", "plain,broken")
        self.assertEqual(code, 1)
        self.assertEqual(result["programs"][0]["cells"]["broken"]["error"], "build failed")

    def test_a_missing_tool_is_two_when_asked_for_and_left_out_otherwise(self):
        nowhere = str(self.folder / "nowhere")
        code, result, errors = self.bench("--configurations", "culprit", "--culprit", nowhere)
        self.assertEqual(code, 2)
        self.assertIsNone(result)
        self.assertIn("culprit is not built", errors)
        with mock.patch.object(run, "CONFIGURATIONS", CONFIGURATIONS[:3]):
            code, result, _ = self.bench("--programs", "treeadd", "--culprit", nowhere)
        self.assertEqual(code, 0)
        self.assertEqual([row["name"] for row in result["configurations"]], ["plain"])
        self.assertEqual(len(result["left_out"]), 2)

    def test_unknown_names_are_two(self):
        self.assertEqual(self.bench("--programs", "nosuch")[0], 2)
        self.assertEqual(self.bench("--configurations", "nosuch")[0], 2)

    def test_peak_memory_is_the_programs_own_not_the_interpreters(self):
        _, result, _ = self.bench("--programs", "treeadd", "--configurations", "plain")
        self.assertLess(result["programs"][0]["cells"]["plain"]["peak_kib"], 6 * 1024)

    def test_a_flavour_is_the_path_that_culprit_prints(self):
        fake = self.folder / "culprit"
        fake.write_text('#!/bin/sh\nmode=$1; shift\ncase $mode in\n'
                        'cc) exec clang-19 "$@";;\nflavour) echo "$2";;\nesac\n')
        fake.chmod(0o755)
        code, result, errors = self.bench("--programs", "treeadd", "--culprit", str(fake),
                                          "--configurations", "plain,culprit,identity")
        self.assertEqual(code, 0, errors)
        self.assertEqual(set(result["programs"][0]["cells"]), {"plain", "culprit", "identity"})

    def test_build_cost_measures_time_and_size(self):
        code, result, _ = self.bench("--build-cost", "--programs", "treeadd",
                                     "--configurations", "plain,asan")
        self.assertEqual(code, 0)
        cells = result["programs"][0]["cells"]
        self.assertGreater(cells["asan"]["size"], cells["plain"]["size"])

    def test_real_programs_come_from_a_folder_and_absent_ones_are_left_out(self):
        place = self.folder / "real" / "plain"
        place.mkdir(parents=True)
        (place / "gzip").write_text('#!/bin/sh\ncat "$2"\n')
        (place / "gzip").chmod(0o755)
        code, result, errors = self.bench("--programs", "gzip,bc", "--configurations", "plain",
                                          "--real-dir", str(self.folder / "real"))
        self.assertEqual(code, 0, errors)
        self.assertEqual([row["name"] for row in result["programs"]], ["gzip"])
        self.assertIn("bc in plain", result["left_out"][0])

    def test_an_interrupt_keeps_what_was_measured(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                self.cut_short(number)

    def cut_short(self, number):
        out = self.folder / "cut"
        process = subprocess.Popen(
            [sys.executable, str(HERE / "run.py"), "--size", "small", "--repeat", "1000000",
             "--programs", "treeadd", "--configurations", "plain", "--work",
             str(self.folder / "work"), "--out", str(out)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in process.stderr:  # the second repetition has begun: one sample is there
            if re.search(r"repetition 2 ", line):
                break
        process.send_signal(number)
        process.stderr.read()
        self.assertEqual(process.wait(), 1)
        process.stderr.close()
        result = json.loads(out.with_name("cut.json").read_text())
        self.assertTrue(result["partial"])
        self.assertGreaterEqual(len(result["programs"][0]["cells"]["plain"]["samples"]), 1)
        self.assertIn("partial", out.with_name("cut.md").read_text().splitlines()[0])


class RealInputs(unittest.TestCase):
    def test_inputs_are_equal_every_time_and_every_workload_names_an_existing_one(self):
        with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
            for folder in (first, second):
                real_inputs.generate(Path(folder), "small")
            files = sorted(path.relative_to(first) for path in Path(first).rglob("*") if path.is_file())
            for file in files:
                self.assertEqual((Path(first) / file).read_bytes(), (Path(second) / file).read_bytes())
            for workloads in json.loads((HERE / "real.json").read_text()).values():
                for workload in workloads:
                    for word in [*workload["args"], workload.get("stdin", "")]:
                        if "{inputs}" in word:
                            self.assertTrue(Path(word.replace("{inputs}", first)).exists(), word)


if __name__ == "__main__":
    unittest.main()
