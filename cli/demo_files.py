# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""demo_files.py OUT FILE...: a header with the files as strings, for `culprit demo` to write out again."""
import os
import sys


def literal(text):
    # Not one string: compilers bound its length, and raw strings their end.
    return "\n".join('     "' + line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
                     for line in text.splitlines(keepends=True))


def main():
    out, *files = sys.argv[1:]
    rows = []
    for path in files:
        with open(path, encoding="utf-8") as file:
            rows.append(f'    {{"{os.path.basename(path)}",\n{literal(file.read())}}},')
    text = ["// Written by demo_files.py.", "#pragma once", "#include <array>", "#include <string_view>", "",
            "namespace culprit::cli {", "", "struct DemoFile {", "  std::string_view name;", "  std::string_view text;", "};",
            f"inline constexpr std::array<DemoFile, {len(files)}> kDemoFiles = {{{{", *rows, "}};", "",
            "} // namespace culprit::cli"]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(text) + "\n")


main()
