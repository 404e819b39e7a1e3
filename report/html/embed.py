# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""embed.py NAMESPACE OUT NAME=FILE...: a header with the files as strings kNAME, and their digests for the page's policy."""
import base64
import hashlib
import sys


def literal(text):
    # Not one string: compilers bound its length, and raw strings their end.
    return "\n".join('    "' + line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
                     for line in text.splitlines(keepends=True))


def main():
    namespace, out = sys.argv[1:3]
    parts = ["// Written by embed.py.", "#pragma once", "#include <string_view>", "", f"namespace {namespace} {{", ""]
    for name, path in (word.split("=", 1) for word in sys.argv[3:]):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if "</" in text:
            sys.exit(f"{path}: '</' would end the element it is embedded in")
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        parts += [f"inline constexpr std::string_view k{name} =\n{literal(text)};",
                  f'inline constexpr std::string_view k{name}Digest = "{digest}";', ""]
    parts.append(f"}} // namespace {namespace}")
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n")


main()
