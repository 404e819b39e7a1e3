# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes a source tree by anchored replacements, and fails loudly when an anchor is not there.

Nothing of the programs is kept here but the few words that say where to cut: a patch would carry
their lines along.
"""


class Stale(Exception):
    """The sources are not those the edit was written for."""


def replace(tree, file, anchor, new, count=1):
    """Replaces `anchor`, which must occur exactly `count` times in the file."""
    path = tree / file
    if not path.exists():
        raise Stale(f"{file} is not in the sources")
    text = path.read_text(encoding="latin-1")
    seen = text.count(anchor)
    if seen != count:
        raise Stale(f"{file}: expected {count} of {anchor!r}, found {seen}")
    path.write_text(text.replace(anchor, new), encoding="latin-1")


def insert_before(tree, file, anchor, new):
    """Puts text before an anchor that occurs once."""
    replace(tree, file, anchor, new + anchor)


def replace_between(tree, file, after, anchor, new):
    """Replaces the first `anchor` behind `after`, which must occur exactly once."""
    path = tree / file
    if not path.exists():
        raise Stale(f"{file} is not in the sources")
    text = path.read_text(encoding="latin-1")
    if text.count(after) != 1:
        raise Stale(f"{file}: expected one of {after!r}, found {text.count(after)}")
    start = text.index(after) + len(after)
    place = text.find(anchor, start)
    if place < 0:
        raise Stale(f"{file}: no {anchor!r} behind {after!r}")
    path.write_text(text[:place] + new + text[place + len(anchor):], encoding="latin-1")
