// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/os/child.h"

#include "runtime/os/process.h"
#include "runtime/os/syscall.h"
#include "runtime/os/thread.h"
#include "runtime/text.h"

#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/signal.h>
#include <linux/stat.h>
#include <linux/wait.h>

namespace culprit::os {
namespace {

constexpr long kDescriptors = 1024;
constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kLongestPause = 5 * kMillisecond;
// <linux/stat.h> leaves these to libc.
constexpr unsigned kFileType = 0170000;
constexpr unsigned kRegularFile = 0100000;
constexpr long kSeekCurrent = 1;
constexpr long kSeekStart = 0;

bool is_regular(long descriptor) {
  struct statx status{};
  return !failed(system_call(SYS_statx, descriptor, reinterpret_cast<long>(""), AT_EMPTY_PATH,
                             STATX_TYPE, reinterpret_cast<long>(&status))) &&
         (status.stx_mode & kFileType) == kRegularFile;
}

void part_file(long descriptor) {
  long flags = system_call(SYS_fcntl, descriptor, F_GETFL);
  if (failed(flags) || flags & O_PATH || !is_regular(descriptor))
    return;
  long closes = system_call(SYS_fcntl, descriptor, F_GETFD);
  long offset = system_call(SYS_lseek, descriptor, 0, kSeekCurrent);
  char path[64];
  text::append(path, text::append(path, 0, "/proc/self/fd/"), static_cast<uint64_t>(descriptor));
  long again = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path),
                           flags & ~(O_CREAT | O_EXCL | O_TRUNC));
  if (failed(again))
    return;
  system_call(SYS_lseek, again, offset, kSeekStart);
  system_call(SYS_dup3, again, descriptor, closes & FD_CLOEXEC ? O_CLOEXEC : 0);
  system_call(SYS_close, again);
}

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

void part_files() {
  for (long descriptor = 0; descriptor < kDescriptors; ++descriptor)
    part_file(descriptor);
}

} // namespace culprit::os
