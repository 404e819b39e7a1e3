# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_sections.py A B: exits 0 if all loaded sections of the ELF files A and B are equal, but for the build id,
which is a hash over the whole file."""
import struct
import sys

SHT_NOBITS = 8
SHF_ALLOC = 2


def loaded_sections(path):
    data = open(path, "rb").read()
    offset, = struct.unpack_from("<Q", data, 40)
    size, count, names_index = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]
    names_offset = headers[names_index][4]
    sections = []
    for name, kind, flags, address, start, length, _, _, _, entry in headers:
        end = data.index(b"\0", names_offset + name)
        title = data[names_offset + name:end].decode()
        if flags & SHF_ALLOC and title != ".note.gnu.build-id":
            content = b"" if kind == SHT_NOBITS else data[start:start + length]
            sections.append((title, kind, flags, address, length, entry, content))
    return sections


def compare(a, b):
    """The names of the sections in which the files differ."""
    left, right = loaded_sections(a), loaded_sections(b)
    if [s[0] for s in left] != [s[0] for s in right]:
        return ["the list of sections"]
    return [x[0] for x, y in zip(left, right) if x != y]


if __name__ == "__main__":
    different = compare(sys.argv[1], sys.argv[2])
    if different:
        sys.exit(f"{sys.argv[1]} and {sys.argv[2]} differ in {', '.join(different)}")
