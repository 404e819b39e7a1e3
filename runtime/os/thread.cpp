// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/os/thread.h"

#include "runtime/os/process.h"
#include "runtime/os/syscall.h"

#include <asm/prctl.h>
#include <linux/errno.h>
#include <linux/futex.h>
#include <linux/time.h>
#include <linux/time_types.h>

namespace culprit::os {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

__kernel_timespec time_of(uint64_t nanoseconds) {
  return {static_cast<long long>(nanoseconds / kSecond),
          static_cast<long long>(nanoseconds % kSecond)};
}

} // namespace

void sleep_on(const uint32_t *word, uint32_t value, uint64_t nanoseconds) {
  __kernel_timespec time = time_of(nanoseconds);
  system_call(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAIT_PRIVATE, value,
              nanoseconds == kForever ? 0 : reinterpret_cast<long>(&time));
}

void wake_sleepers(const uint32_t *word) {
  system_call(SYS_futex, reinterpret_cast<long>(word), FUTEX_WAKE_PRIVATE, INT32_MAX);
}

void yield_processor() { system_call(SYS_sched_yield); }

void sleep_until(uint64_t monotonic_ns) {
  __kernel_timespec time = time_of(monotonic_ns);
  while (system_call(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME,
                     reinterpret_cast<long>(&time)) == -EINTR)
    ;
}

bool set_gs_base(uintptr_t base) {
  return !failed(system_call(SYS_arch_prctl, ARCH_SET_GS, static_cast<long>(base)));
}

bool is_thread_there(int thread) {
  return system_call(SYS_tgkill, process_id(), thread, 0) != -ESRCH;
}

long call_kernel(long number, long a, long b, long c, long d, long e, long f) {
  return system_call(number, a, b, c, d, e, f);
}

size_t poll(Polled *all, size_t count, uint64_t nanoseconds) {
  __kernel_timespec time = time_of(nanoseconds);
  long ready = system_call(SYS_ppoll, reinterpret_cast<long>(all), static_cast<long>(count),
                           nanoseconds == kForever ? 0 : reinterpret_cast<long>(&time));
  return ready > 0 ? static_cast<size_t>(ready) : 0;
}

} // namespace culprit::os
