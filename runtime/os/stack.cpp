// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See stack.h.
#include "runtime/os/stack.h"

#include "runtime/os/process.h"
#include "runtime/os/syscall.h"

#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/resource.h>

namespace culprit::os {
namespace {

// A line is "low-high perms offset device inode path"; the fields behind the first are skipped.
struct MapsReader {
  enum class Field : uint8_t { low, high, rest } field = Field::low;
  uintptr_t low = 0;
  uintptr_t high = 0;

  // True when a whole [low, high) has just been read.
  bool feed(char c) {
    if (c == '\n') {
      field = Field::low;
      low = high = 0;
      return false;
    }
    if (field == Field::rest)
      return false;
    if (c == '-') {
      field = Field::high;
      return false;
    }
    if (c == ' ') {
      field = Field::rest;
      return true;
    }
    uintptr_t digit = static_cast<uintptr_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    uintptr_t &number = field == Field::low ? low : high;
    number = number << 4 | digit;
    return false;
  }
};

uintptr_t main_stack_room() {
  // Without a limit the kernel keeps at least 128 MiB clear of other mappings.
  constexpr uint64_t kGap = uint64_t{128} << 20;
  uint64_t limit = stack_size_limit();
  return limit < kGap ? limit : kGap;
}

StackLimits search(long descriptor, uintptr_t address) {
  char buffer[512] = {}; // small: the caller may be on an alternate signal stack
  MapsReader reader;
  for (;;) {
    long length = system_call(SYS_read, descriptor, reinterpret_cast<long>(buffer), sizeof buffer);
    if (length == -EINTR)
      continue;
    if (length <= 0)
      return {};
    for (long i = 0; i < length; ++i)
      if (reader.feed(buffer[i]) && address >= reader.low && address < reader.high)
        return {reader.low, reader.high};
  }
}

} // namespace

uint64_t stack_size_limit() {
  struct {
    uint64_t soft;
    uint64_t hard;
  } limit{0, 0};
  system_call(SYS_prlimit64, 0, RLIMIT_STACK, 0, reinterpret_cast<long>(&limit));
  return limit.soft;
}

StackLimits find_stack(uintptr_t address) {
  long descriptor = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"),
                                O_RDONLY | O_CLOEXEC);
  if (failed(descriptor))
    return {};
  StackLimits limits = search(descriptor, address);
  system_call(SYS_close, descriptor);
  if (!limits.high)
    return limits;
  if (thread_id() == process_id()) {
    uintptr_t room = main_stack_room();
    if (limits.high - limits.low < room)
      limits.low = limits.high - room;
    return limits;
  }
  // The kernel joins neighbouring mappings into one line, and a neighbour may go; the thread's
  // control block, which libc puts at the upper end of the stack, stays as long as the thread.
  auto control = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  if (control > address && control < limits.high)
    limits.high = control;
  return limits;
}

bool is_readable(uintptr_t address) {
  // rt_sigprocmask copies the new set before it looks at the (here invalid) operation: EFAULT or
  // EINVAL. NULL would be no set at all: its neighbour is asked for instead.
  long asked = static_cast<long>(address ? address : 1);
  return system_call(SYS_rt_sigprocmask, ~0L, asked, 0, 8) != -EFAULT;
}

} // namespace culprit::os
