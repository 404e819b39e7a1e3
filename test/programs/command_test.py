# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Claims about command.py."""

import tempfile
import unittest
from pathlib import Path

import command


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)

    def run_script(self, script, **options):
        log = self.path / "log"
        done = command.run(script, self.path, command.environment(self.path), log, **options)
        return done, log.read_text()

    def test_the_first_failure_ends_the_script_and_gives_its_code(self):
        done, text = self.run_script("echo before; (exit 3); echo after")
        self.assertEqual((done.code, text), (3, "before\n"))

    def test_a_signal_is_told_as_shells_do(self):
        done, _ = self.run_script("kill -9 $$")
        self.assertEqual(done.code, 137)

    def test_messages_can_be_kept_apart(self):
        done, text = self.run_script("echo out; echo err >&2", separate_errors=self.path / "err")
        self.assertEqual((done.code, text), (0, "out\n"))
        self.assertEqual((self.path / "err").read_text(), "err\n")

    def test_a_hanging_command_is_ended_with_children_in_groups_of_their_own(self):
        # Job control gives the child its own process group; it would write the file after all.
        script = "set -m; (sleep 3; echo late > survived) & wait"
        done, _ = self.run_script(script, limit=0.5)
        self.assertTrue(done.timed_out)
        self.run_script("sleep 3.5")
        self.assertFalse((self.path / "survived").exists())

    def test_the_callers_environment_does_not_leak_in(self):
        _, text = self.run_script("env")
        names = {line.split("=", 1)[0] for line in text.splitlines()}
        self.assertLessEqual(names, set(command.environment("/")) | {"PWD", "OLDPWD", "_"})


if __name__ == "__main__":
    unittest.main()
