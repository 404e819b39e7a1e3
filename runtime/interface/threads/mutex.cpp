// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See mutex.h.
#include "runtime/interface/threads/mutex.h"

#include "runtime/interface/threads/clock.h"
#include "runtime/interface/threads/real.h"
#include "runtime/locate/threads/scheduler.h"

#include <errno.h>

using namespace culprit;
using namespace culprit::locate;

namespace {

constexpr int kTypeBits = 3; // of the kind
constexpr int kRobust = 16;
constexpr int kShared = 128; // between processes

int kind_of(const pthread_mutex_t *mutex) { return mutex->__data.__kind; }
int type_of(const pthread_mutex_t *mutex) { return kind_of(mutex) & kTypeBits; }
int own_id() { return threads::self().kernel_id; }

bool is_abandoned(const pthread_mutex_t *mutex) {
  return (kind_of(mutex) & kRobust) && mutex->__data.__owner &&
         !os::is_thread_there(mutex->__data.__owner);
}

void take(pthread_mutex_t *mutex) {
  mutex->__data.__owner = own_id();
  mutex->__data.__count = 1;
}

} // namespace

namespace culprit::interface {

int try_lock(pthread_mutex_t *mutex) {
  int expected = 0;
  if (__atomic_compare_exchange_n(&mutex->__data.__lock, &expected, 1, false, __ATOMIC_ACQUIRE,
                                  __ATOMIC_RELAXED)) {
    take(mutex);
    return 0;
  }
  if (mutex->__data.__owner == own_id() && type_of(mutex) == PTHREAD_MUTEX_RECURSIVE_NP) {
    if (++mutex->__data.__count)
      return 0;
    --mutex->__data.__count;
    return EAGAIN;
  }
  if (is_abandoned(mutex)) {
    take(mutex);
    return EOWNERDEAD;
  }
  return EBUSY;
}

int lock(pthread_mutex_t *mutex, uint64_t nanoseconds) {
  threads::step();
  for (;;) {
    int error = try_lock(mutex);
    if (error != EBUSY)
      return error;
    if (type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK_NP && mutex->__data.__owner == own_id())
      return EDEADLK;
    mutex->__data.__lock = 2;
    threads::Woken woken = threads::wait({.key = mutex,
                                          .nanoseconds = nanoseconds,
                                          .polls = (kind_of(mutex) & (kShared | kRobust)) != 0,
                                          .what = "a mutex"});
    if (woken == threads::Woken::late)
      return ETIMEDOUT;
  }
}

int unlock(pthread_mutex_t *mutex) {
  int type = type_of(mutex);
  bool checked = type == PTHREAD_MUTEX_RECURSIVE_NP || type == PTHREAD_MUTEX_ERRORCHECK_NP ||
                 (kind_of(mutex) & kRobust);
  if (checked && (!mutex->__data.__lock || mutex->__data.__owner != own_id()))
    return EPERM;
  if (type == PTHREAD_MUTEX_RECURSIVE_NP && --mutex->__data.__count)
    return 0;
  mutex->__data.__owner = 0;
  if (__atomic_exchange_n(&mutex->__data.__lock, 0, __ATOMIC_RELEASE) > 1)
    threads::wake(mutex);
  return 0;
}

} // namespace culprit::interface

CULPRIT_PUBLIC int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  return interface::lock(mutex, os::kForever);
}

CULPRIT_PUBLIC int pthread_mutex_trylock(pthread_mutex_t *mutex) noexcept {
  threads::step();
  return interface::try_lock(mutex);
}

CULPRIT_PUBLIC int pthread_mutex_unlock(pthread_mutex_t *mutex) noexcept {
  return interface::unlock(mutex);
}

CULPRIT_PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *mutex, const timespec *until) noexcept {
  if (interface::try_lock(mutex) == 0)
    return 0;
  if (!interface::is_valid(until))
    return EINVAL;
  return interface::lock(mutex, interface::from_now(CLOCK_REALTIME, until));
}

CULPRIT_PUBLIC int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                           const timespec *until) noexcept {
  if (interface::try_lock(mutex) == 0)
    return 0;
  if (!interface::is_valid(until))
    return EINVAL;
  return interface::lock(mutex, interface::from_now(clock, until));
}

CULPRIT_PUBLIC int pthread_mutex_destroy(pthread_mutex_t *mutex) noexcept {
  if (mutex->__data.__lock)
    return EBUSY;
  mutex->__data.__kind = -1;
  return 0;
}

CULPRIT_PUBLIC int pthread_mutex_consistent(pthread_mutex_t *mutex) noexcept {
  return (kind_of(mutex) & kRobust) && mutex->__data.__owner == own_id() ? 0 : EINVAL;
}

// Spin locks: an int that is 1 when free, for libc. Nobody changes it while we look.
CULPRIT_PUBLIC int pthread_spin_lock(pthread_spinlock_t *word) noexcept {
  while (*word != 1)
    threads::yield();
  *word = 0;
  return 0;
}

CULPRIT_PUBLIC int pthread_spin_trylock(pthread_spinlock_t *word) noexcept {
  threads::step();
  if (*word != 1)
    return EBUSY;
  *word = 0;
  return 0;
}

CULPRIT_PUBLIC int pthread_spin_unlock(pthread_spinlock_t *word) noexcept {
  *word = 1;
  return 0;
}
