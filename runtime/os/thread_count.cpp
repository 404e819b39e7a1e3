// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/os/thread_count.h"

#include "runtime/os/file.h"
#include "runtime/os/process.h"
#include "runtime/os/syscall.h"
#include "runtime/text.h"

#include <linux/fcntl.h>

namespace culprit::os {
namespace {

// Numbers of proc(5)'s fields of a thread, from 1.
constexpr unsigned kFlags = 9;
constexpr unsigned kThreads = 20;
// The kernel's PF_EXITING: set before the thread's id is cleared, never taken back.
constexpr uint64_t kExiting = 4;
constexpr const char *kTasks = "/proc/self/task";
// Threads that leave are few; where they never end, the kernel's count.
constexpr unsigned kTries = 100;

struct DirectoryEntry {
  uint64_t inode;
  int64_t next;
  uint16_t length;
  uint8_t type;
  char name[1];
};

uint64_t number_in(const char *name) {
  uint64_t value = 0;
  for (; *name >= '0' && *name <= '9'; ++name)
    value = value * 10 + static_cast<uint64_t>(*name - '0');
  return value;
}

// False: there is no such thread any more.
bool read_field(const char *path, unsigned wanted, uint64_t &value) {
  // "pid (name) state …": the name may hold anything, so count fields from its last ')'.
  char text[1024];
  size_t length = read_file(path, text, sizeof text - 1);
  text[length] = 0;
  size_t at = length;
  while (at && text[at - 1] != ')')
    --at;
  for (unsigned field = 2; at < length && field < wanted; ++at)
    field += text[at] == ' ';
  value = 0;
  if (at < length)
    value = number_in(text + at);
  return length != 0;
}

bool runs_code(const char *thread) {
  char path[64];
  size_t at = text::append(path, text::append(path, 0, kTasks), "/");
  text::append(path, text::append(path, at, thread), "/stat");
  uint64_t flags = 0;
  return read_field(path, kFlags, flags) && !(flags & kExiting);
}

// True if the list held as many threads as the process had before, and the one that reads it: a
// reading that meets a thread about to leave the list ends there, or goes on behind the wrong one,
// and a thread that was made meanwhile makes up for one that was not read.
bool count_listed(uint64_t known, unsigned &running) {
  long tasks = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(kTasks),
                           O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (failed(tasks))
    return false;
  running = 0;
  uint64_t listed = 0;
  bool reader = false;
  const auto own = static_cast<uint64_t>(thread_id());
  alignas(DirectoryEntry) char entries[2048] = {};
  for (;;) {
    long filled =
        system_call(SYS_getdents64, tasks, reinterpret_cast<long>(entries), sizeof entries);
    if (failed(filled) || filled == 0)
      break;
    for (long at = 0; at < filled;) {
      const auto *entry = reinterpret_cast<const DirectoryEntry *>(entries + at);
      at += entry->length;
      if (entry->name[0] == '.')
        continue;
      ++listed;
      reader |= number_in(entry->name) == own;
      running += runs_code(entry->name);
    }
  }
  system_call(SYS_close, tasks);
  return listed == known && reader;
}

} // namespace

unsigned thread_count() {
  uint64_t known = 0;
  for (unsigned tries = 0; tries < kTries; ++tries) {
    if (!read_field("/proc/self/stat", kThreads, known) || known <= 1)
      return static_cast<unsigned>(known);
    unsigned running;
    if (count_listed(known, running))
      return running;
  }
  return static_cast<unsigned>(known);
}

} // namespace culprit::os
