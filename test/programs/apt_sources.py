# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derives a deb-src list from the machine's own package sources.

Most machines list only binary packages. What they do list names a mirror that can be reached from
here, and the same mirror holds the sources; so the list of sources is made from it, and no mirror
is ever written into this project. Pure functions over text: the files are read by fetch.py.

Rules: only Debian's own archives (another vendor's repository may carry a package of the same
name); only the running release and its updates (backports would change the program under test); a
result that depends on the input alone, in the input's order.
"""

import re
from dataclasses import dataclass, replace

DEBIAN_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"

# A mirror's address ends in the archive's name; cloud images name a file of mirrors instead.
_DEBIAN_ARCHIVE = re.compile(r"/debian(-security)?(\.list)?/*$")


@dataclass(frozen=True)
class Source:
    """One archive of one suite, as both forms of apt's lists describe it."""

    uri: str
    suite: str
    components: tuple[str, ...]
    signed_by: str = ""


def parse_one_line(text):
    """Reads the `deb [options] uri suite component...` form."""
    sources = []
    for line in text.splitlines():
        match = re.match(
            r"\s*deb(?:-src)?\s+(?:\[(?P<options>[^\]]*)\]\s+)?(?P<rest>[^#]+)", line
        )
        if not match:
            continue
        words = match["rest"].split()
        if len(words) < 3:
            continue  # `uri path/` without components: a flat archive, never Debian's
        options = dict(
            word.split("=", 1) for word in (match["options"] or "").split() if "=" in word
        )
        sources.append(
            Source(words[0], words[1], tuple(words[2:]), options.get("signed-by", ""))
        )
    return sources


def parse_deb822(text):
    """Reads the `Types: / URIs: / Suites:` form; a stanza stands for each uri with each suite."""
    sources = []
    for stanza in _stanzas(text):
        if stanza.get("enabled", "yes").lower() in ("no", "false", "0"):
            continue
        signed_by = stanza.get("signed-by", "").strip()
        for uri in stanza.get("uris", "").split():
            for suite in stanza.get("suites", "").split():
                components = tuple(stanza.get("components", "").split())
                sources.append(Source(uri, suite, components, signed_by))
    return sources


def _stanzas(text):
    stanza, field = {}, None
    for line in text.splitlines() + [""]:
        if line.startswith("#"):
            continue  # a comment may stand between a field and its continuation
        if not line.strip():
            if stanza:
                yield stanza
            stanza, field = {}, None
        elif line[0].isspace() and field:
            stanza[field] += "\n" + line.strip()
        elif ":" in line:
            field, value = line.split(":", 1)
            field = field.strip().lower()
            stanza[field] = value.strip()


def is_debians(source, codename):
    """True for the archives of the running release that Debian itself publishes."""
    suites = {
        codename, f"{codename}-updates", f"{codename}-security", f"{codename}/updates",
        "stable", "stable-updates", "stable-security",
    }
    return (
        source.suite in suites
        and "main" in source.components
        and bool(_DEBIAN_ARCHIVE.search(source.uri))
    )


def debian_sources(texts, codename):
    """Picks Debian's archives out of (file name, content) pairs, `main` only, each one once."""
    found = {}
    for name, text in texts:
        parse = parse_deb822 if name.endswith(".sources") else parse_one_line
        # Old-style names hold the new form on some images; the new form starts with a field.
        if parse is parse_one_line and re.search(r"^Types\s*:", text, re.M | re.I):
            parse = parse_deb822
        for source in parse(text):
            if is_debians(source, codename):
                kept = replace(source, components=("main",))
                found.setdefault((kept.uri.rstrip("/"), kept.suite), kept)
    return list(found.values())


def as_deb_src(sources):
    """Writes the list in the deb822 form, which can carry a key in the text where a path cannot."""
    stanzas = []
    for source in sources:
        key = source.signed_by or DEBIAN_KEYRING
        if "\n" in key:  # the key itself; its text starts on the next line
            key = "".join("\n " + line for line in key.splitlines())
        stanzas.append(
            f"Types: deb-src\nURIs: {source.uri}\nSuites: {source.suite}\n"
            f"Components: {' '.join(source.components)}\nSigned-By: {key}\n"
        )
    return "\n".join(stanzas)
