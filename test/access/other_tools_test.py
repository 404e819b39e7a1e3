#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What counts as seen by another tool."""

import unittest

import example
import other_tools

GUILT = example.Guilt("pack.c", 10, "convert")
MEMCHECK = """\
==7== Invalid read of size 8
==7==    at 0x1: convert (pack.c:{line})
==7==    by 0x2: main (pack.c:99)
==7==  Address 0x4a46400 is {what}
==7==    at 0x48417B4: malloc (in memcheck.so)
"""


class Verdict(unittest.TestCase):
    def test_a_report_in_the_guilty_function_about_a_known_block_is_seen(self):
        text = MEMCHECK.format(line=11, what="0 bytes after a block of size 256 alloc'd")
        self.assertEqual(other_tools.verdict(text, 9, GUILT), "seen: Invalid read")

    def test_a_wild_pointer_is_a_consequence(self):
        text = MEMCHECK.format(line=11, what="not stack'd, malloc'd or (recently) free'd")
        self.assertEqual(other_tools.verdict(text, 9, GUILT), "crash later")

    def test_a_report_elsewhere_is_a_consequence(self):
        text = MEMCHECK.format(line=50, what="inside a block").replace("convert", "list")
        self.assertEqual(other_tools.verdict(text, 9, GUILT), "crash later")

    def test_a_signal_without_a_report_is_a_consequence(self):
        self.assertEqual(other_tools.verdict("", -11, GUILT), "crash later")

    def test_an_ordinary_end_is_nothing(self):
        self.assertEqual(other_tools.verdict("some output\n", 0, GUILT), "nothing")

    def test_an_overflow_reported_inside_a_library_function_belongs_to_its_caller(self):
        text = ("==5==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7\n"
                "    #0 0x1 in strcpy (pack+0x1)\n    #1 0x2 in convert pack.c:10:3\n")
        self.assertEqual(other_tools.verdict(text, 1, GUILT), "seen: stack-buffer-overflow")


class Examples(unittest.TestCase):
    def test_every_example_names_one_guilty_line(self):
        for entry in example.manifest().values():
            self.assertEqual(example.guilt(entry).function, entry["guilty"])

    def test_inputs_are_the_same_every_time(self):
        generator = example.generator()
        for name in example.manifest():
            inputs = generator.inputs_of(name)
            twice = [list(inputs.good(generator.heap.Generator(7), generator.SIZE)) for _ in range(2)]
            self.assertEqual(twice[0], twice[1])
            self.assertGreaterEqual(len(inputs.BAD), 2)


if __name__ == "__main__":
    unittest.main()
