#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of run_file.py on files made here."""

import struct
import tempfile
import unittest
from pathlib import Path

import run_file


def record(kind, payload, commit=1):
    """One record with its frame."""
    return run_file.FRAME.pack(run_file.FRAME.size + len(payload), kind, 0, 7, commit) + payload


def point(index, entries):
    return record(run_file.POINT, run_file.POINT_START.pack(index, 0, 0, entries) + bytes(64))


def file_of(*records):
    """A run file with a header of 128 bytes."""
    body = b"".join(records)
    header = bytearray(128)
    header[:8] = run_file.MAGIC
    struct.pack_into("<II", header, 8, 1, 128)
    struct.pack_into("<QQ", header, 40, 128 + len(body), 128 + len(body))
    return bytes(header) + body + bytes(4096)  # the file is longer than what is in it


class RunFile(unittest.TestCase):
    def read(self, data):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.run"
            path.write_bytes(data)
            return run_file.read(path)

    def test_counts_points_and_keeps_the_last_number_of_entries(self):
        run = self.read(file_of(record(1, bytes(24)), point(1, 40), point(2, 90)))
        self.assertEqual((run.points, run.entries, run.verified), (2, 90, ()))

    def test_a_verify_record_has_its_degrees(self):
        numbers = run_file.VERIFY_RECORD.pack(3, 1, 100, 2, 0x1000, 1, 2, 3, 4)
        (verified,) = self.read(file_of(record(run_file.VERIFY, numbers))).verified
        self.assertEqual((verified.index, verified.vertexes, verified.mismatches), (3, 100, 2))
        self.assertEqual((verified.graph, verified.scan), ((1, 2), (3, 4)))

    def test_another_file_and_a_record_that_was_not_finished_are_refused(self):
        with self.assertRaises(run_file.Unreadable):
            self.read(b"\x7fELF" + bytes(200))
        with self.assertRaises(run_file.Unreadable):
            self.read(file_of(record(1, bytes(24), commit=0)))


if __name__ == "__main__":
    unittest.main()
