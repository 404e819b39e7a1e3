// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See kinds.h.
#include "runtime/access/kinds.h"

#include "runtime/access/naming_lock.h"
#include "runtime/os/memory.h"
#include "runtime/start/options.h"

namespace culprit::access {

Names *g_kinds;
uint8_t *g_watched_kind;
os::Lock g_naming_lock;

namespace {

constexpr uint32_t kMostKinds = CULPRIT_TAGS / CULPRIT_TAG_STEP;
constexpr size_t kSlots = size_t{2} * kMostKinds;

Tag *g_slots; // open addressing; 0: free
uint32_t g_limit;
uint32_t g_next = 1;
uint64_t g_missing;

uint64_t hash_of(const Names &names, bool watched) {
  uint64_t hash = watched;
  for (Name name : names.of) {
    hash = (hash ^ name) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

bool is_equal(Tag tag, const Names &names, bool watched) {
  if (g_watched_kind[number_of(tag)] != watched)
    return false;
  return __builtin_memcmp(&g_kinds[number_of(tag)], &names, sizeof names) == 0;
}

bool is_empty(const Names &names) {
  for (Name name : names.of)
    if (name)
      return false;
  return true;
}

void write_kind(Tag tag, const Names &names, bool watched) {
  for (unsigned byte = 0; byte < kGranule; ++byte)
    __atomic_store_n(&g_kinds[number_of(tag)].of[byte], names.of[byte], __ATOMIC_RELAXED);
  __atomic_store_n(&g_watched_kind[number_of(tag)], watched, __ATOMIC_RELEASE);
}

} // namespace

bool create_kinds() {
  g_kinds = reinterpret_cast<Names *>(os::map_sparse(0, kMostKinds * sizeof(Names)));
  g_watched_kind = reinterpret_cast<uint8_t *>(os::map_sparse(0, kMostKinds));
  g_slots = reinterpret_cast<Tag *>(os::map_sparse(0, kSlots * sizeof(Tag)));
  uint64_t wanted = start::options().tags;
  constexpr uint32_t kMost = kMostKinds - 2; // without 0 and kExact
  g_limit = static_cast<uint32_t>(wanted < kMost ? wanted : kMost);
  return g_kinds && g_watched_kind && g_slots;
}

Tag tag_for(const Names &names, bool watched) {
  if (!watched && is_empty(names))
    return kUnwatched;
  size_t slot = hash_of(names, watched) % kSlots;
  for (; g_slots[slot]; slot = (slot + 1) % kSlots)
    if (is_equal(g_slots[slot], names, watched))
      return g_slots[slot];
  if (g_next > g_limit) {
    ++g_missing;
    return kExact;
  }
  auto tag = static_cast<Tag>(g_next++ * CULPRIT_TAG_STEP);
  write_kind(tag, names, watched);
  g_slots[slot] = tag;
  return tag;
}

KindCounts kind_counts() {
  return {__atomic_load_n(&g_next, __ATOMIC_RELAXED) - 1,
          __atomic_load_n(&g_missing, __ATOMIC_RELAXED)};
}

} // namespace culprit::access
