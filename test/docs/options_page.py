# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""options_page.py ROOT [--write]: docs/options.md is what abi/options.def says; --write makes it so."""
import os
import re
import sys

HEAD = """# The runtime's settings
Made from `abi/options.def` by `test/docs/options_page.py --write`. The engine hands them to the runtime of a flavour in
the variable `CULPRIT_RUNTIME`, as `key=value:key=value`; `culprit run` sets what its options ask for.

| name | type | default | meaning |
|---|---|---|---|
"""


def page(definitions):
    rows = re.findall(r'^OPTION\((\w+), (\w+), ([^,]+),\s*"((?:[^"\\]|\\.|"\s*")*)"\)', definitions, re.M | re.S)
    if not rows:
        sys.exit("abi/options.def has no rows that this script understands")
    text = HEAD
    for kind, name, default, meaning in rows:
        meaning = re.sub(r'"\s*"', "", meaning)
        text += f"| `{name}` | {kind} | {default if default != chr(34) * 2 else 'empty'} | {meaning} |\n"
    return text


def main():
    root = sys.argv[1]
    wanted = page(open(os.path.join(root, "abi", "options.def")).read())
    path = os.path.join(root, "docs", "options.md")
    if "--write" in sys.argv:
        open(path, "w").write(wanted)
    elif not os.path.exists(path) or open(path).read() != wanted:
        sys.exit("docs/options.md is stale: run test/docs/options_page.py . --write")


main()
