// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See pairs.h.
#include "runtime/access/pairs.h"

#include "runtime/os/memory.h"

namespace culprit::access {

uint64_t g_pair_hash_mask = ~uint64_t{0};

namespace {
uint64_t mix(uint64_t key) {
  key *= 0x9e3779b97f4a7c15;
  key ^= key >> 32;
  key *= 0xd6e8feb86659fd93;
  return (key ^ key >> 29) & g_pair_hash_mask;
}
} // namespace

bool PairTable::create() {
  for (unsigned level = 0; level < kLevels; ++level) {
    levels_[level] = reinterpret_cast<Entry *>(os::map_sparse(0, size_of(level) * sizeof(Entry)));
    if (!levels_[level])
      return false;
  }
  return true;
}

PairTable::Entry *PairTable::find_or_add(uint32_t first, uint32_t second, bool &added) {
  uint64_t key = key_of(first, second);
  uint64_t hash = mix(key);
  added = false;
  for (unsigned level = 0; level < kLevels; ++level) {
    size_t mask = size_of(level) - 1;
    size_t probes = level + 1 == kLevels ? mask + 1 : kProbes;
    for (size_t probe = 0; probe < probes; ++probe) {
      Entry &entry = levels_[level][(hash + probe) & mask];
      uint64_t found = __atomic_load_n(&entry.key, __ATOMIC_ACQUIRE);
      if (!found) {
        __atomic_store_n(&used_[level], true, __ATOMIC_RELEASE);
        added = __atomic_compare_exchange_n(&entry.key, &found, key, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE);
        if (added) {
          __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED);
          return &entry;
        }
      }
      if (found == key)
        return &entry;
    }
  }
  return nullptr;
}

bool PairTable::has(uint32_t first, uint32_t second) const {
  uint64_t key = key_of(first, second);
  uint64_t hash = mix(key);
  for (unsigned level = 0; level < kLevels; ++level) {
    size_t mask = size_of(level) - 1;
    size_t probes = level + 1 == kLevels ? mask + 1 : kProbes;
    for (size_t probe = 0; probe < probes; ++probe) {
      uint64_t found =
          __atomic_load_n(&levels_[level][(hash + probe) & mask].key, __ATOMIC_ACQUIRE);
      if (found == key)
        return true;
      if (!found)
        return false;
    }
  }
  return false;
}

void PairTable::clear() {
  for (unsigned level = 0; level < kLevels; ++level) {
    if (used(level))
      os::purge(reinterpret_cast<char *>(levels_[level]), size_of(level) * sizeof(Entry));
    __atomic_store_n(&used_[level], false, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&count_, 0, __ATOMIC_RELAXED);
}

} // namespace culprit::access
