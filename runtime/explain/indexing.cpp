// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See indexing.h. What is folded, and in which order, is what frames.cpp folds when frames are
// entered; of what is known of a site beforehand all folds are made at the start, once.
#include "runtime/explain/indexing.h"

#include "runtime/explain/allocations.h"
#include "runtime/explain/pools.h"
#include "runtime/heap/allocate.h"

extern "C" {
__attribute__((visibility("default"))) __thread culprit_index_frame *__culprit_index_frame;
__attribute__((visibility("default"))) __thread culprit_index_frame __culprit_index_root;
}

namespace culprit::explain {

bool g_indexing;

namespace {

constexpr uint64_t kBase = CULPRIT_INDEX_BASE;

// What a site folds into its frame's index: index × multiplier + addend + the mixed counters, each
// times its power.
struct Row {
  uint64_t multiplier;
  uint64_t addend;
  uint64_t function; // the id of that whose frame it is
  uint32_t first_power;
  uint32_t counters; // those of the sites that lead to it first
};

Row *g_rows;
uint64_t *g_powers;
uint64_t *g_small;
uint64_t *g_large;

const uint64_t *counters_of(const culprit_index_frame &frame) {
  return reinterpret_cast<const uint64_t *>(&frame + 1);
}

// One fold more behind all that the row has.
void fold(Row &row, uint64_t mixed) {
  row.multiplier *= kBase;
  row.addend = row.addend * kBase + mixed;
  for (uint32_t i = 0; i < row.counters; ++i)
    g_powers[row.first_power + i] *= kBase;
}

void fold_counter(Row &row) {
  fold(row, 0);
  g_powers[row.first_power + row.counters++] = 1;
}

// A site's number may be smaller than that of the one it is reached by.
void make_row(const culprit_index_unit &unit, uint32_t site, uint32_t &used) {
  const culprit_indexed_site &at = unit.sites[site];
  Row &row = g_rows[site];
  if (row.multiplier)
    return;
  Row start{1, 0, at.function, 0, 0};
  if (at.via) {
    make_row(unit, at.via, used);
    start = g_rows[at.via];
  }
  for (uint32_t i = 0; i < start.counters; ++i)
    g_powers[used + i] = g_powers[start.first_power + i];
  row = start;
  row.first_power = used;
  if (at.via) {
    fold(row, culprit_index_mix(0));
    fold(row, culprit_index_mix(at.function));
  }
  fold(row, culprit_index_mix(at.id));
  for (uint32_t i = 0; i < at.counters; ++i)
    fold_counter(row);
  used += row.counters;
}

bool make_rows(const culprit_index_unit &unit) {
  uint64_t powers = 0;
  for (uint64_t site = 1; site < unit.site_count; ++site)
    powers += unit.sites[site].first + unit.sites[site].counters;
  if (!os::map_table(g_rows, unit.site_count) || !os::map_table(g_powers, powers + 1))
    return false;
  uint32_t used = 0;
  for (uint32_t site = 1; site < unit.site_count; ++site)
    make_row(unit, site, used);
  return true;
}

// Of the site where the frame stands, whose own index is known.
inline uint64_t index_at(const culprit_index_frame &frame) {
  const Row &row = g_rows[frame.site];
  uint64_t index = frame.index * row.multiplier + row.addend;
  const uint64_t *counters = counters_of(frame);
  for (uint32_t i = 0; i < row.counters; ++i)
    index += culprit_index_mix(counters[i]) * g_powers[row.first_power + i];
  return index;
}

inline void make_index(culprit_index_frame &frame) {
  culprit_index_frame &caller = *frame.caller;
  uint64_t from = caller.caller ? index_at(caller) : static_cast<uint64_t>(CULPRIT_INDEX_ROOT);
  frame.index =
      culprit_index_fold(culprit_index_fold(from, frame.entered), g_rows[frame.site].function);
}

// Up to the first frame that has one, and down again. A recursion may be deep, so the way down is
// kept in the frames themselves.
void make_indexes(culprit_index_frame &innermost) {
  culprit_index_frame *below = nullptr;
  culprit_index_frame *frame = &innermost;
  while (frame->caller->caller && !frame->caller->index) {
    frame->index = reinterpret_cast<uint64_t>(below);
    below = frame;
    frame = frame->caller;
  }
  for (;;) {
    make_index(*frame);
    if (!below)
      return;
    frame = below;
    below = reinterpret_cast<culprit_index_frame *>(frame->index);
  }
}

// The index of a block that is handed out here; 0: outside all frames.
inline uint64_t block_index(size_t size) {
  culprit_index_frame *frame = __culprit_index_frame;
  if (!frame) [[unlikely]]
    return 0;
  if (!frame->index)
    make_indexes(*frame);
  uint64_t index = culprit_index_fold(index_at(*frame), frame->happened++);
  return culprit_index_fold(culprit_index_fold(index, CULPRIT_INDEX_BLOCK), size);
}

uint64_t *row_of(const heap::Object &object) {
  if (!object.start)
    return nullptr;
  return object.size_class == heap::kLargeClass ? &g_large[object.number - heap::kLargeNumbers]
                                                : &g_small[object.number];
}

} // namespace

void begin_indexing(const culprit_index_unit &unit) {
  if (g_indexing || !heap::ensure_arena())
    return; // shared objects have no unit of their own so far
  uint64_t pages = heap::g_arena.size >> heap::kPageShift;
  uint64_t numbers = pages / 2 * (heap::kSlotsPerPage + heap::kNumberUnit);
  if (!make_rows(unit) || !os::map_table(g_small, numbers) || !os::map_table(g_large, pages))
    heap::stop_with("culprit: address-space limit too small for an index flavour\n");
  begin_allocations();
  heap::g_fast_limit = 0; // every block is to be noted
  g_indexing = true;
}

// The heap's fast path once more, since it knows the number of the object.
void *allocate_indexed(size_t size) {
  heap::ThreadCache *cache = heap::g_cache;
  if (size > heap::kTableLimit || !cache) [[unlikely]]
    return index_block(heap::allocate_slowly(size), size);
  heap::Stack &stack = cache->stacks[heap::class_by_table(size)];
  heap::Entry *top = stack.top;
  if (top == stack.bottom) [[unlikely]]
    return index_block(heap::allocate_slowly(size), size);
  heap::Entry entry = *--top;
  stack.top = top;
  uintptr_t start = heap::entry_start(entry);
  uint64_t number = heap::entry_number(heap::entry_of(start)) + heap::entry_slot(entry);
  __atomic_store_n(&heap::g_arena.live[number], 1, __ATOMIC_RELAXED);
  uint64_t index = block_index(size);
  g_small[number] = index;
  tell_allocation(index, size);
  return reinterpret_cast<void *>(start);
}

void *index_block(void *block, size_t size) {
  uint64_t *row = block ? row_of(heap::find_object(block)) : nullptr;
  if (!row)
    return block;
  *row = block_index(size);
  tell_allocation(*row, size);
  return block;
}

void index_pooled(const void *pool, void *address, size_t size) {
  uint64_t index = size ? block_index(size) : 0;
  if (!index)
    return;
  add_pool_object(
      {reinterpret_cast<uintptr_t>(address), size, index, pool, __culprit_index_frame->site});
  tell_allocation(index, size);
}

uint64_t index_of(uintptr_t address) {
  if (const PoolObject *object = find_pool_object(address))
    return object->index;
  heap::Object object = heap::find_object(reinterpret_cast<void *>(address));
  uint64_t *row = g_indexing && object.live ? row_of(object) : nullptr;
  return row ? *row : 0;
}

} // namespace culprit::explain
