// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Per-thread caches: for each class a stack of free blocks only its thread touches. malloc pops,
// free pushes; an empty or full stack moves half a stack from or to the spans. The stacks hold
// addresses outside the blocks.
//
// A thread's cache is found through one thread-local word of the initial-exec model: one load off
// %fs, no call, no allocation. The word is null before the thread's first call and again after its
// exit began: both take the slow path, which makes a cache in the first case and works on the spans
// directly in the second (libc frees buffers of a dying thread after the last destructor; a cache
// made then would never be given back). In the child of a fork the other threads' caches are lost,
// as glibc's are: those threads go on running while the kernel copies page after page, so what the
// child sees of their stacks need not be one moment's state.
#pragma once

#include "runtime/heap/span.h"

namespace culprit::heap {

struct Stack {
  Entry *top; // next free place
  Entry *bottom;
  Entry *limit;
};

struct ThreadCache {
  uintptr_t newest; // monitor flavours: the narrow block the thread allocated last
  Stack stacks[kClassCount];
  ThreadCache *next; // in the list of all, or of retired ones
  ThreadCache *previous;
  Entry entries[kClasses.cache_entries];
};

extern __thread ThreadCache *g_cache __attribute__((tls_model("initial-exec")));

// One block of the class when the fast path has none: refills the cache, or goes to the spans.
// 0: memory is out. Its live byte is not set.
Entry take_slowly(unsigned size_class);
// One block whose live byte is already cleared, when the fast path has no room.
void give_slowly(unsigned size_class, Entry entry);

void give_back_cache(ThreadCache *cache);

// Caches ever made, in use or retired, for whoever looks at all of them without a lock.
struct AllCaches {
  const ThreadCache *at;
  size_t count;
};
AllCaches all_caches();

uint64_t threads_seen(); // caches ever made

void lock_caches();
void unlock_caches();
void reset_cache_lock();

} // namespace culprit::heap
