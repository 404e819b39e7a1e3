// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// abort: as libc's, and a locate flavour is told while the call stack is still the target's (libc's
// own has no frame pointers). Calls inside libc (a failed assertion) do not come here; their signal
// does (locate/signals.h). Weak: in a static executable libc's own is there, with what else its
// object defines.
#include "runtime/locate/crash.h"
#include "runtime/locate/flavour.h"

#include "runtime/os/signal.h"

#include <signal.h>

using namespace culprit;

extern "C" [[noreturn]] __attribute__((weak, visibility("default"))) void abort() noexcept {
  if (locate::g_on)
    locate::tell_crash({CULPRIT_CRASH_ABORT, SIGABRT, 0, 0,
                        reinterpret_cast<uintptr_t>(__builtin_frame_address(0)), 0, 0});
  os::allow_signal(SIGABRT);
  os::send_to_this_thread(SIGABRT);
  os::die_of(SIGABRT); // ignored, or the handler returned
}
