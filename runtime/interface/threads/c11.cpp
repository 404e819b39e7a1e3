// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of C11: libc's objects are those of pthread by other names, and so are the functions,
// but for their results.
#include "runtime/interface/threads/clock.h"
#include "runtime/interface/threads/condition.h"
#include "runtime/interface/threads/mutex.h"
#include "runtime/interface/threads/real.h"
#include "runtime/interface/threads/thread.h"
#include "runtime/locate/threads/scheduler.h"

#include <errno.h>

using namespace culprit;
using namespace culprit::locate;

namespace {

// <threads.h> is no C++ header.
enum { kSuccess = 0, kBusy = 1, kError = 2, kNoMemory = 3, kTimedOut = 4 };

int result_of(int error) {
  switch (error) {
  case 0:
    return kSuccess;
  case EBUSY:
    return kBusy;
  case ENOMEM:
  case EAGAIN:
    return kNoMemory;
  case ETIMEDOUT:
    return kTimedOut;
  default:
    return kError;
  }
}

struct Start {
  int (*function)(void *);
  void *argument;
};

} // namespace

extern "C" void *malloc(size_t size) noexcept;
extern "C" void free(void *block) noexcept;

namespace {

void *run(void *given) {
  Start start = *static_cast<Start *>(given);
  free(given);
  return reinterpret_cast<void *>(static_cast<intptr_t>(start.function(start.argument)));
}

} // namespace

CULPRIT_PUBLIC int thrd_create(pthread_t *handle, int (*function)(void *), void *argument) {
  auto *start = static_cast<Start *>(malloc(sizeof(Start)));
  if (!start)
    return kNoMemory;
  *start = {function, argument};
  int error = interface::create_thread(handle, nullptr, run, start);
  if (error)
    free(start);
  return result_of(error);
}

CULPRIT_PUBLIC int thrd_join(pthread_t handle, int *result) {
  void *value = nullptr;
  int error = pthread_join(handle, &value);
  if (!error && result)
    *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return result_of(error);
}

CULPRIT_PUBLIC int thrd_detach(pthread_t handle) { return result_of(pthread_detach(handle)); }
CULPRIT_PUBLIC void thrd_yield() { threads::yield(); }
CULPRIT_PUBLIC int thrd_sleep(const timespec *span, timespec *left) {
  return nanosleep(span, left) == 0 ? 0 : errno == EINTR ? -1 : -2;
}

CULPRIT_PUBLIC int mtx_lock(pthread_mutex_t *mutex) {
  return result_of(interface::lock(mutex, os::kForever));
}
CULPRIT_PUBLIC int mtx_timedlock(pthread_mutex_t *mutex, const timespec *until) {
  return result_of(interface::lock(mutex, interface::from_now(CLOCK_REALTIME, until)));
}
CULPRIT_PUBLIC int mtx_trylock(pthread_mutex_t *mutex) {
  threads::step();
  return result_of(interface::try_lock(mutex));
}
CULPRIT_PUBLIC int mtx_unlock(pthread_mutex_t *mutex) {
  return result_of(interface::unlock(mutex));
}

CULPRIT_PUBLIC int cnd_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  return result_of(interface::wait_for(condition, mutex, os::kForever));
}
CULPRIT_PUBLIC int cnd_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                 const timespec *until) {
  return result_of(
      interface::wait_for(condition, mutex, interface::from_now(CLOCK_REALTIME, until)));
}
CULPRIT_PUBLIC int cnd_signal(pthread_cond_t *condition) {
  threads::wake(condition, 1);
  return kSuccess;
}
CULPRIT_PUBLIC int cnd_broadcast(pthread_cond_t *condition) {
  threads::wake(condition);
  return kSuccess;
}
CULPRIT_PUBLIC void cnd_destroy(pthread_cond_t *) {}

CULPRIT_PUBLIC void call_once(pthread_once_t *control, void (*function)()) {
  pthread_once(control, function);
}
