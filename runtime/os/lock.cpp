// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/os/lock.h"

#include "runtime/os/syscall.h"

#include <linux/futex.h>

namespace culprit::os {

void Lock::acquire_contended() {
  // The sections behind these locks take some 100 ns: 64 pauses wait about as long as one of them.
  for (int spin = 0; spin < 64; ++spin) {
    uint32_t expected = 0;
    if (__atomic_load_n(&word, __ATOMIC_RELAXED) == 0 &&
        __atomic_compare_exchange_n(&word, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return;
    __builtin_ia32_pause();
  }
  while (__atomic_exchange_n(&word, 2, __ATOMIC_ACQUIRE) != 0)
    system_call(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT_PRIVATE, 2);
}

void Lock::wake() { system_call(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAKE_PRIVATE, 1); }

} // namespace culprit::os
