// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See thread_cache.h. Thread exit comes to us through a pthread key: its destructor runs for
// detached threads, too, and setting a key numbered below 32 does not allocate (ours is made at
// start-up, before the target's).
#include "runtime/heap/thread_cache.h"

#include "runtime/access/locals.h"
#include "runtime/access/state.h"
#include "runtime/heap/turn.h"
#include "runtime/start/begin.h"

#include <pthread.h>

namespace culprit::heap {

__thread ThreadCache *g_cache __attribute__((tls_model("initial-exec")));
__thread uint32_t g_turns __attribute__((tls_model("initial-exec")));

namespace {

__thread bool g_leaving __attribute__((tls_model("initial-exec")));

os::Lock g_lock;
os::Range g_memory; // array of ThreadCache
size_t g_made;
ThreadCache *g_in_use;
ThreadCache *g_retired;
uint64_t g_threads;
bool g_has_key;
pthread_key_t g_key;

constexpr size_t kMaxThreads = size_t{1} << 18;

void leave(void *cache) {
  g_leaving = true;
  if (access::is_on())
    access::thread_ends();
  give_back_cache(static_cast<ThreadCache *>(cache));
}

ThreadCache *new_memory() {
  if (ThreadCache *cache = g_retired) {
    g_retired = cache->next;
    return cache;
  }
  for (size_t threads = kMaxThreads; !g_memory.start && threads >= 64; threads /= 2)
    g_memory.create(0, threads * sizeof(ThreadCache));
  if (!g_memory.grow((g_made + 1) * sizeof(ThreadCache), 0))
    return nullptr;
  size_t made = g_made;
  __atomic_store_n(&g_made, made + 1, __ATOMIC_RELEASE);
  return &reinterpret_cast<ThreadCache *>(g_memory.start)[made];
}

ThreadCache *make_cache() {
  __asm__ volatile("" : : "r"(&__culprit_entry)); // see start/begin.h
  if (g_leaving || !ensure_arena())
    return nullptr;
  ThreadCache *cache;
  bool has_key;
  {
    os::Hold hold(g_lock);
    if (!g_has_key)
      g_has_key = pthread_key_create(&g_key, leave) == 0;
    has_key = g_has_key;
    cache = new_memory();
    if (!cache)
      return nullptr;
    for (unsigned number = 1; number < kClassCount; ++number) {
      const SizeClass &kind = kClasses.of[number];
      Entry *bottom = cache->entries + kind.cache_from;
      cache->stacks[number] = {bottom, bottom, bottom + kind.cache_max};
    }
    cache->previous = nullptr;
    cache->next = g_in_use;
    if (g_in_use)
      g_in_use->previous = cache;
    g_in_use = cache;
    ++g_threads;
  }
  g_cache = cache; // before the key: should setting it allocate, that call finds the cache
  if (has_key)
    pthread_setspecific(g_key, cache);
  return cache;
}

void give_all(ThreadCache *cache) {
  for (unsigned number = 1; number < kClassCount; ++number) {
    Stack &stack = cache->stacks[number];
    auto count = static_cast<unsigned>(stack.top - stack.bottom);
    if (count)
      give_blocks(number, stack.bottom, count);
    stack.top = stack.bottom;
  }
}

void retire(ThreadCache *cache) {
  if (cache->previous)
    cache->previous->next = cache->next;
  else
    g_in_use = cache->next;
  if (cache->next)
    cache->next->previous = cache->previous;
  cache->next = g_retired;
  g_retired = cache;
}

} // namespace

Entry take_slowly(unsigned size_class) {
  ThreadCache *cache = g_cache;
  if (!cache)
    cache = make_cache();
  Entry entry;
  if (!cache) {
    if (!ensure_arena() || !take_blocks(size_class, &entry, 1))
      return 0;
  } else {
    Stack &stack = cache->stacks[size_class];
    if (stack.top == stack.bottom)
      stack.top += take_blocks(size_class, stack.bottom, kClasses.of[size_class].batch);
    if (stack.top == stack.bottom)
      return 0;
    entry = *--stack.top;
  }
  return entry;
}

void give_slowly(unsigned size_class, Entry entry) {
  ThreadCache *cache = g_cache;
  if (!cache)
    cache = make_cache();
  if (!cache) {
    give_blocks(size_class, &entry, 1);
    return;
  }
  Stack &stack = cache->stacks[size_class];
  if (stack.top == stack.limit) {
    // The oldest half goes: the newest blocks are still in the processor's caches.
    unsigned batch = kClasses.of[size_class].batch;
    give_blocks(size_class, stack.bottom, batch);
    auto rest = static_cast<size_t>(stack.top - stack.bottom) - batch;
    __builtin_memmove(stack.bottom, stack.bottom + batch, rest * sizeof(Entry));
    stack.top = stack.bottom + rest;
  }
  *stack.top++ = entry;
}

void give_back_cache(ThreadCache *cache) {
  if (g_cache == cache)
    g_cache = nullptr;
  give_all(cache);
  os::Hold hold(g_lock);
  retire(cache);
}

CacheAside put_cache_aside() {
  CacheAside aside{g_cache, g_leaving};
  g_cache = nullptr;
  g_leaving = true;
  return aside;
}

void take_cache_again(CacheAside aside) {
  g_cache = aside.cache;
  g_leaving = aside.leaving;
}

AllCaches all_caches() {
  size_t made = __atomic_load_n(&g_made, __ATOMIC_ACQUIRE);
  if (!made)
    return {}; // the memory itself may just be coming
  return {reinterpret_cast<const ThreadCache *>(g_memory.start), made};
}

uint64_t threads_seen() { return __atomic_load_n(&g_threads, __ATOMIC_RELAXED); }

void lock_caches() { g_lock.acquire(); }
void unlock_caches() { g_lock.release(); }
void reset_cache_lock() { g_lock.reset(); }

} // namespace culprit::heap
