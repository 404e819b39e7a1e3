// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Raw system calls: the instruction itself, with the kernel's -errno result. libc's wrappers set
// errno, may be wrapped by the target and are not there before libc is ready; the runtime runs in
// all three situations. Rule: only files below runtime/os include this header (test/rules checks
// it).
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

namespace culprit::os {

inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

inline bool failed(long result) { return result < 0 && result >= -4095; }

} // namespace culprit::os
