// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See watches.h. An entry is used again after it was taken away; who reads one while it changes
// sees a length of 0.
#include "runtime/access/watches.h"

#include "runtime/access/blocks.h"
#include "runtime/access/exact.h"
#include "runtime/access/locals.h"
#include "runtime/access/naming_lock.h"
#include "runtime/monitor/state.h"

namespace culprit::access {

uint32_t g_watches;

namespace {

struct Watch {
  uintptr_t address;
  uint64_t length; // 0: free
  culprit_watcher *function;
  void *data;
  unsigned flags;
};

constexpr size_t kMost = 1024;
Watch g_list[kMost];
size_t g_used; // entries ever used
__thread bool g_calling __attribute__((tls_model("initial-exec")));

uint64_t length_of(const Watch &watch) { return __atomic_load_n(&watch.length, __ATOMIC_ACQUIRE); }

bool meets(const Watch &watch, uintptr_t address, uint64_t length) {
  uint64_t own = length_of(watch);
  uintptr_t start = __atomic_load_n(&watch.address, __ATOMIC_RELAXED);
  return own && start < address + length && address < start + own;
}

bool is_watched_by_any(uintptr_t address, uint64_t length) {
  size_t used = __atomic_load_n(&g_used, __ATOMIC_ACQUIRE);
  for (size_t i = 0; i < used; ++i)
    if (meets(g_list[i], address, length))
      return true;
  return false;
}

// Brings the granules' tags in line with the list. Under the naming lock.
void retag(uintptr_t address, uint64_t length) {
  for (uintptr_t granule = address & ~kInGranule; granule < address + length; granule += kGranule) {
    Tag old = tag_at(granule);
    if (old == kExact)
      continue; // comes to the check in any case
    Names names;
    names_of_kind(old, names);
    bool watched = is_watched_by_any(granule, kGranule);
    if (!heap::in_arena(reinterpret_cast<const void *>(granule)))
      set_names(granule, names, watched);
    else if (Tag tag = tag_for(names, watched); tag != kExact)
      set_tag(granule, tag);
    else
      make_block_exact(granule);
  }
}

// Allocations look at one word already.
void tell_allocations() {
  if (has_watches())
    __atomic_fetch_or(&monitor::g_features, monitor::kWatching, __ATOMIC_SEQ_CST);
  else
    __atomic_fetch_and(&monitor::g_features, ~monitor::kWatching, __ATOMIC_SEQ_CST);
}

} // namespace

bool is_watched(uintptr_t granule) { return has_watches() && is_watched_by_any(granule, kGranule); }

bool watch_on(uintptr_t address, uint64_t length, unsigned flags, culprit_watcher *function,
              void *data) {
  if (!length || !function || !has_tag(address) || !has_tag(address + length))
    return false;
  Naming naming;
  size_t at = 0;
  while (at < g_used && g_list[at].length)
    ++at;
  if (at == kMost)
    return false;
  Watch &watch = g_list[at];
  __atomic_store_n(&watch.address, address, __ATOMIC_RELAXED);
  watch.function = function;
  watch.data = data;
  watch.flags = flags & CULPRIT_WATCH_ALL ? flags : flags | CULPRIT_WATCH_ALL;
  __atomic_store_n(&watch.length, length, __ATOMIC_RELEASE);
  if (at == g_used)
    __atomic_store_n(&g_used, at + 1, __ATOMIC_RELEASE);
  __atomic_fetch_add(&g_watches, 1, __ATOMIC_SEQ_CST);
  take_tags_back();
  tell_allocations();
  retag(address, length);
  return true;
}

bool watch_off(uintptr_t address, uint64_t length, unsigned flags, culprit_watcher *function) {
  if (!(flags & CULPRIT_WATCH_ALL))
    flags |= CULPRIT_WATCH_ALL;
  Naming naming;
  for (size_t i = 0; i < g_used; ++i) {
    Watch &watch = g_list[i];
    if (watch.length != length || watch.address != address || watch.function != function ||
        watch.flags != flags)
      continue;
    __atomic_store_n(&watch.length, 0, __ATOMIC_RELEASE);
    __atomic_fetch_sub(&g_watches, 1, __ATOMIC_SEQ_CST);
    tell_allocations();
    retag(address, length);
    return true;
  }
  return false;
}

void watch_again(uintptr_t address, uint64_t length) {
  if (!is_watched_by_any(address, length))
    return;
  Naming naming;
  retag(address, length);
}

void call_watchers(uintptr_t address, uint64_t length, bool is_write, uintptr_t frame) {
  if (g_calling)
    return; // what a watcher itself does is its own affair
  unsigned wanted = is_write ? CULPRIT_WATCH_WRITE : CULPRIT_WATCH_READ;
  auto *pc = reinterpret_cast<const void *const *>(frame)[1];
  size_t used = __atomic_load_n(&g_used, __ATOMIC_ACQUIRE);
  for (size_t i = 0; i < used; ++i) {
    Watch watch = g_list[i];
    if (!(watch.flags & wanted) || !meets(g_list[i], address, length))
      continue;
    g_calling = true;
    watch.function(reinterpret_cast<const void *>(address), length, is_write, pc, watch.data);
    g_calling = false;
  }
}

} // namespace culprit::access
