// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// syscall: futexes are the scheduler's (the C++ library makes std::future, waits on atomics and the
// guards of static variables of them), every other call is the kernel's. A futex that is not
// private may be another process's; the C++ library's are not private either, so nobody looks now
// and then.
#include "runtime/interface/threads/clock.h"
#include "runtime/interface/threads/real.h"
#include "runtime/locate/threads/scheduler.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

using namespace culprit;
using namespace culprit::locate;

namespace {

long result_of(long kernels) {
  if (kernels >= 0 || kernels < -4095)
    return kernels;
  errno = static_cast<int>(-kernels);
  return -1;
}

long fail(int error) {
  errno = error;
  return -1;
}

uint64_t patience(int operation, const timespec *time) {
  if (!time)
    return os::kForever;
  if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
    return interface::nanoseconds_of(*time);
  return interface::from_now(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                             time);
}

long wait_on(const uint32_t *word, int operation, uint32_t value, const timespec *time) {
  threads::step();
  if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
    return fail(EAGAIN);
  threads::Woken woken = threads::wait({.key = word,
                                        .nanoseconds = patience(operation, time),
                                        .interruptible = true,
                                        .what = "a futex"});
  if (woken == threads::Woken::late)
    return fail(ETIMEDOUT);
  return woken == threads::Woken::interrupted ? fail(EINTR) : 0;
}

} // namespace

CULPRIT_PUBLIC long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long &each : a)
    each = va_arg(list, long);
  va_end(list);
  if (number == SYS_futex) {
    auto *word = reinterpret_cast<const uint32_t *>(a[0]);
    auto operation = static_cast<int>(a[1]);
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      return wait_on(word, operation, static_cast<uint32_t>(a[2]),
                     reinterpret_cast<const timespec *>(a[3]));
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: {
      size_t woken = threads::wake(word, static_cast<uint32_t>(a[2]));
      if (!(operation & FUTEX_PRIVATE_FLAG)) // of other processes
        os::call_kernel(SYS_futex, a[0], a[1], a[2]);
      return static_cast<long>(woken);
    }
    default:
      break;
    }
  }
  return result_of(os::call_kernel(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}
