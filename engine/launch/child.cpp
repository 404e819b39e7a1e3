// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace culprit::launch {

pid_t fork_quietly() {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = ::fork();
  if (child != 0)
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return child;
}

void reset_signals(bool keep_ignored) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action{};
    if (::sigaction(signal, nullptr, &action) != 0)
      continue; // glibc keeps 32 and 33 to itself
    bool ignored = action.sa_handler == SIG_IGN;
    // SIGPIPE is ours to ignore, never the child's: a filter is expected to die of it.
    if (action.sa_handler == SIG_DFL || (ignored && keep_ignored && signal != SIGPIPE))
      continue;
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    ::sigaction(signal, &standard, nullptr);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool end_with_parent(pid_t parent, int signal) {
  ::prctl(PR_SET_PDEATHSIG, signal);
  return ::getppid() == parent;
}

bool place_descriptor(int from, int to) {
  if (from == to)
    return ::fcntl(from, F_SETFD, 0) == 0;
  return ::dup2(from, to) == to;
}

void report_failure(int pipe, ChildFailure failure) {
  [[maybe_unused]] ssize_t written = ::write(pipe, &failure, sizeof(failure));
  ::_exit(127);
}

} // namespace culprit::launch
