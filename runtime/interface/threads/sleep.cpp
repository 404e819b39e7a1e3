// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sleeping: a wait that nobody ends but time. Alone, the kernel's.
#include "runtime/interface/threads/clock.h"
#include "runtime/interface/threads/real.h"
#include "runtime/locate/threads/scheduler.h"
#include "runtime/os/process.h"

#include <errno.h>
#include <sys/syscall.h>

using namespace culprit;
using namespace culprit::locate;

namespace {

// 0 or an error number; what is left of it.
int sleep_for(uint64_t nanoseconds, timespec *left) {
  uint64_t end = os::monotonic_ns() + nanoseconds;
  pthread_testcancel();
  threads::Woken woken{};
  do {
    woken = threads::wait({.nanoseconds = nanoseconds, .interruptible = true, .cancellable = true});
    if (woken == threads::Woken::cancelled)
      pthread_testcancel();
  } while (woken == threads::Woken::cancelled);
  if (woken != threads::Woken::interrupted)
    return 0;
  uint64_t now = os::monotonic_ns();
  uint64_t rest = now < end ? end - now : 0;
  if (left)
    *left = {static_cast<time_t>(rest / interface::kSecond),
             static_cast<long>(rest % interface::kSecond)};
  return EINTR;
}

int sleep_span(const timespec *span, timespec *left) {
  if (!interface::is_valid(span) || span->tv_sec < 0)
    return EINVAL;
  if (threads::is_alone()) {
    pthread_testcancel();
    return static_cast<int>(-os::call_kernel(SYS_nanosleep, reinterpret_cast<long>(span),
                                             reinterpret_cast<long>(left)));
  }
  return sleep_for(interface::nanoseconds_of(*span), left);
}

} // namespace

CULPRIT_PUBLIC int nanosleep(const timespec *span, timespec *left) {
  int error = sleep_span(span, left);
  if (error)
    errno = error;
  return error ? -1 : 0;
}

CULPRIT_PUBLIC int clock_nanosleep(clockid_t clock, int flags, const timespec *time,
                                   timespec *left) {
  if (threads::is_alone())
    return static_cast<int>(-os::call_kernel(SYS_clock_nanosleep, clock, flags,
                                             reinterpret_cast<long>(time),
                                             reinterpret_cast<long>(left)));
  if (!(flags & TIMER_ABSTIME))
    return sleep_span(time, left);
  return interface::is_valid(time) ? sleep_for(interface::from_now(clock, time), nullptr) : EINVAL;
}

CULPRIT_PUBLIC int usleep(unsigned microseconds) {
  timespec span{static_cast<time_t>(microseconds / 1'000'000),
                static_cast<long>(microseconds % 1'000'000 * 1000)};
  return nanosleep(&span, nullptr);
}

CULPRIT_PUBLIC unsigned sleep(unsigned seconds) {
  timespec span{static_cast<time_t>(seconds), 0};
  timespec left{};
  int before = errno;
  if (nanosleep(&span, &left) == 0)
    return 0;
  errno = before;
  return static_cast<unsigned>(left.tv_sec + (left.tv_nsec >= interface::kSecond / 2));
}
