// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns in memory the target must not write, and finding what wrote there all the same: the
// guards around a block, a freed block's bytes, the sentinels of the data stack. The earliest of
// the writes is the one to tell, by the ids of the cells. Cells that are corrupt were written by
// what is known already: their bytes are put back. Two neighbours share the guard between them:
// neither sets it anew while the other needs it, and what is found there belongs to the nearer of
// the two.
#pragma once

#include "runtime/locate/block_table.h"
#include "runtime/locate/patterns.h"
#include "runtime/locate/values.h"

namespace culprit::locate {

// In front, and behind at least: as much as libc's allocator has between two blocks, so that blocks
// take the same room. With 16, a node of 24 bytes would cost half as much again, shadow included.
constexpr size_t kGuardBytes = 8;
constexpr size_t kLongestGuard = 128;  // behind, where the heap's block has so much to spare
constexpr size_t kWidestGuard = 1024;  // behind, where blocks lie apart
constexpr unsigned char kGuard = 0xfd; // each, as the bytes of a pointer, is no address
constexpr unsigned char kFresh = 0x5a;
constexpr unsigned char kFreed = 0x6d;

// Some programs crash only for what else may lie there: the option `contents`.
struct Contents {
  unsigned char fresh = kFresh;
  unsigned char guard = kGuard; // who reads behind a block finds this
  bool leaves_freed = false;    // as it was: who writes there is not found, then
  bool tells_reads = false;     // of freed memory: a crash of its own
  bool apart = false;           // blocks have twice their size behind them
  size_t longest_guard = kLongestGuard;
};
extern Contents g_contents;
Contents contents_of(uint64_t option);

// At least so many bytes behind a block. An index that is too large or negative strides the further
// the larger its array is.
inline size_t guard_behind(size_t size) {
  if (!g_contents.apart) [[likely]]
    return kGuardBytes;
  constexpr size_t kNarrowest = 64;
  size_t twice = size < kWidestGuard ? 2 * size : kWidestGuard;
  return twice < kNarrowest ? kNarrowest : twice > kWidestGuard ? kWidestGuard : twice;
}

struct Damage {
  uintptr_t address; // 0: none
  Id written;
  uintptr_t block; // an address in the block it was done to
};

Damage earlier(const Damage &a, const Damage &b);

// Damage beside a variable, or to one whose function has returned.
struct VariableDamage {
  Damage damage;
  uintptr_t variable;
  uint64_t size;
  uint64_t declaration; // a definition
  bool has_left;        // its function has returned
  Id left;              // then: when
};

VariableDamage earlier(const VariableDamage &a, const VariableDamage &b);

// The rows of both neighbours are looked at.
void set_shared_guards(Block block);
// All those of a large block, or what is a small one's alone.
void set_rest(Block block);
// Of a block that is not handed out, but has one behind it.
void set_last_guard(const Block &block);
inline bool is_first_in_use(const Block &block) { return block.slot == 1; }

// Behind what was asked for, as far as it is the block's alone.
struct Bytes {
  uintptr_t from;
  uintptr_t end;
};
[[gnu::always_inline]] inline Bytes rest_of(const Block &block) {
  uintptr_t end = block.behind() + g_contents.longest_guard;
  uintptr_t last = is_large(block) ? block.end : block.end - kGuardBytes;
  return {block.behind(), end < last ? end : last};
}

[[gnu::always_inline]] inline void set_guards(const Block &block) {
  if (Bytes rest = rest_of(block); rest.from != rest.end)
    set_rest(block);
  // A block that was in use before has them already, and then it does not matter whose they are:
  // the neighbours' rows would be one cache line more. Behind the firing of a target the cells have
  // a say, too.
  uint64_t guard = pattern_word(g_contents.guard);
  if (!__culprit_armed && !is_large(block) && load_word(block.start - kGuardBytes) == guard &&
      load_word(block.end - kGuardBytes) == guard) [[likely]]
    return;
  set_shared_guards(block);
}

// Of a small block: what is compared most often, and nearly always holds.
[[gnu::always_inline]] inline bool has_whole_guards(const Block &block) {
  Bytes rest = rest_of(block);
  uint64_t guard = pattern_word(g_contents.guard);
  if (g_contents.apart && is_first_in_use(block)) // the block in front is a guard as a whole
    return false;
  return load_word(block.end - kGuardBytes) == guard &&
         load_word(block.start - kGuardBytes) == guard &&
         holds_pattern(rest.from, rest.end - rest.from, g_contents.guard);
}

Damage find_guard_damage(const Block &block);
inline Damage check_guards(const Block &block) {
  if (!is_large(block) && has_whole_guards(block)) [[likely]]
    return {};
  return find_guard_damage(block);
}

// Of a block in the quarantine: what was asked for.
Damage find_freed_damage(const Block &block);
[[gnu::always_inline]] inline bool is_untouched(const Block &block) {
  return (is_large(block) && block.row->size > kLargestStamped) ||
         holds_pattern(block.payload, block.row->size, kFreed) || g_contents.leaves_freed;
}
inline Damage check_freed(const Block &block) {
  return is_untouched(block) ? Damage{} : find_freed_damage(block);
}

// Of any bytes that shall hold a pattern.
Damage check_pattern(uintptr_t from, size_t length, unsigned char pattern);

// Of a sentinel of the data stack, cell by cell: what lies in a cell that still holds what it shall
// says nothing.
Damage check_sentinel(uint64_t *sentinel, uint64_t expected);

} // namespace culprit::locate
