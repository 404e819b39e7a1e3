// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A system call as libc's function of its name makes it: -1 and errno, if it failed.
#pragma once

#include "runtime/os/thread.h"

#include <errno.h>
#include <sys/syscall.h>

namespace culprit::interface {

inline long word(long value) { return value; }
template <typename T> long word(T *pointer) { return reinterpret_cast<long>(pointer); }

template <typename... Words> long kernel(long number, Words... words) {
  long result = os::call_kernel(number, word(words)...);
  if (result >= 0 || result < -4095)
    return result;
  errno = static_cast<int>(-result);
  return -1;
}

} // namespace culprit::interface
