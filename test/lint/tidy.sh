#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tidy.sh SOURCES BUILD PLUGIN: clang-tidy 19, as configured in .clang-tidy, over the product's sources. Prints its
# findings alone. Unit tests are left out: gtest's macros and fixed random seeds set off checks that are right for
# product code. A planted error comes first: a linter that sees nothing would pass everything.
set -euo pipefail
sources=$1 build=$2 plugin=$3
cd "$sources"
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

cat > "$log/planted.cpp" <<'PLANTED'
#include <string>
#include <utility>
int *nothing() { return 0; }
std::string moved(std::string text) {
  std::string other = std::move(text);
  return other + text;
}
int dereferenced(const int *place) { return place == nullptr ? *place : 0; }
PLANTED
clang-tidy-19 --load="$plugin" --config-file=.clang-tidy --quiet "$log/planted.cpp" -- -std=c++23 \
  > "$log/planted.txt" 2>/dev/null || true
for check in modernize-use-nullptr bugprone-use-after-move clang-analyzer-core.NullDereference; do
  if ! grep -q "$check" "$log/planted.txt"; then
    echo "clang-tidy with $plugin does not see a planted error of $check"
    exit 1
  fi
done

# The runtime's sources are compiled several times over, for the flavours and for tests: once is enough to read them.
/usr/bin/python3 - "$build/compile_commands.json" "$log/compile_commands.json" <<'ONCE'
import json, sys
with open(sys.argv[1]) as commands, open(sys.argv[2], "w") as once:
    json.dump(list({row["file"]: row for row in reversed(json.load(commands))}.values()), once)
ONCE

if run-clang-tidy-19 -p "$log" -load "$plugin" -j "$(nproc)" -quiet \
  "$sources/(abi|pass|runtime|engine|report|cli)/(?!.*_test\.cpp).*\.cpp$" > "$log/findings.txt" 2>&1; then
  exit 0
fi
grep -vE '^(\[ *[0-9]+/[0-9]+\]|[0-9]+ warnings? (and [0-9]+ errors? )?generated\.|Running clang-tidy|$)' "$log/findings.txt"
exit 1
