// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock of one word, free when zero: spins briefly, then sleeps in the kernel. No owner, no
// recursion. States: 0 free, 1 held, 2 held and somebody sleeps. Where no other thread is there
// that could want it, no locked instruction is spent on it: one takes as long as all else in an
// allocation. In programs that run as they are, signals wait for the holder (held_signals.h).
#pragma once

#include "runtime/os/alone.h"
#include "runtime/os/held_signals.h"

#include <stdint.h>

namespace culprit::os {

struct Lock {
  uint32_t word;

  void acquire() {
    if (signals_wait())
      hold_signals();
    if (is_alone() && __atomic_load_n(&word, __ATOMIC_RELAXED) == 0)
      return __atomic_store_n(&word, 1, __ATOMIC_RELAXED);
    uint32_t expected = 0;
    if (!__atomic_compare_exchange_n(&word, &expected, 1, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
      acquire_contended();
  }
  bool try_acquire() {
    if (signals_wait())
      hold_signals();
    uint32_t expected = 0;
    bool acquired =
        __atomic_compare_exchange_n(&word, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    if (!acquired && signals_wait())
      let_signals();
    return acquired;
  }
  void release() {
    uint32_t held = 0;
    if (is_alone()) {
      held = __atomic_load_n(&word, __ATOMIC_RELAXED);
      __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
    } else {
      held = __atomic_exchange_n(&word, 0, __ATOMIC_RELEASE);
    }
    if (held == 2)
      wake();
    if (signals_wait())
      let_signals();
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
