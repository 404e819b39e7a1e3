// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pthread_create, join, detach, cancel, once and yielding, under the scheduler of
// locate/threads/. libc still makes and buries threads; when they run is not its business.
#include "runtime/interface/threads/thread.h"

#include "runtime/interface/threads/clock.h"
#include "runtime/interface/threads/real.h"
#include "runtime/locate/threads/scheduler.h"

#include <errno.h>
#include <sched.h>

using namespace culprit;
using namespace culprit::locate;

namespace {

void *run(void *argument) {
  auto &thread = *static_cast<threads::Thread *>(argument);
  threads::begin_thread(thread);
  return thread.start(thread.argument);
}

int join(pthread_t handle, void **result, uint64_t nanoseconds) {
  threads::Thread *thread = threads::find_thread(handle);
  if (!thread)
    return CULPRIT_REAL(__pthread_join, "pthread_join")(handle, result);
  if (thread == &threads::self())
    return EDEADLK;
  pthread_testcancel();
  while (thread->state != threads::State::ended) {
    threads::Woken woken = threads::wait({.key = thread,
                                          .nanoseconds = nanoseconds,
                                          .cancellable = true,
                                          .what = "another thread's end"});
    if (woken == threads::Woken::cancelled)
      pthread_testcancel();
    if (woken == threads::Woken::late)
      return ETIMEDOUT;
  }
  int error = CULPRIT_REAL(__pthread_join, "pthread_join")(handle, result);
  threads::forget_thread(*thread);
  return error;
}

} // namespace

namespace culprit::interface {

int create_thread(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                  void *argument) {
  size_t length = 0;
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes) {
    pthread_attr_getstacksize(attributes, &length);
    pthread_attr_getdetachstate(attributes, &detached);
  }
  threads::Thread *thread = threads::prepare_thread(length);
  if (!thread)
    return EAGAIN;
  thread->start = start;
  thread->argument = argument;
  thread->detached = detached == PTHREAD_CREATE_DETACHED;
  int error = CULPRIT_REAL(__pthread_create_2_1, "pthread_create")(handle, attributes, run, thread);
  if (error)
    threads::forget_thread(*thread);
  else
    thread->handle = *handle;
  return error;
}

} // namespace culprit::interface

CULPRIT_PUBLIC int pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                                  void *(*start)(void *), void *argument) noexcept {
  return interface::create_thread(handle, attributes, start, argument);
}

CULPRIT_PUBLIC int pthread_join(pthread_t handle, void **result) {
  return join(handle, result, os::kForever);
}

CULPRIT_PUBLIC int pthread_timedjoin_np(pthread_t handle, void **result, const timespec *until) {
  return join(handle, result, interface::from_now(CLOCK_REALTIME, until));
}

CULPRIT_PUBLIC int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
                                        const timespec *until) {
  return join(handle, result, interface::from_now(clock, until));
}

CULPRIT_PUBLIC int pthread_tryjoin_np(pthread_t handle, void **result) noexcept {
  threads::Thread *thread = threads::find_thread(handle);
  if (thread && thread->state != threads::State::ended) {
    threads::step();
    return EBUSY;
  }
  return join(handle, result, os::kForever);
}

CULPRIT_PUBLIC int pthread_detach(pthread_t handle) noexcept {
  int error = CULPRIT_REAL(__pthread_detach, "pthread_detach")(handle);
  if (threads::Thread *thread = error ? nullptr : threads::find_thread(handle))
    threads::detach_thread(*thread);
  return error;
}

CULPRIT_PUBLIC int pthread_cancel(pthread_t handle) {
  int error = CULPRIT_REAL(__pthread_cancel, "pthread_cancel")(handle);
  if (threads::Thread *thread = error ? nullptr : threads::find_thread(handle))
    threads::cancel_wait(*thread);
  return error;
}

// libc's knows what to do when the function is left by an exception; but it would wait for another
// thread with the baton in its hand.
CULPRIT_PUBLIC int pthread_once(pthread_once_t *control, void (*function)()) {
  constexpr int kStateBits = 3;
  constexpr int kRunning = 1;
  while ((*static_cast<volatile pthread_once_t *>(control) & kStateBits) == kRunning &&
         !threads::is_alone())
    threads::yield();
  return CULPRIT_REAL(__pthread_once, "pthread_once")(control, function);
}

CULPRIT_PUBLIC int sched_yield() noexcept {
  threads::yield();
  return 0;
}
