// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry of the runtime in an executable: .preinit_array runs before the constructors of every
// shared object.
#include "runtime/start/begin.h"

extern "C" const char __culprit_entry = 0;

namespace {

void preinit(int argument_count, char **arguments, char **environment) {
  culprit::start::begin(argument_count, arguments, environment);
}

__attribute__((section(".preinit_array"), used)) void (*const g_entry)(int, char **,
                                                                       char **) = preinit;

} // namespace
