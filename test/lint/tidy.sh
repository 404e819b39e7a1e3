#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# clang-tidy 19, as configured in .clang-tidy, over the product's sources. Unit tests are left out: gtest's
# macros and fixed random seeds set off checks that are right for product code.
set -euo pipefail
cd "$1"
exec run-clang-tidy-19 -p "$2" -j "$(nproc)" -quiet "$1/(abi|pass|runtime|engine|report|cli)/(?!.*_test\.cpp).*\.cpp$" 2>/dev/null
