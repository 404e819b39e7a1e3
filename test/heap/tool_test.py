#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the heap tests read out of culprit's JSON, on documents made up here."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "inject"))

import edit
import subject
import table
import tool


class Names(unittest.TestCase):
    def test_a_plain_name_has_no_scope_parameters_or_template_arguments(self):
        for function, name in (
            ("insert_after", "insert_after"),
            ("Scene::copy(Node const*, std::string const&)", "copy"),
            ("(anonymous namespace)::Scene::copy(Node const*)", "copy"),
            ("(anonymous namespace)::mirror((anonymous namespace)::Node*)", "mirror"),
            ("void Box<int, std::pair<a, b>>::put<char>(char)", "put"),
        ):
            self.assertEqual(tool.plain_name(function), name)

    def test_the_location_comes_first_and_nothing_twice(self):
        finding = {"location": {"function": "a"},
                   "suspects": [{"function": "a()"}, {"function": "b"}, {"function": None},
                                {"function": "c"}, {"function": "d"}]}
        self.assertEqual(tool.named_functions(finding), ["a", "b", "c"])

    def test_a_finding_without_location_names_its_suspects(self):
        self.assertEqual(tool.named_functions({"suspects": [{"function": "x"}]}), ["x"])


class Edits(unittest.TestCase):
    def test_an_edit_fails_when_its_anchor_is_missing_or_not_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder)
            (tree / "a.c").write_text("one two two")
            edit.replace(tree, "a.c", "one", "1")
            self.assertEqual((tree / "a.c").read_text(), "1 two two")
            edit.replace_between(tree, "a.c", "1 two", "two", "2")
            self.assertEqual((tree / "a.c").read_text(), "1 two 2")
            for file, anchor in (("a.c", "three"), ("b.c", "1")):
                with self.assertRaises(edit.Stale):
                    edit.replace(tree, file, anchor, "")
            (tree / "a.c").write_text("two two")
            with self.assertRaises(edit.Stale):
                edit.replace(tree, "a.c", "two", "")


class Examples(unittest.TestCase):
    def test_every_example_marks_the_guilty_function_its_manifest_names(self):
        for entry in subject.manifest().values():
            self.assertEqual(subject.marked_functions(entry), [entry["guilty"]], entry["name"])

    def test_the_page_has_a_row_for_every_example(self):
        page = table.page({})
        for name in subject.manifest():
            self.assertIn(f"| {name} |", page)


if __name__ == "__main__":
    unittest.main()
