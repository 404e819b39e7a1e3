// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock of one word, free when zero: spins briefly, then sleeps in the kernel. No owner, no
// recursion. States: 0 free, 1 held, 2 held and somebody sleeps.
#pragma once

#include <stdint.h>

namespace culprit::os {

struct Lock {
  uint32_t word;

  void acquire() {
    uint32_t expected = 0;
    if (!__atomic_compare_exchange_n(&word, &expected, 1, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
      acquire_contended();
  }
  bool try_acquire() {
    uint32_t expected = 0;
    return __atomic_compare_exchange_n(&word, &expected, 1, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
  }
  void release() {
    if (__atomic_exchange_n(&word, 0, __ATOMIC_RELEASE) == 2)
      wake();
  }
  // Only for the child of a fork, where sleepers of the parent do not exist.
  void reset() { __atomic_store_n(&word, 0, __ATOMIC_RELEASE); }

private:
  void acquire_contended();
  void wake();
};

struct Hold {
  explicit Hold(Lock &held) : lock(held) { lock.acquire(); }
  ~Hold() { lock.release(); }
  Hold(const Hold &) = delete;
  Hold &operator=(const Hold &) = delete;
  Lock &lock;
};

} // namespace culprit::os
