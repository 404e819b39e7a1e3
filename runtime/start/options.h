// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options: the value of CULPRIT_RUNTIME (abi/environment.h) as a struct, one member per row of
// abi/options.def. Read from the environment as the kernel handed it over, on first use: libc may
// not be ready then. Unknown keys and unreadable numbers are passed over: an engine newer than the
// runtime must not stop a target.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::start {

using u64 = uint64_t;
struct PathText {
  char text[512]; // NUL-terminated; empty if it was not given or did not fit
};
using path = PathText; // as abi/options.def spells it

struct Options {
#define OPTION(type, name, default_value, meaning) type name;
#include "abi/options.def"
#undef OPTION
};

// Pure, for tests: fills in the defaults, then what the text says.
void parse_options(const char *text, size_t length, Options &options);

// The environment as start-up got it; without it, libc's or the kernel's is read on first use.
void read_options(char **environment);

const Options &options();

} // namespace culprit::start
