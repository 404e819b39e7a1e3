#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every C and C++ file of ours is formatted; every file of ours begins with its licence; shell scripts are clean.
set -euo pipefail
cd "$1"
mapfile -t sources < <(git ls-files '*.cpp' '*.h' '*.c' ':!test/cc' ':!test/*/Inputs')
clang-format-19 --dry-run --Werror "${sources[@]}"
mapfile -t licensed < <(git ls-files '*.cpp' '*.h' '*.c' '*.py' '*.cmake' 'CMakeLists.txt' '*/CMakeLists.txt' '*.def' \
  ':!test/cc/*.c' ':!test/cc/*.cpp' ':!test/cc/Inputs' ':!test/*/Inputs')
# The Valgrind tool is linked with Valgrind's core and has its licence (docs/decisions/0017).
missing=$(for file in "${licensed[@]}"; do
  licence='Apache-2.0 WITH LLVM-exception'
  [[ $file == valgrind/*.cpp || $file == valgrind/*.h ]] && licence='GPL-2.0-or-later'
  head -n 2 "$file" | grep -q "SPDX-License-Identifier: $licence" || echo "$file"
done)
if [ -n "$missing" ]; then
  echo "no licence line in: $missing"
  exit 1
fi
mapfile -t scripts < <(git ls-files | xargs grep -lE '^#!.*(bash|/sh)$' --)
shellcheck "${scripts[@]}"
