// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set of pairs of numbers with a value each, for threads and signal handlers alike: no lock, an
// entry never moves. Open addressing in levels, each sixteen times as large as the one before; a
// level is given up after some probes, the last one only when it is full. So equal hashes cost time
// and lose nothing, and memory is that of the pairs there are.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace culprit::access {

extern uint64_t g_pair_hash_mask; // all ones; less to make hashes collide in tests

class PairTable {
public:
  struct Entry {
    uint64_t key; // 0: free
    uint64_t value;
  };

  bool create();
  // Null: memory is out. `added`: it was not there. Neither number may make the key 0.
  Entry *find_or_add(uint32_t first, uint32_t second, bool &added);
  bool has(uint32_t first, uint32_t second) const;
  void clear();
  uint64_t count() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }

  static uint64_t key_of(uint32_t first, uint32_t second) {
    return (uint64_t{first} << 32 | second) + 1;
  }
  static uint32_t first_of(uint64_t key) { return static_cast<uint32_t>((key - 1) >> 32); }
  static uint32_t second_of(uint64_t key) { return static_cast<uint32_t>(key - 1); }

  template <typename Visit> void for_each(Visit visit) {
    for (unsigned level = 0; level < kLevels; ++level)
      for (size_t i = 0; used(level) && i < size_of(level); ++i)
        if (__atomic_load_n(&levels_[level][i].key, __ATOMIC_ACQUIRE))
          visit(levels_[level][i]);
  }

private:
  static constexpr unsigned kLevels = 4;
  static constexpr unsigned kFirstBits = 14;
  static constexpr unsigned kLevelBits = 4;
  static constexpr size_t kProbes = 16;

  static size_t size_of(unsigned level) { return size_t{1} << (kFirstBits + level * kLevelBits); }
  // Did anything ever go there? So that nobody walks a level of empty pages.
  bool used(unsigned level) const { return __atomic_load_n(&used_[level], __ATOMIC_ACQUIRE); }

  Entry *levels_[kLevels];
  uint64_t count_;
  bool used_[kLevels];
};

} // namespace culprit::access
