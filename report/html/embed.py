# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""embed.py STYLE SCRIPT OUT: a header with both files as strings, and their digests for the page's policy."""
import base64
import hashlib
import sys


def literal(text):
    # Not one string: compilers bound its length, and raw strings their end.
    return "\n".join('    "' + line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
                     for line in text.splitlines(keepends=True))


def main():
    style_file, script_file, out = sys.argv[1:]
    parts = ["// Written by embed.py.", "#pragma once", "#include <string_view>", "", "namespace culprit::report::html {", ""]
    for name, path in (("Style", style_file), ("Script", script_file)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if "</" in text:
            sys.exit(f"{path}: '</' would end the element it is embedded in")
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        parts += [f"inline constexpr std::string_view k{name} =\n{literal(text)};",
                  f'inline constexpr std::string_view k{name}Digest = "{digest}";', ""]
    parts.append("} // namespace culprit::report::html")
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")


main()
