# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the kernel and the dynamic linker load of two executables: every SHF_ALLOC section.

Name, type, flags, address, size, alignment and bytes must be equal. The build id alone is left out:
it is a hash over the whole file, carried frames and debug information included. Offsets in the file
are left out because the running program does not see them.
"""

import struct
from dataclasses import dataclass

SHF_ALLOC = 2
SHT_NOBITS = 8
BUILD_ID = ".note.gnu.build-id"


class NotElf(Exception):
    """The file is not a 64-bit little-endian ELF file with sections."""


@dataclass(frozen=True)
class Section:
    """One section header and the bytes it stands for."""

    kind: int
    flags: int
    address: int
    size: int
    align: int
    content: bytes


def loaded_sections(data):
    """{name: Section} of the sections that are loaded."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise NotElf("not a 64-bit little-endian ELF file")
    (table,) = struct.unpack_from("<Q", data, 0x28)
    entry_size, count, names_index = struct.unpack_from("<HHH", data, 0x3A)
    headers = [
        struct.unpack_from("<IIQQQQIIQQ", data, table + i * entry_size) for i in range(count)
    ]
    if not headers:
        raise NotElf("the file has no sections")
    names_at = headers[names_index][4]
    sections = {}
    for name_at, kind, flags, address, offset, size, _link, _info, align, _entry in headers:
        if not flags & SHF_ALLOC:
            continue
        start = names_at + name_at
        name = data[start:data.index(b"\0", start)].decode()
        content = b"" if kind == SHT_NOBITS else data[offset:offset + size]
        sections[name] = Section(kind, flags, address, size, align, content)
    return sections


def differing(left, right):
    """Names of the loaded sections that differ between two files' contents."""
    ours, theirs = loaded_sections(left), loaded_sections(right)
    names = sorted((set(ours) | set(theirs)) - {BUILD_ID})
    return [name for name in names if ours.get(name) != theirs.get(name)]
