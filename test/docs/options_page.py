# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""options_page.py ROOT [--write]: docs/options.md is what abi/options.def says, and docs/settings.md what the analyses'
lists of settings say; --write makes them so."""
import os
import re
import sys

TABLE = """
| name | type | default | meaning |
|---|---|---|---|
"""

RUNTIME = """# The runtime's settings
Made from `abi/options.def` by `test/docs/options_page.py --write`. The engine hands them to the runtime of a flavour in
the variable `CULPRIT_RUNTIME`, as `key=value:key=value`; `culprit run` sets what its options ask for.
"""

SETTINGS = """# Settings
Made from the analyses' own lists (`engine/heap/settings.def`, `engine/access/settings.def`, `engine/locate/settings.def`)
by `test/docs/options_page.py --write`.

They are read from the file given by `--settings`, or from `culprit.toml` in the current directory if there is one, and
`culprit show --settings` prints all of them with the values in force. The file is TOML, with a section for each analysis:

```toml
[heap]
trim_start = 0.2
rule = "paper"

[access]
reads = true

[locate]
executions = 100
```

A key that does not exist, a value of another type and a value that makes no sense end the command with exit code 2 and
the line at fault. What each of them does is in [heap.md](heap.md),
[access-judging.md](access-judging.md) and [locating.md](locating.md).
"""

# (lists of definitions with how names are written, macro, page, head)
PAGES = [([("abi/options.def", "{}")], "OPTION", "docs/options.md", RUNTIME),
         ([("engine/heap/settings.def", "heap.{}"), ("engine/access/settings.def", "access.{}"),
          ("engine/locate/settings.def", "locate.{}")], "SETTING",
          "docs/settings.md", SETTINGS)]


def rows_of(definitions, macro, name_form):
    rows = re.findall(macro + r'\((\w+), (\w+), ("[^"]*"|[^,]+),\s*"((?:[^"\\]|\\.|"\s*")*)"\)', definitions, re.S)
    if len(rows) != len(re.findall(r"^" + macro + r"\(", definitions, re.M)):
        sys.exit(f"{macro}: not all rows are such that this script understands them")
    text = ""
    for kind, name, default, meaning in rows:
        meaning = re.sub(r'(?<!\\)"\s*"', "", meaning).replace('\\"', '"')
        text += f"| `{name_form.format(name)}` | {kind} | {default if default != chr(34) * 2 else 'empty'} | {meaning} |\n"
    return text


def main():
    root = sys.argv[1]
    for lists, macro, path, head in PAGES:
        wanted = head + TABLE + "".join(rows_of(open(os.path.join(root, definitions)).read(), macro, name_form)
                                        for definitions, name_form in lists)
        file = os.path.join(root, path)
        if "--write" in sys.argv:
            open(file, "w").write(wanted)
        elif not os.path.exists(file) or open(file).read() != wanted:
            sys.exit(f"{path} is stale: run test/docs/options_page.py . --write")


main()
