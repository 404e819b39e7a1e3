// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/os/child.h"

#include "runtime/os/process.h"
#include "runtime/os/syscall.h"
#include "runtime/os/thread.h"

#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/signal.h>
#include <linux/wait.h>

namespace culprit::os {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kLongestPause = 5 * kMillisecond;

} // namespace

int fork_process() { return static_cast<int>(system_call(SYS_clone, SIGCHLD)); }

bool wait_for_child(int child, uint64_t milliseconds, int &status) {
  uint64_t end = monotonic_ns() + milliseconds * kMillisecond;
  uint64_t pause = kMillisecond / 8;
  for (;;) {
    long ended = system_call(SYS_wait4, child, reinterpret_cast<long>(&status), WNOHANG);
    if (ended == child)
      return true;
    if ((failed(ended) && ended != -EINTR) || monotonic_ns() >= end)
      return false;
    sleep_until(monotonic_ns() + pause);
    pause = pause * 2 < kLongestPause ? pause * 2 : kLongestPause;
  }
}

void end_child(int child) {
  system_call(SYS_kill, child, SIGKILL);
  int status;
  while (system_call(SYS_wait4, child, reinterpret_cast<long>(&status)) == -EINTR) {
  }
}

char *map_shared(size_t bytes) {
  long result = system_call(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return failed(result) ? nullptr : reinterpret_cast<char *>(result);
}

bool write_to_file(int descriptor, const char *path) {
  long file = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path),
                          O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  if (failed(file))
    return false;
  bool done = !failed(system_call(SYS_dup3, file, descriptor, 0));
  system_call(SYS_close, file);
  return done;
}

} // namespace culprit::os
