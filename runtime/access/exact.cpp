// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See exact.h.
#include "runtime/access/exact.h"

#include "runtime/access/blocks.h"
#include "runtime/access/locals.h"
#include "runtime/access/naming_lock.h"
#include "runtime/heap/arena.h"

namespace culprit::access {

bool g_has_exact;

namespace {

struct Entry {
  uintptr_t granule;
  uint32_t next; // in the bucket, or of the free ones
  uint32_t padding;
  Names names;
};

constexpr size_t kBuckets = size_t{1} << 16;
constexpr size_t kMaxEntries = size_t{1} << 28;

uint32_t *g_buckets;
Entry *g_entries; // from 1
uint32_t g_free;
uint32_t g_made = 1;

uint32_t &bucket_of(uintptr_t granule) {
  uint64_t hash = (granule >> CULPRIT_GRANULE_SHIFT) * 0x9e3779b97f4a7c15;
  return g_buckets[hash >> 48];
}

Entry *find(uintptr_t granule) {
  for (uint32_t at = bucket_of(granule); at; at = g_entries[at].next)
    if (g_entries[at].granule == granule)
      return &g_entries[at];
  return nullptr;
}

void remove(uintptr_t granule) {
  uint32_t *link = &bucket_of(granule);
  while (*link && g_entries[*link].granule != granule)
    link = &g_entries[*link].next;
  uint32_t gone = *link;
  if (!gone)
    return;
  *link = g_entries[gone].next;
  g_entries[gone].next = g_free;
  g_free = gone;
}

void put(uintptr_t granule, const Names &names) {
  if (!has_exact()) {
    __atomic_store_n(&g_has_exact, true, __ATOMIC_RELAXED);
    take_tags_back();
  }
  Entry *entry = find(granule);
  if (!entry) {
    uint32_t number = g_free ? g_free : g_made;
    if (number == kMaxEntries)
      return;
    entry = &g_entries[number];
    if (g_free)
      g_free = entry->next;
    else
      ++g_made;
    uint32_t &bucket = bucket_of(granule);
    entry->granule = granule;
    entry->next = bucket;
    bucket = number;
  }
  entry->names = names;
}

} // namespace

bool create_exact() {
  g_buckets = reinterpret_cast<uint32_t *>(os::map_sparse(0, kBuckets * sizeof(uint32_t)));
  g_entries = reinterpret_cast<Entry *>(os::map_sparse(0, kMaxEntries * sizeof(Entry)));
  return g_buckets && g_entries;
}

void names_at(uintptr_t address, Tag tag, Names &out) {
  if (tag != kExact)
    return names_of_kind(tag, out);
  uintptr_t granule = address & ~kInGranule;
  if (heap::in_arena(reinterpret_cast<const void *>(granule)))
    return names_in_block(granule, out);
  Naming naming;
  const Entry *entry = find(granule);
  out = entry ? entry->names : Names{};
}

void set_names(uintptr_t granule, const Names &names, bool watched) {
  Tag old = tag_at(granule);
  Tag tag = tag_for(names, watched);
  if (tag == kExact)
    put(granule, names);
  else if (old == kExact)
    remove(granule);
  set_tag(granule, tag);
}

uint64_t exact_granules() { return __atomic_load_n(&g_made, __ATOMIC_RELAXED) - 1; }

} // namespace culprit::access
