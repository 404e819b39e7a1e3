// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See indexing.h. What is folded, and in which order, is what frames.cpp folds when frames are
// entered.
#include "runtime/explain/indexing.h"

#include "runtime/explain/allocations.h"
#include "runtime/explain/index_paths.h"
#include "runtime/explain/index_rows.h"
#include "runtime/explain/pools.h"
#include "runtime/heap/allocate.h"

extern "C" {
__attribute__((visibility("default"))) __thread culprit_index_frame *__culprit_index_frame;
__attribute__((visibility("default"))) __thread culprit_index_frame __culprit_index_root;
}

namespace culprit::explain {

bool g_indexing;

namespace {

uint64_t *g_small; // by number of the object: the index; with a tree what is planted there
uint64_t *g_large;
size_t g_fast_limit; // requests below this take the fast path

// With a tree: the node and, above it, how many bytes were asked for (from 64 GiB on all alike).
constexpr unsigned kNodeBits = 28;
constexpr uint64_t kMostSize = UINT64_MAX >> kNodeBits;
constexpr uint8_t kPlanted = 2; // live byte of such a block: heap::free() does not take it

uint32_t node_in(uint64_t planted) { return planted & ((1U << kNodeBits) - 1); }

uint64_t index_in(uint64_t planted) {
  return planted ? planted_index(node_in(planted), planted >> kNodeBits) : 0;
}

inline void make_index(culprit_index_frame &frame) {
  culprit_index_frame &caller = *frame.caller;
  frame.index = index_of_frame(frame, caller.caller ? index_at(caller, caller.index)
                                                    : static_cast<uint64_t>(CULPRIT_INDEX_ROOT));
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
  return index_of_block(index_at(*frame, frame->index), frame->happened++, size);
}

uint64_t *row_of(const heap::Object &object) {
  if (!object.start)
    return nullptr;
  return object.size_class == heap::kLargeClass ? &g_large[object.number - heap::kLargeNumbers]
                                                : &g_small[object.number];
}

bool is_planted(const heap::Object &object) {
  return g_tree && object.start && object.size_class != heap::kLargeClass &&
         heap::g_arena.live[object.number] == kPlanted;
}

void *plant(void *block, size_t size) {
  heap::Object object = heap::find_object(block);
  uint64_t *row = block ? row_of(object) : nullptr;
  culprit_index_frame *frame = __culprit_index_frame;
  uint32_t node = row && frame ? plant_block(*frame, size) : 0;
  if (!node)
    return block;
  *row = node | (size < kMostSize ? size : kMostSize) << kNodeBits;
  if (object.size_class != heap::kLargeClass)
    __atomic_store_n(&heap::g_arena.live[object.number], kPlanted, __ATOMIC_RELAXED);
  tell_allocation(index_in(*row), size);
  return block;
}

} // namespace

void begin_indexing(const culprit_index_unit &unit) {
  if (g_indexing || !heap::ensure_arena())
    return; // shared objects have no unit of their own so far
  uint64_t pages = heap::g_arena.size >> heap::kPageShift;
  uint64_t numbers = pages / 2 * (heap::kSlotsPerPage + heap::kNumberUnit);
  if (!make_index_rows(unit) || !os::map_table(g_small, numbers) || !os::map_table(g_large, pages))
    heap::stop_with("culprit: address-space limit too small for an index flavour\n");
  begin_tree(unit.extent);
  begin_allocations();
  heap::g_fast_limit = 0; // every block is to be noted
  g_fast_limit = g_tree ? 0 : heap::kTableLimit + 1;
  g_indexing = true;
}

// The heap's fast path once more, since it knows the number of the object.
void *allocate_indexed(size_t size) {
  heap::ThreadCache *cache = heap::g_cache;
  if (size >= g_fast_limit || !cache) [[unlikely]]
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
  if (g_tree)
    return plant(block, size);
  uint64_t *row = block ? row_of(heap::find_object(block)) : nullptr;
  if (!row)
    return block;
  *row = block_index(size);
  tell_allocation(*row, size);
  return block;
}

void uproot_block(void *block) {
  heap::Object object = heap::find_object(block);
  if (object.start != reinterpret_cast<uintptr_t>(block))
    return; // whoever frees it will be told
  uint64_t *row = row_of(object);
  if (object.size_class != heap::kLargeClass && !is_planted(object))
    return;
  uint64_t planted = __atomic_exchange_n(row, 0, __ATOMIC_RELAXED);
  if (object.size_class != heap::kLargeClass)
    __atomic_store_n(&heap::g_arena.live[object.number], 1, __ATOMIC_RELAXED);
  if (planted)
    fell_block(node_in(planted));
}

void index_pooled(const void *pool, void *address, size_t size) {
  culprit_index_frame *frame = __culprit_index_frame;
  if (!size || !frame)
    return;
  if (g_tree)
    uproot_pooled(address);
  uint32_t node = g_tree ? plant_block(*frame, size) : 0;
  uint64_t index = g_tree ? (node ? planted_index(node, size) : 0) : block_index(size);
  if (!index)
    return;
  add_pool_object({reinterpret_cast<uintptr_t>(address), size, index, pool, frame->site, node});
  tell_allocation(index, size);
}

void uproot_pooled(const void *address) {
  const PoolObject *object = find_pool_object(reinterpret_cast<uintptr_t>(address));
  if (object && object->start == reinterpret_cast<uintptr_t>(address) && object->node)
    fell_block(object->node);
}

bool is_alive(const heap::Object &object) { return object.live || is_planted(object); }

uint64_t index_of(uintptr_t address) {
  if (const PoolObject *object = find_pool_object(address))
    return object->index;
  heap::Object object = heap::find_object(reinterpret_cast<void *>(address));
  uint64_t *row = g_indexing && is_alive(object) ? row_of(object) : nullptr;
  if (!row)
    return 0;
  return g_tree ? index_in(*row) : *row;
}

uint64_t index_path(uintptr_t address, uint64_t *labels, uint64_t most) {
  if (!g_tree)
    return 0;
  if (const PoolObject *object = find_pool_object(address))
    return spell_out(object->node, labels, most);
  heap::Object object = heap::find_object(reinterpret_cast<void *>(address));
  uint64_t planted = is_alive(object) ? *row_of(object) : 0;
  return planted ? spell_out(node_in(planted), labels, most) : 0;
}

} // namespace culprit::explain
