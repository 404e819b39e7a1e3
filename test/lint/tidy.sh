#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# clang-tidy 19, as configured in .clang-tidy, over every file of a build's compilation database but tests' programs.
set -euo pipefail
cd "$1"
exec run-clang-tidy-19 -p "$2" -j "$(nproc)" -quiet "$1/(abi|pass|runtime|engine|report|cli)/.*\.cpp$" 2>/dev/null
