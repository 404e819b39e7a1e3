// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read-write locks, barriers and semaphores. The first in libc's object (readers, and the kernel's
// id of the writer), so that its initialisers hold; barriers in one of ours; semaphores in libc's,
// whose count is its first word, as other processes may see it.
#include "runtime/interface/threads/clock.h"
#include "runtime/interface/threads/real.h"
#include "runtime/locate/threads/scheduler.h"

#include <errno.h>
#include <semaphore.h>

using namespace culprit;
using namespace culprit::locate;

namespace {

int try_read(pthread_rwlock_t *lock) {
  if (lock->__data.__cur_writer)
    return EBUSY;
  ++lock->__data.__readers;
  return 0;
}

int try_write(pthread_rwlock_t *lock) {
  if (lock->__data.__cur_writer || lock->__data.__readers)
    return EBUSY;
  lock->__data.__cur_writer = threads::self().kernel_id;
  return 0;
}

int take(pthread_rwlock_t *lock, int (*attempt)(pthread_rwlock_t *), uint64_t nanoseconds) {
  threads::step();
  while (attempt(lock)) {
    if (lock->__data.__cur_writer == threads::self().kernel_id)
      return EDEADLK;
    threads::Woken woken = threads::wait({.key = lock,
                                          .nanoseconds = nanoseconds,
                                          .polls = lock->__data.__shared != 0,
                                          .what = "a read-write lock"});
    if (woken == threads::Woken::late)
      return ETIMEDOUT;
  }
  return 0;
}

struct Barrier {
  unsigned count;
  unsigned arrived;
  unsigned shared;
  unsigned round;
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));

Barrier &barrier_of(pthread_barrier_t *barrier) { return *reinterpret_cast<Barrier *>(barrier); }

struct Semaphore {
  unsigned value;
  unsigned waiting; // for libc
  int shared;
};

Semaphore &semaphore_of(sem_t *semaphore) { return *reinterpret_cast<Semaphore *>(semaphore); }

bool try_down(Semaphore &semaphore) {
  unsigned value = __atomic_load_n(&semaphore.value, __ATOMIC_RELAXED);
  while (value)
    if (__atomic_compare_exchange_n(&semaphore.value, &value, value - 1, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
      return true;
  return false;
}

int fail(int error) {
  errno = error;
  return -1;
}

int down(sem_t *object, uint64_t nanoseconds) {
  Semaphore &semaphore = semaphore_of(object);
  pthread_testcancel();
  threads::step();
  while (!try_down(semaphore)) {
    threads::Woken woken = threads::wait({.key = object,
                                          .nanoseconds = nanoseconds,
                                          .polls = semaphore.shared != 0,
                                          .interruptible = true,
                                          .cancellable = true,
                                          .what = "a semaphore"});
    if (woken == threads::Woken::cancelled)
      pthread_testcancel();
    if (woken == threads::Woken::late)
      return fail(ETIMEDOUT);
    if (woken == threads::Woken::interrupted && !semaphore.value)
      return fail(EINTR);
  }
  return 0;
}

} // namespace

CULPRIT_PUBLIC int pthread_rwlock_rdlock(pthread_rwlock_t *lock) noexcept {
  return take(lock, try_read, os::kForever);
}

CULPRIT_PUBLIC int pthread_rwlock_wrlock(pthread_rwlock_t *lock) noexcept {
  return take(lock, try_write, os::kForever);
}

CULPRIT_PUBLIC int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) noexcept {
  threads::step();
  return try_read(lock);
}

CULPRIT_PUBLIC int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) noexcept {
  threads::step();
  return try_write(lock);
}

CULPRIT_PUBLIC int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock,
                                              const timespec *until) noexcept {
  return take(lock, try_read, interface::from_now(CLOCK_REALTIME, until));
}

CULPRIT_PUBLIC int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock,
                                              const timespec *until) noexcept {
  return take(lock, try_write, interface::from_now(CLOCK_REALTIME, until));
}

CULPRIT_PUBLIC int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                              const timespec *until) noexcept {
  return take(lock, try_read, interface::from_now(clock, until));
}

CULPRIT_PUBLIC int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                              const timespec *until) noexcept {
  return take(lock, try_write, interface::from_now(clock, until));
}

CULPRIT_PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *lock) noexcept {
  if (lock->__data.__cur_writer)
    lock->__data.__cur_writer = 0;
  else if (lock->__data.__readers)
    --lock->__data.__readers;
  if (!lock->__data.__readers)
    threads::wake(lock);
  return 0;
}

CULPRIT_PUBLIC int pthread_barrier_init(pthread_barrier_t *object,
                                        const pthread_barrierattr_t *attributes,
                                        unsigned count) noexcept {
  if (!count || count > INT32_MAX)
    return EINVAL;
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes)
    pthread_barrierattr_getpshared(attributes, &shared);
  barrier_of(object) = {count, 0, shared == PTHREAD_PROCESS_SHARED, 0};
  return 0;
}

CULPRIT_PUBLIC int pthread_barrier_destroy(pthread_barrier_t *) noexcept { return 0; }

CULPRIT_PUBLIC int pthread_barrier_wait(pthread_barrier_t *object) noexcept {
  Barrier &barrier = barrier_of(object);
  unsigned round = barrier.round;
  if (__atomic_add_fetch(&barrier.arrived, 1, __ATOMIC_ACQ_REL) == barrier.count) {
    barrier.arrived = 0;
    __atomic_store_n(&barrier.round, round + 1, __ATOMIC_RELEASE);
    threads::wake(object);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  while (__atomic_load_n(&barrier.round, __ATOMIC_ACQUIRE) == round)
    threads::wait({.key = object, .polls = barrier.shared != 0, .what = "a barrier"});
  return 0;
}

CULPRIT_PUBLIC int sem_wait(sem_t *semaphore) { return down(semaphore, os::kForever); }

CULPRIT_PUBLIC int sem_timedwait(sem_t *semaphore, const timespec *until) {
  return down(semaphore, interface::from_now(CLOCK_REALTIME, until));
}

CULPRIT_PUBLIC int sem_clockwait(sem_t *semaphore, clockid_t clock, const timespec *until) {
  return down(semaphore, interface::from_now(clock, until));
}

CULPRIT_PUBLIC int sem_trywait(sem_t *semaphore) noexcept {
  threads::step();
  return try_down(semaphore_of(semaphore)) ? 0 : fail(EAGAIN);
}

CULPRIT_PUBLIC int sem_post(sem_t *object) noexcept {
  Semaphore &semaphore = semaphore_of(object);
  if (__atomic_load_n(&semaphore.value, __ATOMIC_RELAXED) == INT32_MAX)
    return fail(EOVERFLOW);
  __atomic_fetch_add(&semaphore.value, 1, __ATOMIC_RELEASE);
  threads::wake(object, 1);
  return 0;
}
