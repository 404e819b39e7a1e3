// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading, writing and waiting for descriptors. What is ready is done at once, with the baton:
// files always are. For anything else the thread waits under the scheduler, which looks at
// descriptors when nobody can run: so threads that talk through a pipe do so in the same order
// every time.
#include "runtime/interface/threads/clock.h"
#include "runtime/interface/threads/kernel.h"
#include "runtime/interface/threads/real.h"
#include "runtime/locate/threads/scheduler.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>

using namespace culprit;
using namespace culprit::locate;
using interface::kernel;

static_assert(sizeof(os::Polled) == sizeof(pollfd));

namespace {

// True: go on with the call; false: a signal's handler ran. With several threads only.
bool await(os::Polled *descriptors, size_t count, uint64_t nanoseconds, bool &late) {
  late = false;
  for (;;) {
    pthread_testcancel();
    if (os::poll(descriptors, count, 0))
      return true;
    threads::Woken woken = threads::wait({.nanoseconds = nanoseconds,
                                          .descriptors = descriptors,
                                          .descriptor_count = count,
                                          .interruptible = true,
                                          .cancellable = true,
                                          .what = "a descriptor"});
    if (woken == threads::Woken::late)
      late = true;
    if (late || woken == threads::Woken::normally)
      return true;
    if (woken == threads::Woken::interrupted)
      return false;
  }
}

bool is_blocking(int descriptor) {
  long flags = os::call_kernel(SYS_fcntl, descriptor, F_GETFL);
  return flags >= 0 && !(flags & O_NONBLOCK);
}

// Before a call that may block for this. False: it was interrupted, and errno is set.
bool is_time_for(int descriptor, short events, int flags = 0) {
  if (threads::is_alone())
    return true;
  os::Polled polled{descriptor, events, 0};
  bool late = false;
  if (os::poll(&polled, 1, 0) || (flags & MSG_DONTWAIT) || !is_blocking(descriptor) ||
      await(&polled, 1, os::kForever, late))
    return true;
  errno = EINTR;
  return false;
}

uint64_t milliseconds(int count) {
  return count < 0 ? os::kForever : static_cast<uint64_t>(count) * 1'000'000;
}

constexpr size_t kMostSelected = FD_SETSIZE;

size_t to_polled(int count, fd_set *const (&sets)[3], os::Polled *polled) {
  constexpr short kEvents[] = {POLLIN, POLLOUT, POLLPRI};
  size_t used = 0;
  for (int descriptor = 0; descriptor < count; ++descriptor) {
    short events = 0;
    for (size_t i = 0; i < 3; ++i)
      if (sets[i] && FD_ISSET(descriptor, sets[i]))
        events = static_cast<short>(events | kEvents[i]);
    if (events && used < kMostSelected)
      polled[used++] = {descriptor, events, 0};
  }
  return used;
}

// Whether the kernel is to be asked, and then not to wait.
enum class Asked { now, as_it_is, interrupted };

Asked before_select(int count, fd_set *const (&sets)[3], uint64_t nanoseconds) {
  if (threads::is_alone())
    return Asked::as_it_is;
  os::Polled polled[kMostSelected];
  size_t used = to_polled(count, sets, polled);
  bool late = false;
  return await(polled, used, nanoseconds, late) ? Asked::now : Asked::interrupted;
}

int interrupted() {
  errno = EINTR;
  return -1;
}

} // namespace

#define CULPRIT_BEFORE(descriptor, events, ...)                                                    \
  if (!is_time_for(descriptor, events __VA_OPT__(, ) __VA_ARGS__))                                 \
  return -1

CULPRIT_PUBLIC ssize_t read(int descriptor, void *to, size_t size) {
  CULPRIT_BEFORE(descriptor, POLLIN);
  return kernel(SYS_read, descriptor, to, static_cast<long>(size));
}

CULPRIT_PUBLIC ssize_t readv(int descriptor, const iovec *parts, int count) {
  CULPRIT_BEFORE(descriptor, POLLIN);
  return kernel(SYS_readv, descriptor, parts, count);
}

CULPRIT_PUBLIC ssize_t write(int descriptor, const void *from, size_t size) {
  CULPRIT_BEFORE(descriptor, POLLOUT);
  return kernel(SYS_write, descriptor, from, static_cast<long>(size));
}

CULPRIT_PUBLIC ssize_t writev(int descriptor, const iovec *parts, int count) {
  CULPRIT_BEFORE(descriptor, POLLOUT);
  return kernel(SYS_writev, descriptor, parts, count);
}

CULPRIT_PUBLIC ssize_t recvfrom(int socket, void *__restrict to, size_t size, int flags,
                                sockaddr *__restrict address, socklen_t *__restrict length) {
  CULPRIT_BEFORE(socket, POLLIN, flags);
  return kernel(SYS_recvfrom, socket, to, static_cast<long>(size), flags, address, length);
}

CULPRIT_PUBLIC ssize_t recv(int socket, void *to, size_t size, int flags) {
  return recvfrom(socket, to, size, flags, nullptr, nullptr);
}

CULPRIT_PUBLIC ssize_t recvmsg(int socket, msghdr *message, int flags) {
  CULPRIT_BEFORE(socket, POLLIN, flags);
  return kernel(SYS_recvmsg, socket, message, flags);
}

CULPRIT_PUBLIC ssize_t sendto(int socket, const void *from, size_t size, int flags,
                              const sockaddr *address, socklen_t length) {
  CULPRIT_BEFORE(socket, POLLOUT, flags);
  return kernel(SYS_sendto, socket, from, static_cast<long>(size), flags, address,
                static_cast<long>(length));
}

CULPRIT_PUBLIC ssize_t send(int socket, const void *from, size_t size, int flags) {
  return sendto(socket, from, size, flags, nullptr, 0);
}

CULPRIT_PUBLIC ssize_t sendmsg(int socket, const msghdr *message, int flags) {
  CULPRIT_BEFORE(socket, POLLOUT, flags);
  return kernel(SYS_sendmsg, socket, message, flags);
}

CULPRIT_PUBLIC int accept4(int socket, sockaddr *__restrict address, socklen_t *__restrict length,
                           int flags) {
  CULPRIT_BEFORE(socket, POLLIN);
  return static_cast<int>(kernel(SYS_accept4, socket, address, length, flags));
}

CULPRIT_PUBLIC int accept(int socket, sockaddr *__restrict address, socklen_t *__restrict length) {
  return accept4(socket, address, length, 0);
}

CULPRIT_PUBLIC int poll(pollfd *all, nfds_t count, int timeout) {
  if (!threads::is_alone()) {
    bool late = false;
    if (timeout && !await(reinterpret_cast<os::Polled *>(all), count, milliseconds(timeout), late))
      return interrupted();
    timeout = 0;
  }
  return static_cast<int>(kernel(SYS_poll, all, static_cast<long>(count), timeout));
}

CULPRIT_PUBLIC int ppoll(pollfd *all, nfds_t count, const timespec *timeout, const sigset_t *mask) {
  timespec none{};
  timespec copy = timeout ? *timeout : none;
  const timespec *given = timeout ? &copy : nullptr;
  if (!threads::is_alone()) {
    bool late = false;
    uint64_t span = timeout ? interface::nanoseconds_of(*timeout) : os::kForever;
    if (span && !await(reinterpret_cast<os::Polled *>(all), count, span, late))
      return interrupted();
    given = &none;
  }
  return static_cast<int>(kernel(SYS_ppoll, all, static_cast<long>(count), given, mask, 8));
}

CULPRIT_PUBLIC int select(int count, fd_set *__restrict readable, fd_set *__restrict writable,
                          fd_set *__restrict urgent, timeval *__restrict timeout) {
  fd_set *const sets[] = {readable, writable, urgent};
  uint64_t span = timeout ? static_cast<uint64_t>(timeout->tv_sec) * interface::kSecond +
                                static_cast<uint64_t>(timeout->tv_usec) * 1000
                          : os::kForever;
  Asked asked = span ? before_select(count, sets, span) : Asked::as_it_is;
  if (asked == Asked::interrupted)
    return interrupted();
  timeval none{};
  return static_cast<int>(
      kernel(SYS_select, count, readable, writable, urgent, asked == Asked::now ? &none : timeout));
}

CULPRIT_PUBLIC int pselect(int count, fd_set *__restrict readable, fd_set *__restrict writable,
                           fd_set *__restrict urgent, const timespec *__restrict timeout,
                           const sigset_t *__restrict mask) {
  fd_set *const sets[] = {readable, writable, urgent};
  uint64_t span = timeout ? interface::nanoseconds_of(*timeout) : os::kForever;
  Asked asked = span ? before_select(count, sets, span) : Asked::as_it_is;
  if (asked == Asked::interrupted)
    return interrupted();
  timespec copy = timeout && asked != Asked::now ? *timeout : timespec{};
  struct {
    const sigset_t *set;
    size_t size;
  } given{mask, 8};
  return static_cast<int>(kernel(SYS_pselect6, count, readable, writable, urgent,
                                 timeout || asked == Asked::now ? &copy : nullptr, &given));
}

CULPRIT_PUBLIC int epoll_pwait(int descriptor, epoll_event *events, int most, int timeout,
                               const sigset_t *mask) {
  if (!threads::is_alone()) {
    os::Polled polled{descriptor, POLLIN, 0};
    bool late = false;
    if (timeout && !await(&polled, 1, milliseconds(timeout), late))
      return interrupted();
    timeout = 0;
  }
  return static_cast<int>(kernel(SYS_epoll_pwait, descriptor, events, most, timeout, mask, 8));
}

CULPRIT_PUBLIC int epoll_wait(int descriptor, epoll_event *events, int most, int timeout) {
  return epoll_pwait(descriptor, events, most, timeout, nullptr);
}
