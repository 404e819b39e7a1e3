// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// System calls that block for another process or for a signal: the baton is given away around them,
// if there is another thread.
#include "runtime/interface/threads/kernel.h"
#include "runtime/interface/threads/real.h"
#include "runtime/locate/signals.h"
#include "runtime/locate/threads/scheduler.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

using namespace culprit;
using namespace culprit::locate;
using interface::kernel;

namespace {

constexpr long kMaskBytes = 8;

template <typename... Words> long outside(long number, Words... words) {
  if (threads::is_alone())
    return kernel(number, words...);
  pthread_testcancel();
  threads::go_outside();
  long result = kernel(number, words...);
  int error = errno;
  threads::come_back();
  pthread_testcancel();
  errno = error;
  return result;
}

uint64_t mask_of(const sigset_t *set) {
  uint64_t mask = 0;
  __builtin_memcpy(&mask, set, sizeof mask);
  return mask;
}

} // namespace

CULPRIT_PUBLIC pid_t wait4(pid_t child, int *status, int options, rusage *usage) {
  if (options & WNOHANG)
    return static_cast<pid_t>(kernel(SYS_wait4, child, status, options, usage));
  return static_cast<pid_t>(outside(SYS_wait4, child, status, options, usage));
}

CULPRIT_PUBLIC pid_t wait3(int *status, int options, rusage *usage) {
  return wait4(-1, status, options, usage);
}

CULPRIT_PUBLIC pid_t waitpid(pid_t child, int *status, int options) {
  return wait4(child, status, options, nullptr);
}

CULPRIT_PUBLIC pid_t wait(int *status) { return wait4(-1, status, 0, nullptr); }

CULPRIT_PUBLIC int waitid(idtype_t type, id_t id, siginfo_t *info, int options) {
  return static_cast<int>(outside(SYS_waitid, type, static_cast<long>(id), info, options, 0));
}

CULPRIT_PUBLIC int pause() { return static_cast<int>(outside(SYS_pause)); }

CULPRIT_PUBLIC int sigsuspend(const sigset_t *set) {
  uint64_t mask = without_faults(mask_of(set));
  return static_cast<int>(outside(SYS_rt_sigsuspend, &mask, kMaskBytes));
}

CULPRIT_PUBLIC int sigtimedwait(const sigset_t *set, siginfo_t *info, const timespec *timeout) {
  uint64_t mask = mask_of(set);
  return static_cast<int>(outside(SYS_rt_sigtimedwait, &mask, info, timeout, kMaskBytes));
}

CULPRIT_PUBLIC int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
  return sigtimedwait(set, info, nullptr);
}

CULPRIT_PUBLIC int sigwait(const sigset_t *set, int *number) {
  int got = -1;
  do
    got = sigwaitinfo(set, nullptr);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return errno;
  *number = got;
  return 0;
}

CULPRIT_PUBLIC int flock(int descriptor, int operation) noexcept {
  return static_cast<int>(outside(SYS_flock, descriptor, operation));
}

CULPRIT_PUBLIC int connect(int socket, const sockaddr *address, socklen_t length) {
  return static_cast<int>(outside(SYS_connect, socket, address, static_cast<long>(length)));
}
