// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose turn it is at a thread's cache, in programs that run as they are: their signal handlers may
// allocate and free whatever they interrupted. A handler that interrupted an allocation leaves the
// cache, which may be in the middle of anything, alone: it works on the spans, as a thread that is
// ending does (thread_cache.h), whose locks no interrupted code holds (os/held_signals.h). Nor does
// it take a metric point: what it interrupted may have told the graph one half of what it does.
//
// A handler that never returns (longjmp out of malloc, undefined everywhere) leaves the turn taken:
// the thread then goes on without its cache and without points of its own.
#pragma once

#include "runtime/heap/thread_cache.h"

namespace culprit::heap {

extern __thread uint32_t g_turns __attribute__((tls_model("initial-exec"))); // taken, and not over

// Did this thread interrupt itself?
inline bool is_second_turn() { return g_turns > 1; }

// The thread's cache, put aside.
struct CacheAside {
  ThreadCache *cache;
  bool leaving;
};
CacheAside put_cache_aside();
void take_cache_again(CacheAside aside);

class Turn {
public:
  Turn() {
    if (g_turns++) [[unlikely]]
      aside_ = put_cache_aside();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  ~Turn() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (--g_turns) [[unlikely]]
      take_cache_again(aside_);
  }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;

private:
  CacheAside aside_;
};

} // namespace culprit::heap
