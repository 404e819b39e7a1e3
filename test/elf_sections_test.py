# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Claims about elf_sections.py, on files made here byte by byte."""

import struct
import unittest

from elf_sections import NotElf, differing, loaded_sections

ALLOC = 2


def elf(sections):
    """A minimal ELF file of (name, flags, content) sections."""
    strings = b"\0"
    body, headers = b"", [struct.pack("<IIQQQQIIQQ", *[0] * 10)]
    for name, flags, content in sections:
        headers.append(
            struct.pack("<IIQQQQIIQQ", len(strings), 1, flags, 0x1000, 64 + len(body), len(content),
                        0, 0, 8, 0)
        )
        strings += name.encode() + b"\0"
        body += content
    headers.append(struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 64 + len(body), len(strings), 0, 0, 1, 0))
    body += strings
    head = b"\x7fELF\x02\x01\x01" + b"\0" * 9 + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, 64 + len(body), 0, 64, 56, 0, 64, len(headers),
        len(headers) - 1,
    )
    return head + body + b"".join(headers)


class LoadedSections(unittest.TestCase):
    def test_sections_that_are_not_loaded_are_left_out(self):
        found = loaded_sections(elf([(".text", ALLOC, b"code"), (".llvmcmd", 0, b"frames")]))
        self.assertEqual(list(found), [".text"])
        self.assertEqual(found[".text"].content, b"code")

    def test_one_changed_byte_names_its_section(self):
        left = elf([(".text", ALLOC, b"code"), (".data", ALLOC, b"1")])
        right = elf([(".text", ALLOC, b"code"), (".data", ALLOC, b"2")])
        self.assertEqual(differing(left, right), [".data"])

    def test_a_section_that_only_one_file_has_differs(self):
        self.assertEqual(differing(elf([(".a", ALLOC, b"1")]), elf([])), [".a"])

    def test_build_ids_and_carried_frames_may_differ(self):
        left = elf([(".note.gnu.build-id", ALLOC, b"1"), (".llvmcmd", 0, b"x")])
        right = elf([(".note.gnu.build-id", ALLOC, b"2")])
        self.assertEqual(differing(left, right), [])

    def test_a_script_is_refused(self):
        with self.assertRaises(NotElf):
            loaded_sections(b"#!/bin/sh\n")


if __name__ == "__main__":
    unittest.main()
