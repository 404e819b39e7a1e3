# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways to damage bytes. Every function yields (name, damaged bytes); all is decided by the random generator."""
import json
import struct

MAGIC = b"\177CULPRIT"
HEADER = struct.Struct("<8sHHIQQQQ")  # abi/frame.h
KINDS = {1: "bitcode", 2: "native", 3: "record", 4: "input"}


def flip(data, bits):
    damaged = bytearray(data)
    for bit in bits:
        damaged[bit // 8] ^= 1 << (bit % 8)
    return bytes(damaged)


def flips(data, ranges, count, random, name="flip"):
    """`count` single bits, spread evenly over the byte ranges."""
    places = [byte for start, end in ranges for byte in range(start, min(end, len(data)))]
    for _ in range(count if places else 0):
        bit = places[random.randrange(len(places))] * 8 + random.randrange(8)
        yield f"{name}-bit{bit}", flip(data, [bit])


def every_bit(data, start, end, name):
    for bit in range(start * 8, min(end, len(data)) * 8):
        yield f"{name}-bit{bit}", flip(data, [bit])


def several_flips(data, count, random):
    for number in range(count):
        bits = [random.randrange(len(data) * 8) for _ in range(2 + random.randrange(30))]
        yield f"flips{number}", flip(data, bits)


def truncations(data, places, count, random):
    lengths = {0, 1, 3, 4, 15, 16, 63, 64, 65, len(data) // 2, len(data) - 1}
    lengths.update(place + step for place in places for step in (-1, 0, 1))
    while len(lengths) < count:
        lengths.add(random.randrange(len(data)))
    for length in sorted(length for length in lengths if 0 <= length < len(data)):
        yield f"cut{length}", data[:length]


def overwrites(data, count, random):
    """Ranges of zeros, of noise, of text; half of them a whole disk block."""
    for number in range(count):
        size = 4096 if number % 2 else 1 + random.randrange(600)
        start = random.randrange(len(data))
        if size == 4096:
            start -= start % 4096
        size = min(size, len(data) - start)
        filling = (bytes(size), random.randbytes(size), (b"lorem ipsum " * 400)[:size])[number % 3]
        yield f"over{number}-at{start}+{size}", data[:start] + filling + data[start + size:]


class Elf:
    """Where things are in an undamaged ELF file."""

    def __init__(self, data):
        self.data = data
        (self.phoff, self.shoff) = struct.unpack_from("<QQ", data, 32)
        (self.phnum,) = struct.unpack_from("<H", data, 56)
        (self.shnum, names) = struct.unpack_from("<HH", data, 60)
        self.sections = {}
        table = [struct.unpack_from("<IIQQQQ", data, self.shoff + 64 * i) for i in range(self.shnum)]
        for index, (name, _, _, _, offset, size) in enumerate(table):
            start = table[names][4] + name
            text = data[start:data.index(b"\0", start)].decode()
            self.sections[text] = (index, offset, size)

    def range_of(self, name):
        if name not in self.sections:
            return (0, 0)
        _, offset, size = self.sections[name]
        return (offset, offset + size)

    def program_headers(self):
        return (self.phoff, self.phoff + 56 * self.phnum)

    def section_headers(self):
        return (self.shoff, self.shoff + 64 * self.shnum)

    def frames(self):
        """The frames as lists [version, kind, flags, payload size, metadata, stored]."""
        start, end = self.range_of(".llvmcmd")
        frames = []
        while start + HEADER.size <= end:
            magic, version, kind, flags, meta, stored, payload, _ = HEADER.unpack_from(self.data, start)
            assert magic == MAGIC
            body = start + HEADER.size
            frames.append([version, kind, flags, payload, self.data[body:body + meta],
                           self.data[body + meta:body + meta + stored]])
            start = (body + meta + stored + 7) // 8 * 8
        return frames

    def frame_offsets(self):
        start, end = self.range_of(".llvmcmd")
        offsets = []
        at = self.data.find(MAGIC, start, end)
        while at >= 0:
            offsets.append(at)
            at = self.data.find(MAGIC, at + 8, end)
        return offsets

    def with_section(self, content):
        """The same file with other content in the frames' section, at the end of the file."""
        start, end = self.range_of(".llvmcmd")
        data = bytearray(self.data)
        data[start:end] = bytes(end - start)
        data += bytes(-len(data) % 8)
        header = self.shoff + 64 * self.sections[".llvmcmd"][0]
        struct.pack_into("<QQ", data, header + 24, len(data), len(content))
        return bytes(data) + content


def write_frame(version, kind, flags, payload_size, metadata, stored):
    """A frame with a true checksum, whatever it holds."""
    def header(checksum):
        return HEADER.pack(MAGIC, version, kind, flags, len(metadata), len(stored), payload_size, checksum)
    checksum = 0xCBF29CE484222325
    for byte in header(0)[:40] + metadata + stored:
        checksum = (checksum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    frame = header(checksum) + metadata + stored
    return frame + bytes(-len(frame) % 8)


def section_of(frames):
    return b"".join(write_frame(*frame) for frame in frames)


def hostile_records(record):
    """Link records that no culprit wrote. `record` is a true one, parsed."""
    def changed(**parts):
        return json.dumps({**record, **parts}).encode()

    def with_item(item):
        return changed(items=record["items"] + [item])

    yield "no-json", b"\xff\xfe{"
    yield "empty", b""
    yield "null", b"null"
    yield "array", b"[]"
    yield "no-items", b"{}"
    yield "items-text", changed(items="x")
    yield "items-none", changed(items=[])
    yield "items-numbers", changed(items=[1, 2])
    yield "items-nested", changed(items=[[[]]])
    yield "deep", b'{"items":' + b"[" * 20000 + b"]" * 20000 + b"}"
    yield "deep-open", b'{"items":' + b'{"a":' * 20000
    yield "unknown-kind", with_item({"kind": "spell", "text": "x"})
    yield "kind-number", with_item({"kind": 7, "text": "x"})
    yield "no-text", with_item({"kind": "argument"})
    yield "text-number", with_item({"kind": "argument", "text": 5})
    yield "text-zero", with_item({"kind": "argument", "text": "a\0b"})
    yield "text-lines", with_item({"kind": "argument", "text": "--no-such\n-option\nerror: x"})
    yield "text-escape", with_item({"kind": "argument", "text": "--\x1b[31mred"})
    yield "text-long", with_item({"kind": "argument", "text": "x" * 300000})
    yield "many", changed(items=record["items"] * 2000)
    yield "file-missing", with_item({"kind": "file", "text": "-T", "path": "/x/y", "number": 77})
    yield "file-zero", with_item({"kind": "file", "text": "-T", "path": "", "number": 0})
    yield "file-negative", with_item({"kind": "file", "text": "-T", "path": "/x", "number": -1})
    yield "file-huge", with_item({"kind": "file", "text": "-T", "path": "/x", "number": 2**64})
    yield "file-float", with_item({"kind": "file", "text": "-T", "path": "/x", "number": 1e300})
    yield "library-gone", with_item({"kind": "library", "text": "-lx", "path": "/x/..", "number": 9})
    yield "linker-none", changed(linker="")
    yield "linker-missing", changed(linker="/no/such/linker")
    yield "linker-folder", changed(linker="/")
    yield "linker-number", changed(linker=4)
    yield "linker-fails", changed(linker="/bin/false")
    yield "directory-missing", changed(directory="/no/such/folder")
    yield "directory-number", changed(directory=[])


def hostile_sections(frames):
    """Sections of well-formed frames that do not belong together. `frames` as Elf.frames() gives them."""
    by_kind = {KINDS[frame[1]]: number for number, frame in enumerate(frames)}

    def changed(kind, place, value):
        copy = [list(frame) for frame in frames]
        copy[by_kind[kind]][place] = value
        return section_of(copy)

    def without(kind):
        return section_of([frame for frame in frames if KINDS[frame[1]] != kind])

    yield "none", b""
    yield "reversed", section_of(frames[::-1])
    for kind in by_kind:
        number = by_kind[kind]
        yield f"{kind}-removed", without(kind)
        yield f"{kind}-twice", section_of(frames + [frames[number]])
        yield f"{kind}-version", changed(kind, 0, 9)
        yield f"{kind}-unknown-kind", changed(kind, 1, 99)
        yield f"{kind}-no-metadata", changed(kind, 4, b"")
        yield f"{kind}-metadata-noise", changed(kind, 4, bytes(range(256)))
        yield f"{kind}-metadata-array", changed(kind, 4, b"[1]")
    for kind in ("bitcode", "native"):
        frame = frames[by_kind[kind]]
        for size in (0, 1, frame[3] - 1, frame[3] + 1, 100 << 20, 400 << 20, 1 << 40, 2**64 - 1):
            yield f"{kind}-payload-size{size}", changed(kind, 3, size)
        yield f"{kind}-stored-noise", changed(kind, 5, b"noise" * 40)
        yield f"{kind}-stored-cut", changed(kind, 5, frame[5][:-5])
        yield f"{kind}-not-compressed", changed(kind, 2, 0)
        copy = [list(other) for other in frames]
        copy[by_kind[kind]][2:] = [0, 900, frame[4], b"\177ELFnoise" * 90]
        yield f"{kind}-noise", section_of(copy)
        copy[by_kind[kind]][2:] = [0, 904, frame[4], b"BC\xc0\xde" + b"\x35\x14\0\0\x07" * 180]
        yield f"{kind}-false-bitcode", section_of(copy)
    module = frames[by_kind["bitcode"]]
    for name, metadata in (
            ("types", {"source": 1, "directory": None, "arguments": "x", "driver": []}),
            ("source-escapes", {"source": "../../../../tmp/x.c", "arguments": ["-O1"]}),
            ("source-folder", {"source": "/", "arguments": ["-O1"]}),
            ("source-lines", {"source": "a\nb\x1b[31m.c", "arguments": ["-O1"]}),
            ("source-long", {"source": "x" * 5000, "arguments": []}),
            ("arguments-bad", {"source": "a.c", "arguments": ["--no-such-option", "-Xclang", "@x"]}),
            ("arguments-mixed", {"source": "a.c", "arguments": [1, None, [], "-O1"]}),
            ("arguments-zero", {"source": "a.c", "arguments": ["-O1\0", "-g"]})):
        copy = [list(frame) for frame in frames]
        copy[by_kind["bitcode"]][4] = json.dumps(metadata).encode()
        yield f"metadata-{name}", section_of(copy)
    assert module
