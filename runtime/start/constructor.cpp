// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry of the runtime as a preload library, which may have no .preinit_array: linked with -z
// initfirst, its constructor runs before that of any other object. glibc hands constructors the
// arguments of main.
#include "runtime/start/begin.h"

extern "C" const char __culprit_entry = 0;

namespace {

__attribute__((constructor)) void construct(int argument_count, char **arguments,
                                            char **environment) {
  culprit::start::begin(argument_count, arguments, environment);
}

} // namespace
