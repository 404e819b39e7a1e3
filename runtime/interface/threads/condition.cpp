// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See condition.h.
#include "runtime/interface/threads/condition.h"

#include "runtime/interface/threads/clock.h"
#include "runtime/interface/threads/mutex.h"
#include "runtime/interface/threads/real.h"
#include "runtime/locate/threads/scheduler.h"

#include <errno.h>

using namespace culprit;
using namespace culprit::locate;

namespace {

// As pthread_condattr_setclock left it: libc keeps it in a bit of the object.
clockid_t clock_of(const pthread_cond_t *condition) {
  constexpr unsigned kMonotonic = 2;
  return condition->__data.__wrefs & kMonotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

bool is_shared(const pthread_cond_t *condition) { return condition->__data.__wrefs & 1; }

} // namespace

namespace culprit::interface {

int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t nanoseconds) {
  pthread_testcancel();
  if (int error = unlock(mutex))
    return error;
  threads::Woken woken = threads::wait({.key = condition,
                                        .nanoseconds = nanoseconds,
                                        .polls = is_shared(condition),
                                        .cancellable = true,
                                        .what = "a condition"});
  int error = lock(mutex, os::kForever);
  if (woken == threads::Woken::cancelled)
    pthread_testcancel(); // a return for no reason, if it is not allowed to end
  if (error)
    return error;
  return woken == threads::Woken::late ? ETIMEDOUT : 0;
}

} // namespace culprit::interface

CULPRIT_PUBLIC int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  return interface::wait_for(condition, mutex, os::kForever);
}

CULPRIT_PUBLIC int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                          const timespec *until) {
  if (!interface::is_valid(until))
    return EINVAL;
  return interface::wait_for(condition, mutex, interface::from_now(clock_of(condition), until));
}

CULPRIT_PUBLIC int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                          clockid_t clock, const timespec *until) {
  if (!interface::is_valid(until))
    return EINVAL;
  return interface::wait_for(condition, mutex, interface::from_now(clock, until));
}

CULPRIT_PUBLIC int pthread_cond_signal(pthread_cond_t *condition) noexcept {
  threads::wake(condition, 1);
  return 0;
}

CULPRIT_PUBLIC int pthread_cond_broadcast(pthread_cond_t *condition) noexcept {
  threads::wake(condition);
  return 0;
}

CULPRIT_PUBLIC int pthread_cond_destroy(pthread_cond_t *) noexcept { return 0; }
