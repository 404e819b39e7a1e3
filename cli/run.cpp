// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// placeholder until launch lands
#include "cli/command.h"
namespace culprit::cli {
Action declare_run(CLI::App &) { return [] { return kCannot; }; }
} // namespace culprit::cli
